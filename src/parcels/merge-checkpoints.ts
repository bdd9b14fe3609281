import { isDeepStrictEqual } from 'node:util';
import { isCloserPlace, placesAgree, withOwner } from '../service/merge-legs.ts';
import type { Checkpoint } from '../service/record.ts';
import {
  believedInstant,
  instantOf,
  isSurelyNewestFirst,
  newestFirst,
  type RankedCheckpoint,
  rankCheckpoints,
} from '../service/timeline-order.ts';

/**
 * Gives an event whose place is named more closely in one of two lists, or in one of them only, the closer name in both,
 * so that it stands once in the timeline: `Leipzig` becomes `Leipzig, DE`. That is decided only where one known event of
 * the same moment and text is not repeated as it was: what may be either of several is an event of its own.
 */
function alignPlaces(
  known: readonly Checkpoint[],
  incoming: readonly Checkpoint[],
): readonly [known: readonly Checkpoint[], incoming: readonly Checkpoint[]] {
  const repeated = new Set(incoming.map(placedKey));
  /** By moment and text, what is not repeated as it was; null where there are several. */
  const open = new Map<string, Checkpoint | null>();
  for (const event of known) {
    const [key, placed] = [momentKey(event), placedKey(event)];
    if (key === null || repeated.has(placed)) continue;
    const other = open.get(key);
    open.set(key, other === undefined || (other !== null && placedKey(other) === placed) ? event : null);
  }
  if (open.size === 0 || incoming.length === 0) return [known, incoming];
  // What has no instant reports a known event also where that one's instant is known.
  const knownPlaced = new Set(known.flatMap((event) => [placedKey(event), placedKey({ ...event, at: null })]));
  const closerPlaces = new Map<string, string | null>();
  for (const event of incoming) {
    const [key, placed] = [momentKey(event), placedKey(event)];
    const before = key === null ? undefined : open.get(key);
    if (key === null || before == null || knownPlaced.has(placed)) continue;
    if (!placesAgree(before.address, event.address)) continue;
    open.delete(key);
    if (isCloserPlace(event.address, before.address)) closerPlaces.set(placedKey(before), event.address);
    else closerPlaces.set(placed, before.address);
  }
  const inPlace = (list: readonly Checkpoint[]): readonly Checkpoint[] =>
    list.map((event) => {
      const address = closerPlaces.get(placedKey(event));
      return address === undefined ? event : { ...event, address };
    });
  return closerPlaces.size === 0 ? [known, incoming] : [inPlace(known), inPlace(incoming)];
}

/** Moment and text of an event; null when nothing says when it was. Cleaned texts hold no line break, so that it can part them. */
function momentKey(event: Checkpoint): string | null {
  const moment = instantOf(event) ?? event.local;
  return moment === null ? null : `${moment}\n${event.detail ?? '\n'}`;
}

const placedKey = (event: Checkpoint): string => `${momentKey(event)}\n${event.address ?? '\n'}`;

/**
 * All checkpoints of both lists, newest first. Nothing that `known` holds is lost: a courier that shortens its list, or
 * answers blank, takes nothing away. An event that both lists hold appears once, with the closer name of its place.
 * Answers `known` itself when there is no news.
 */
export function mergeCheckpoints(known: readonly Checkpoint[], incoming: readonly Checkpoint[]): readonly Checkpoint[] {
  if (known === incoming) return known;
  // Most answers repeat what is known, or add later events in front of it.
  const later = incoming.length - known.length;
  if (later >= 0 && known.every((checkpoint, index) => isDeepStrictEqual(checkpoint, incoming[later + index]))) {
    if (later === 0) return known;
    if (isSurelyNewestFirst(incoming)) {
      return known.length === 0 ? incoming : [...incoming.slice(0, later), ...known];
    }
  }
  // Two events may turn out to be one when a third report adds what either lacked, and what was taken for an event whose
  // place was named more closely may then be one of its own. The same answer again must change nothing. That is so after a
  // few rounds, however many events there are: those with an instant find their places in the first one, untimed ones that
  // are the same join them in the second, and what then remains without an instant finds its place in the third.
  let settled = known;
  for (;;) {
    const merged = mergeOnce(settled, incoming);
    if (merged === settled) return settled;
    settled = merged;
  }
}

function mergeOnce(known: readonly Checkpoint[], incoming: readonly Checkpoint[]): readonly Checkpoint[] {
  const events = new EventIndex();
  const [placed, reported] = alignPlaces(known, incoming);
  const before = events.absorbAll(rankCheckpoints(placed));
  const news = events.absorbAll(rankCheckpoints(reported));
  // New events come first: of two at the same instant the one heard of later is the later one.
  const merged = newestFirst([...news, ...before]);
  const unchanged = merged.length === known.length && merged.every((event, index) => event.checkpoint === known[index]);
  return unchanged ? known : merged.map((event) => event.checkpoint);
}

