import { isDeepStrictEqual } from 'node:util';
import type { Checkpoint } from '../service/record.ts';
import {
  believedInstant,
  instantOf,
  isCloserPlace,
  isSurelyNewestFirst,
  newestFirst,
  placesAgree,
  type RankedCheckpoint,
  rankCheckpoints,
  withOwner,
} from '../service/timeline-order.ts';

/**
 * Gives an event the more exact of its two place names in both lists, so that it appears once: `Leipzig` becomes
 * `Leipzig, DE`. Only done if exactly one known event with the same moment and text is not repeated unchanged.
 */
function alignPlaces(
  known: readonly Checkpoint[],
  incoming: readonly Checkpoint[],
): readonly [known: readonly Checkpoint[], incoming: readonly Checkpoint[]] {
  const repeated = new Set(incoming.map(placedKey));
  /** Known events that are not repeated unchanged, by moment and text. Null if there are several. */
  const open = new Map<string, Checkpoint | null>();
  for (const event of known) {
    const [key, placed] = [momentKey(event), placedKey(event)];
    if (key === null || repeated.has(placed)) continue;
    const other = open.get(key);
    open.set(key, other === undefined || (other !== null && placedKey(other) === placed) ? event : null);
  }
  if (open.size === 0 || incoming.length === 0) return [known, incoming];
  // A report without an instant may match a known event that has one.
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

/**
 * Returns a key of the moment, or null without a time. A line break separates the parts, because cleaned texts contain
 * none.
 */
function momentKey(event: Checkpoint): string | null {
  const moment = instantOf(event) ?? event.local;
  return moment === null ? null : `${moment}\n${event.detail ?? '\n'}`;
}

const placedKey = (event: Checkpoint): string => `${momentKey(event)}\n${event.address ?? '\n'}`;

/**
 * Returns all checkpoints of both lists, newest first. An event in both lists appears once, with the more exact place.
 * Returns `known` itself if there is no news.
 */
export function mergeCheckpoints(known: readonly Checkpoint[], incoming: readonly Checkpoint[]): readonly Checkpoint[] {
  if (known === incoming) return known;
  // Most responses repeat the known list, or add later events in front.
  const later = incoming.length - known.length;
  if (later >= 0 && known.every((checkpoint, index) => isDeepStrictEqual(checkpoint, incoming[later + index]))) {
    if (later === 0) return known;
    if (isSurelyNewestFirst(incoming)) {
      return known.length === 0 ? incoming : [...incoming.slice(0, later), ...known];
    }
  }
  // A third report may connect two events, so we merge until nothing changes: the same response must not change the
  // result later. Three rounds are enough: the first places events with an instant, the second joins untimed ones to
  // them, and the third places the remaining ones.
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
  // New events first: if two have the same instant, the one reported later happened later.
  const merged = newestFirst([...news, ...before]);
  const unchanged = merged.length === known.length && merged.every((event, index) => event.checkpoint === known[index]);
  return unchanged ? known : merged.map((event) => event.checkpoint);
}

/** Events with the same text and place, indexed by their times. The same time means the same event. */
interface Alike {
  readonly byInstant: Map<number, RankedCheckpoint>;
  /** Events without an instant, by local time. */
  readonly byLocal: Map<string | null, RankedCheckpoint>;
  /** Events with an instant, by local time. */
  readonly timedByLocal: Map<string, RankedCheckpoint[]>;
}

class EventIndex {
  readonly #byText = new Map<string, Alike>();

  /** Merges reports into the known events. Returns the new events. */
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
      // Ambiguous.
      if (other !== undefined) continue;
      // If a list contains two reports, the first one counts.
      const [first, second] = [event.checkpoint, report.checkpoint];
      const refined = refine(first, second, reportedNow.has(event) ? first.subStatus : second.subStatus);
      // If a list contains two reports, the timed one has the right place. The place of the other was estimated.
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

/** Returns the matching event, or two events if the match is ambiguous. */
function find({ byInstant, byLocal, timedByLocal }: Alike, { at, local }: Checkpoint): readonly RankedCheckpoint[] {
  const instant = instantOf({ at });
  const untimed = byLocal.get(local);
  const exact = instant === null ? untimed : byInstant.get(instant);
  if (exact !== undefined) return [exact];
  // Without a local time, nothing else identifies the event.
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

/** Only an event without an instant or a local time can change its key, so it has only one key. */
function leave({ byInstant, byLocal }: Alike, event: RankedCheckpoint): void {
  const instant = instantOf(event.checkpoint);
  if (instant === null) byLocal.delete(event.checkpoint.local);
  else byInstant.delete(instant);
}

const textKey = ({ detail, address }: Checkpoint): string => JSON.stringify([detail, address]);

/** Completes a checkpoint with another report of the same event. Returns `known` itself if the report adds nothing. */
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
