import { dayMs, type EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { newParcel } from '../../watchlist/model/parcel-factory.ts';
import type { ShownStage } from '../../watchlist/rules/parcel-stage.ts';
import type { UsualStillness } from '../../watchlist/rules/usual-stillness.ts';
import type { SoonestWaits } from '../../watchlist/state/soonest-waits.ts';
import type { StageCounts } from '../header/header-counts.ts';
import type { Arrangement } from '../list/arrange.ts';
import { columnNeeds, nextColumnWidth, underHeadings } from '../list/column-needs.ts';
import { stageGroups } from '../list/groups.ts';
import type { ColumnNeeds } from '../list/list-columns.ts';
import { isToday } from '../status/standing.ts';
import type { Viewing } from '../status/status-now.ts';
import { dateInZone, dayInZone } from '../time/zone-time.ts';
import { changingColumns, type ListDigest } from './list-digest.ts';
import { digestDays } from './make-digest.ts';

/** What a digest stands for at an instant. */
export interface DigestedList {
  /** Its parcels are outlines: of them only id and marks are true, see {@link DigestedList.whole}. */
  readonly arrangement: Arrangement;
  readonly counts: StageCounts;
  readonly usual: UsualStillness;
  readonly needs: ColumnNeeds;
  readonly checks: SoonestWaits;
  /** The parcel of an outline, as it stands in the file, or has been read; null when it is not there. */
  readonly whole: (outline: Parcel) => Parcel | null;
  /** Has the parcels of outlines read, so that they are there; absent where that takes no time. */
  readonly read?: (outlines: readonly Parcel[]) => Promise<void>;
}

/** What an outline knows. */
interface Outline extends Parcel {
  readonly place: number;
}

/** What a parcel is of which nothing is known. */
const nameless = { trackNo: '', courierCode: null, label: null, postalCode: null, phoneSuffix: null };
const blank: Parcel = { ...newParcel(nameless, 0, () => 0), registration: 'registered', nextPollAt: null };

const unread = { since: '1970-01-01T00:00:00.000Z', lastRead: null };

/**
 * What the whole list would show by urgency at an instant, without a filter; null where the digest cannot tell.
 * @param parcelAt the parcel whose line begins at a place of the file; null where none does
 */
export function digestedList(
  digest: ListDigest,
  now: EpochMs,
  zone: Zone,
  parcelAt: (place: number) => Parcel | null,
): DigestedList | null {
  const holdsUntil = digest.madeAt + digestDays * dayMs;
  if (digest.zone !== zone.name || now < digest.madeAt || now > holdsUntil || now < digest.checks.plausibleFrom)
    return null;
  const usual = new Map(digest.usual);
  const needs = neededNow(digest, { now, usual, zone }, parcelAt);
  if (needs === null) return null;
  return {
    arrangement: arranged(digest, dateInZone(now, zone)),
    counts: countedNow(digest, now, zone),
    usual,
    needs,
    checks: digest.checks,
    whole: (outline) => {
      const parcel = parcelAt((outline as Outline).place);
      return parcel?.id === outline.id ? parcel : null;
    },
  };
}

/** The groups with those that were delivered today before the other delivered ones. */
function arranged({ delivered, groups, ids, places, unread: marked }: ListDigest, today: string): Arrangement {
  const isUnread = new Set(marked);
  const outlines = ids.map((id, position): Outline => {
    const outline = { ...blank, id, place: places[position] ?? 0 };
    return isUnread.has(position) ? { ...outline, unread } : outline;
  });
  let from = 0;
  const byGroup = new Map<string, Parcel[]>();
  const put = (key: string, count: number): void => {
    const list = byGroup.get(key) ?? [];
    for (const outline of outlines.slice(from, from + count)) list.push(outline);
    byGroup.set(key, list);
    from += count;
  };
  for (const [key, count] of groups) {
    if (key !== 'delivered') put(key, count);
    else for (const [day, some] of delivered) put(day === today ? 'delivered-today' : key, some);
  }
  const shown = stageGroups((key) => byGroup.get(key));
  const order = shown.flatMap(({ parcels }) => parcels);
  return { grouping: 'stage', groups: shown, order, unfiltered: order };
}

function countedNow({ counts, tours, unread: marked }: ListDigest, now: EpochMs, zone: Zone): StageCounts {
  const found = new Map<ShownStage, number>(counts);
  for (const [day, offset, count] of tours) {
    if (count === 0) continue;
    const stage = isToday({ day, offset }, now, (at) => dayInZone(at, zone)) ? 'out-for-delivery' : 'in-transit';
    found.set(stage, (found.get(stage) ?? 0) + count);
  }
  return { found, unread: marked.length };
}

/** Looks at the parcels whose texts may be the widest now, until none can be wider; null where those are too many. */
function neededNow(
  { bounds, farthest, needs: always }: ListDigest,
  viewing: Required<Viewing>,
  parcelAt: (place: number) => Parcel | null,
): ColumnNeeds | null {
  const needs = { ...always, next: nextColumnWidth(farthest, viewing.now) };
  for (const column of changingColumns) {
    const { candidates, others } = bounds[column];
    for (const { most, place } of candidates) {
      if (needs[column] >= most) break;
      const parcel = parcelAt(place);
      if (parcel === null) return null;
      const own = columnNeeds([parcel], { ...viewing, hasStageHeadings: true });
      for (const changing of changingColumns) needs[changing] = Math.max(needs[changing], own[changing]);
    }
    if (needs[column] < others) return null;
  }
  return underHeadings(needs);
}