/**
 * Events with the same text and place. Of these, reports of the same instant are one event, and of the same local time where an
 * instant is missing; they are found without looking at all of them.
 */
interface Alike {
  /** There is one at most: a second one is the same event. */
  readonly byInstant: Map<number, RankedCheckpoint>;
  /** Those without an instant, by their local time; of these, too, there is one each. */
  readonly byLocal: Map<string | null, RankedCheckpoint>;
  /** Those with an instant, by their local time. */
  readonly timedByLocal: Map<string, RankedCheckpoint[]>;
}

/** Finds the event that a checkpoint reports among those seen before. */
class EventIndex {
  readonly #byText = new Map<string, Alike>();

  /** Adds what a list reports to the events that are known already; answers the events that are not. */
  absorbAll(list: readonly RankedCheckpoint[]): readonly RankedCheckpoint[] {
    const reportedNow = new Set<RankedCheckpoint>();
    const news = new Set<RankedCheckpoint>();
    for (const report of list) {
      const alike = this.#alike(report.checkpoint);
      const [event, other] = find(alike, report.checkpoint);
      if (event === undefined) {
        enter(alike, report);
        reportedNow.add(report);
        news.add(report);
        continue;
      }
      // What may be either of two events adds to neither.
      if (other !== undefined) continue;
      // Of a list that reports one event twice the first report counts.
      const [first, second] = [event.checkpoint, report.checkpoint];
      const refined = refine(first, second, reportedNow.has(event) ? first.subStatus : second.subStatus);
      // Of two in one list the timed one stands where the event belongs: an estimate had placed the other.
      const isPlacedBetter = believedInstant(first) === null && believedInstant(refined) !== null && news.delete(event);
      const kept = isPlacedBetter ? report : event;
      if (isPlacedBetter) news.add(report);
      if (refined.at !== first.at || refined.local !== first.local) {
        leave(alike, event);
        kept.checkpoint = refined;
        enter(alike, kept);
      }
      kept.checkpoint = refined;
      kept.rank = believedInstant(refined) ?? kept.rank;
      reportedNow.add(kept);
    }
    return [...news];
  }

  #alike(checkpoint: Checkpoint): Alike {
    const key = textKey(checkpoint);
    const known = this.#byText.get(key);
    if (known !== undefined) return known;
    const alike: Alike = { byInstant: new Map(), byLocal: new Map(), timedByLocal: new Map() };
    this.#byText.set(key, alike);
    return alike;
  }
}

/** The event that a checkpoint reports, or two when it may be either of several. */
function find({ byInstant, byLocal, timedByLocal }: Alike, { at, local }: Checkpoint): readonly RankedCheckpoint[] {
  const instant = instantOf({ at });
  const untimed = byLocal.get(local);
  const exact = instant === null ? untimed : byInstant.get(instant);
  if (exact !== undefined) return [exact];
  // Without a local time there is nothing else to go by.
  if (local === null) return [];
  if (instant === null) return (timedByLocal.get(local) ?? []).slice(0, 2);
  return untimed === undefined ? [] : [untimed];
}

function enter({ byInstant, byLocal, timedByLocal }: Alike, event: RankedCheckpoint): void {
  const { local } = event.checkpoint;
  const instant = instantOf(event.checkpoint);
  if (instant === null) {
    byLocal.set(local, event);
    return;
  }
  byInstant.set(instant, event);
  if (local === null) return;
  const timed = timedByLocal.get(local);
  if (timed === undefined) timedByLocal.set(local, [event]);
  else timed.push(event);
}

/** Only what lacks an instant or a local time comes to be another one; it stands in one place only. */
function leave({ byInstant, byLocal }: Alike, event: RankedCheckpoint): void {
  const instant = instantOf(event.checkpoint);
  if (instant === null) byLocal.delete(event.checkpoint.local);
  else byInstant.delete(instant);
}

const textKey = ({ detail, address }: Checkpoint): string => JSON.stringify([detail, address]);

/** The known checkpoint with what another report of the same event adds; itself when that adds nothing. */
function refine(known: Checkpoint, other: Checkpoint, subStatus: string | null): Checkpoint {
  const refined: Checkpoint = {
    ...other,
    ...known,
    at: known.at ?? other.at,
    local: known.local ?? other.local,
    offset: known.offset ?? other.offset,
    certain: known.at === null && other.at !== null ? other.certain : known.certain,
    subStatus: subStatus ?? known.subStatus ?? other.subStatus,
  };
  const isOwned = known.courierCode !== undefined || known.courierName !== undefined;
  const owned = withOwner(refined, isOwned ? known : other);
  return isDeepStrictEqual(owned, known) ? known : owned;
}
