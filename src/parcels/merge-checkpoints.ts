import { isDeepStrictEqual } from 'node:util';
import type { Checkpoint } from '../service/record.ts';
import {
  instantOf,
  isCloserPlace,
  isSurelyNewestFirst,
  newestFirst,
  placesAgree,
  plausibleInstant,
  type RankedCheckpoint,
  rankCheckpoints,
  withOwner,
} from '../service/timeline-order.ts';

/**
 * If the two lists name the place of an event differently, uses the more exact name in both, so that the event appears
 * only once: `Leipzig` becomes `Leipzig, DE`. Does this only if exactly one known event with the same time and text is
 * not repeated unchanged.
 */
function alignPlaces(
  known: readonly Checkpoint[],
  incoming: readonly Checkpoint[],
): readonly [known: readonly Checkpoint[], incoming: readonly Checkpoint[]] {
  const repeated = new Set(incoming.map(placeKey));
  /** Known events that are not repeated unchanged, by time and text. Null if there are several. */
  const unmatched = new Map<string, Checkpoint | null>();
  for (const event of known) {
    const [key, placed] = [momentKey(event), placeKey(event)];
    if (key === null || repeated.has(placed)) continue;
    const earlier = unmatched.get(key);
    unmatched.set(key, earlier === undefined || (earlier !== null && placeKey(earlier) === placed) ? event : null);
  }
  if (unmatched.size === 0 || incoming.length === 0) return [known, incoming];
  // A report without an instant may match a known event that has one.
  const knownPlaceKeys = new Set(known.flatMap((event) => [placeKey(event), placeKey({ ...event, at: null })]));
  const closerPlaces = new Map<string, string | null>();
  for (const event of incoming) {
    const [key, placed] = [momentKey(event), placeKey(event)];
    const before = key === null ? undefined : unmatched.get(key);
    if (key === null || before == null || knownPlaceKeys.has(placed)) continue;
    if (!placesAgree(before.address, event.address)) continue;
    unmatched.delete(key);
    if (isCloserPlace(event.address, before.address)) closerPlaces.set(placeKey(before), event.address);
    else closerPlaces.set(placed, before.address);
  }
  const applyPlaces = (list: readonly Checkpoint[]): readonly Checkpoint[] =>
    list.map((event) => {
      const address = closerPlaces.get(placeKey(event));
      return address === undefined ? event : { ...event, address };
    });
  return closerPlaces.size === 0 ? [known, incoming] : [applyPlaces(known), applyPlaces(incoming)];
}

/**
 * Returns a key for the time and text, or null if there is no time. A line break separates the parts, because cleaned
 * text never contains one.
 */
function momentKey(event: Checkpoint): string | null {
  const moment = instantOf(event) ?? event.local;
  return moment === null ? null : `${moment}\n${event.detail ?? '\n'}`;
}

const placeKey = (event: Checkpoint): string => `${momentKey(event)}\n${event.address ?? '\n'}`;

/**
 * Returns all checkpoints of both lists, newest first. An event in both lists appears once, with the more exact place.
 * Returns `known` itself if nothing is new.
 */
export function mergeCheckpoints(known: readonly Checkpoint[], incoming: readonly Checkpoint[]): readonly Checkpoint[] {
  if (known === incoming) return known;
  // Fast path: most responses repeat the known list, perhaps with later events in front.
  const later = incoming.length - known.length;
  if (later >= 0 && known.every((checkpoint, index) => isDeepStrictEqual(checkpoint, incoming[later + index]))) {
    if (later === 0) return known;
    if (isSurelyNewestFirst(incoming)) {
      return known.length === 0 ? incoming : [...incoming.slice(0, later), ...known];
    }
  }
  // One report may link two others, so we merge until nothing changes. Otherwise the same response could change the
  // result later. Three rounds are enough: the first places events with an instant, the second joins events without one
  // to them, and the third places the rest.
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
  // New events come first: of two events at the same instant, the one reported later happened later.
  const merged = newestFirst([...news, ...before]);
  const unchanged = merged.length === known.length && merged.every((event, index) => event.checkpoint === known[index]);
  return unchanged ? known : merged.map((event) => event.checkpoint);
}

