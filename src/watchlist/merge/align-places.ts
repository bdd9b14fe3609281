import { isCloserPlace, placesAgree } from '../../service/record/merge-legs.ts';
import type { Checkpoint } from '../../service/record/record.ts';
import { instantOf } from '../../service/record/timeline-order.ts';

/**
 * Gives an event whose place is named more closely in one of two lists, or in one of them only, the closer name in both,
 * so that it stands once in the timeline: `Leipzig` becomes `Leipzig, DE`. That is decided only where one known event of
 * the same moment and text is not repeated as it was: what may be either of several is an event of its own.
 */
export function alignPlaces(
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
