import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ShownStage } from '../../watchlist/rules/parcel-stage.ts';
import { columnNeeds, plannedCheck, widest } from '../list/column-needs.ts';
import { lastEventDay, rankOfGroup, stageGroup } from '../list/groups.ts';
import { comparePlaces, type Place } from '../list/urgency-order.ts';
import { placingOnNoDay } from './in-turns.ts';
import type { ListDigest } from './list-digest.ts';
import { Tally } from './tally.ts';

/** What has become of a list since a digest of it was made. */
export interface DigestChanges {
  /** Parcels that are new or have changed, as they are now; archived ones as well. */
  readonly changed: readonly Parcel[];
  /** Ids of parcels that are there no more. */
  readonly removed: readonly string[];
  /** When the next checks are now. */
  readonly checks: ListDigest['checks'];
}

/** Of a parcel what a digest knows. */
interface Entry extends Place {
  readonly id: string;
  /** Of the last event of one that was delivered. */
  readonly day: string | null;
  readonly isUnread: boolean;
  /** Where its tour stands among the tours; null for one that is not out for delivery. */
  readonly tour: number | null;
}

/** A digest of the list as it is after some changes; null where it cannot follow them. Few have to have changed. */
export function changedDigest(
  digest: ListDigest,
  { changed, checks, removed }: DigestChanges,
  zone: Zone,
): ListDigest | null {
  const entries = entriesOf(digest);
  if (entries === null || digest.zone !== zone.name) return null;
  const tally = new Tally(zone, digest.counts, digest.tours);
  const gone = new Set([...removed, ...changed.map(({ id }) => id)]);
  for (const entry of entries) if (gone.has(entry.id)) tally.change(stageOf(entry), entry.tour, -1);
  const placeOf = placingOnNoDay(zone);
  const watched = changed.filter(({ archivedAt }) => archivedAt === null);
  const come = watched.map((parcel): Entry => {
    const tour = tally.add(parcel);
    const day = parcel.lastEvent === null ? null : lastEventDay(parcel, zone);
    return { ...placeOf(parcel), id: parcel.id, day, isUnread: parcel.unread !== undefined, tour };
  });
  const comeById = new Map(come.map((entry) => [entry.id, entry]));
  // What stands where it stood is not put behind those that are equal.
  const stay = entries.flatMap((entry) => {
    const now = comeById.get(entry.id);
    const isInPlace = now !== undefined && comparePlaces(now, entry) === 0;
    if (isInPlace) comeById.delete(entry.id);
    return isInPlace ? now : gone.has(entry.id) ? [] : entry;
  });
  const all = [...stay, ...comeById.values()].sort(comparePlaces);
  const usual = new Map(digest.usual);
  const needs = columnNeeds(watched, { now: digest.madeAt, usual, zone, hasStageHeadings: true });
  const planned = watched.map(plannedCheck).filter((at) => at !== null);
  return {
    ...digest,
    ids: all.map(({ id }) => id),
    places: new Uint32Array(all.length),
    groups: runsOf(all.map(({ rank }) => stageGroup(rank).key)),
    delivered: runsOf(all.flatMap(({ day, rank }) => (isDelivered(rank) ? [day] : []))),
    unread: all.flatMap(({ isUnread }, position) => (isUnread ? [position] : [])),
    counts: [...tally.counts].filter(([, count]) => count > 0),
    tours: tally.tours,
    needs: widest(digest.needs, { ...needs, next: 0 }),
    farthest: planned.reduce((far, at) => (far === null || at > far ? at : far), digest.farthest),
    checks,
    changeable: {
      urgency: Float64Array.from(all, ({ urgency }) => urgency),
      addedAt: Float64Array.from(all, ({ addedAt }) => addedAt),
      tours: all.flatMap(({ tour }) => tour ?? []),
    },
  };
}

/** Neighbours that are the same, and how many they are. */
export function runsOf<Value>(values: readonly Value[]): [Value, number][] {
  const runs: [Value, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] === value) last[1] += 1;
    else runs.push([value, 1]);
  }
  return runs;
}

/** Null where the digest does not know enough of its parcels. */
function entriesOf({ changeable, delivered, groups, ids, unread }: ListDigest): readonly Entry[] | null {
  if (changeable === null) return null;
  const ranks = groups.flatMap(([key, count]) => filled(count, rankOfGroup(key)));
  const days = delivered.flatMap(([day, count]) => filled(count, day)).values();
  const { addedAt, urgency } = changeable;
  const tours = changeable.tours.values();
  const isUnread = new Set(unread);
  return ids.map((id, position) => {
    const rank = ranks[position] ?? 0;
    return {
      id,
      rank,
      urgency: urgency[position] ?? Number.NEGATIVE_INFINITY,
      addedAt: addedAt[position] ?? Number.NEGATIVE_INFINITY,
      day: isDelivered(rank) ? (days.next().value ?? null) : null,
      isUnread: isUnread.has(position),
      tour: stageGroup(rank).key === 'out-for-delivery' ? (tours.next().value ?? null) : null,
    };
  });
}

const filled = <Value>(count: number, value: Value): readonly Value[] => Array.from({ length: count }, () => value);

const isDelivered = (rank: number): boolean => stageGroup(rank).key === 'delivered';

/** Each group holds the parcels of one stage. */
const stageOf = ({ rank }: Entry): ShownStage => stageGroup(rank).stages[0] ?? 'unknown';