/** Events with the same text and place, indexed by time. At the same time, they are the same event. */
interface TimeIndex {
  readonly byInstant: Map<number, RankedCheckpoint>;
  /** Events without an instant, by local time. */
  readonly byLocal: Map<string | null, RankedCheckpoint>;
  /** Events with an instant, by local time. */
  readonly timedByLocal: Map<string, RankedCheckpoint[]>;
}

class EventIndex {
  readonly #byText = new Map<string, TimeIndex>();

  /** Merges reports into the events known so far. Returns the new events. */
  absorbAll(list: readonly RankedCheckpoint[]): readonly RankedCheckpoint[] {
    const reportedNow = new Set<RankedCheckpoint>();
    const news = new Set<RankedCheckpoint>();
    for (const report of list) {
      const index = this.#indexFor(report.checkpoint);
      const [event, other] = findEvents(index, report.checkpoint);
      if (event === undefined) {
        addEvent(index, report);
        reportedNow.add(report);
        news.add(report);
        continue;
      }
      // The report could be either event.
      if (other !== undefined) continue;
      // If one list reports the event twice, the status of the first report wins.
      const [first, second] = [event.checkpoint, report.checkpoint];
      const refined = refine(first, second, reportedNow.has(event) ? first.subStatus : second.subStatus);
      // The report with an instant has the right position in the list. That of the other one was only estimated.
      const hasBetterPosition =
        plausibleInstant(first) === null && plausibleInstant(refined) !== null && news.delete(event);
      const kept = hasBetterPosition ? report : event;
      if (hasBetterPosition) news.add(report);
      if (refined.at !== first.at || refined.local !== first.local) {
        removeEvent(index, event);
        kept.checkpoint = refined;
        addEvent(index, kept);
      }
      kept.checkpoint = refined;
      kept.rank = plausibleInstant(refined) ?? kept.rank;
      reportedNow.add(kept);
    }
    return [...news];
  }

  #indexFor(checkpoint: Checkpoint): TimeIndex {
    const key = textKey(checkpoint);
    const existing = this.#byText.get(key);
    if (existing !== undefined) return existing;
    const index: TimeIndex = { byInstant: new Map(), byLocal: new Map(), timedByLocal: new Map() };
    this.#byText.set(key, index);
    return index;
  }
}

/** Returns the matching event, or two events if the match is ambiguous. */
function findEvents(
  { byInstant, byLocal, timedByLocal }: TimeIndex,
  { at, local }: Checkpoint,
): readonly RankedCheckpoint[] {
  const instant = instantOf({ at });
  const untimed = byLocal.get(local);
  const exact = instant === null ? untimed : byInstant.get(instant);
  if (exact !== undefined) return [exact];
  // Without a local time, there is nothing else to go by.
  if (local === null) return [];
  if (instant === null) return (timedByLocal.get(local) ?? []).slice(0, 2);
  return untimed === undefined ? [] : [untimed];
}

function addEvent({ byInstant, byLocal, timedByLocal }: TimeIndex, event: RankedCheckpoint): void {
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

/** An event changes its key only if it lacks an instant or a local time, so it is in only one of the maps. */
function removeEvent({ byInstant, byLocal }: TimeIndex, event: RankedCheckpoint): void {
  const instant = instantOf(event.checkpoint);
  if (instant === null) byLocal.delete(event.checkpoint.local);
  else byInstant.delete(instant);
}

const textKey = ({ detail, address }: Checkpoint): string => JSON.stringify([detail, address]);

/** Completes a checkpoint with a second report of the same event. Returns `known` itself if that adds nothing. */
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
