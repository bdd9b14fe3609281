import type { Checkpoint } from '../service/record.ts';
import { parseWallTime } from '../service/service-clock.ts';

/**
 * All checkpoints of both lists, newest first. Nothing that `known` holds is lost: a courier that shortens its list, or
 * answers blank, takes nothing away. An event that both lists hold appears once. Answers `known` itself when there is
 * no news.
 */
export function mergeCheckpoints(known: readonly Checkpoint[], incoming: readonly Checkpoint[]): readonly Checkpoint[] {
  const events = new EventIndex();
  const before = place(known).flatMap((placed) => events.absorb(placed) ?? []);
  const news = place(incoming).flatMap((placed) => events.absorb(placed) ?? []);
  // New events come first: of two at the same instant the one heard of later is the later one.
  const merged = [...news, ...before].sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
  const unchanged = merged.length === known.length && merged.every((event, index) => event.checkpoint === known[index]);
  return unchanged ? known : merged.map((event) => event.checkpoint);
}

/** Whether two checkpoints tell of one event: same text and place, and the same instant, or the same local time where an instant is missing. */
export function sameEvent(a: Checkpoint, b: Checkpoint): boolean {
  if (a.detail !== b.detail || a.address !== b.address) return false;
  const [instantA, instantB] = [instantOf(a), instantOf(b)];
  if (instantA !== null && instantB !== null) return instantA === instantB;
  return a.local === b.local && (a.local !== null || instantA === instantB);
}

/** A checkpoint with the instant by which it is sorted. */
interface Placed {
  checkpoint: Checkpoint;
  rank: number;
}

/** Finds the event that a checkpoint tells of among those seen before. */
class EventIndex {
  readonly #byText = new Map<string, Placed[]>();

  /** Adds what a checkpoint tells to the event that is known already and answers null; else answers the new event. */
  absorb(told: Placed): Placed | null {
    const key = JSON.stringify([told.checkpoint.detail, told.checkpoint.address]);
    const alike = this.#byText.get(key) ?? [];
    const matches = alike.filter((event) => sameEvent(event.checkpoint, told.checkpoint));
    const instant = instantOf(told.checkpoint);
    const event = matches.find((match) => instantOf(match.checkpoint) === instant) ?? matches[0];
    if (event === undefined) {
      this.#byText.set(key, [...alike, told]);
      return told;
    }
    event.checkpoint = refine(event.checkpoint, told.checkpoint);
    event.rank = instantOf(event.checkpoint) ?? event.rank;
    return null;
  }
}

function instantOf(checkpoint: Checkpoint): number | null {
  const at = checkpoint.at === null ? Number.NaN : Date.parse(checkpoint.at);
  return Number.isFinite(at) ? at : null;
}

/** The known checkpoint with what the newer telling of the same event adds; itself when that adds nothing. */
function refine(known: Checkpoint, newer: Checkpoint): Checkpoint {
  const refined: Checkpoint = {
    ...newer,
    ...known,
    at: known.at ?? newer.at,
    local: known.local ?? newer.local,
    offset: known.offset ?? newer.offset,
    certain: known.at === null ? newer.certain : known.certain,
    subStatus: newer.subStatus ?? known.subStatus,
  };
  const keys = Object.keys(refined);
  const same = keys.every((key) => Reflect.get(refined, key) === Reflect.get(known, key));
  return same ? known : refined;
}

/**
 * Gives every checkpoint of a list, newest first, an instant to sort by. One without an instant of its own takes its
 * local time as an estimate, but stays between its neighbours: their order is all that is certain about it.
 */
function place(list: readonly Checkpoint[]): readonly Placed[] {
  const ceilings: number[] = [];
  let ceiling = Number.POSITIVE_INFINITY;
  for (const checkpoint of list) {
    ceiling = instantOf(checkpoint) ?? ceiling;
    ceilings.push(ceiling);
  }
  let floor = Number.NEGATIVE_INFINITY;
  const oldestFirst = list.toReversed().map((checkpoint, fromEnd): Placed => {
    const estimate = Math.max(floor, parseWallTime(checkpoint.local) ?? floor);
    const highest = ceilings[list.length - 1 - fromEnd] ?? Number.POSITIVE_INFINITY;
    floor = instantOf(checkpoint) ?? Math.min(highest, estimate);
    return { checkpoint, rank: floor };
  });
  return oldestFirst.reverse();
}
