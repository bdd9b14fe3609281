import type { Checkpoint } from './record.ts';
import { isSurelyNewestFirst, newestFirst, type RankedCheckpoint, rankCheckpoints } from './timeline-order.ts';

/**
 * One timeline from the two lists of a record: the first courier's, and that of the courier of the last mile. The lists
 * overlap, and after the hand-over only the second one stays fresh. Reports of one event, same instant and text, are
 * folded: the richer place is kept and the reports are counted. Sorted newest first; what stands at one instant keeps
 * the given order, the last mile's first.
 */
export function mergeLegs(main: readonly Checkpoint[], lastMile: readonly Checkpoint[]): readonly Checkpoint[] {
  if (lastMile.length === 0 && isSurelyNewestFirst(main)) return main;
  const ranked = newestFirst([...rankCheckpoints(lastMile), ...rankCheckpoints(main)]);
  const events: RankedCheckpoint[] = [];
  const newestReport = new Map<string, RankedCheckpoint>();
  for (const report of ranked) {
    const key = eventKey(report.checkpoint);
    const known = newestReport.get(key);
    if (known === undefined || !placesAgree(known.checkpoint.address, report.checkpoint.address)) {
      newestReport.set(key, report);
      events.push(report);
    } else {
      known.checkpoint = fold(known.checkpoint, report.checkpoint);
    }
  }
  return events.map((event) => event.checkpoint);
}

/** Cleaned texts hold no line break, so that it can part them. */
const eventKey = ({ at, local, detail }: Checkpoint): string => `${at ?? local ?? ''}\n${detail ?? '\n'}`;

/** Whether two places may be one: one is missing, or names the other more closely. */
export function placesAgree(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true;
  const [a, b] = [words(one), words(other)];
  return a.includes(b) || b.includes(a);
}

/** Whether a place says more than another with which it agrees: by its words, and by its length where these are the same. */
export function isCloserPlace(place: string | null, other: string | null): boolean {
  if (place === null || other === null) return place !== null;
  return (words(place).length - words(other).length || place.length - other.length) > 0;
}

/** The words of a place, which are compared as a whole: Essen is none of Hessen's. */
function words(place: string): string {
  return ` ${(place.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [place]).join(' ')} `;
}

function fold(known: Checkpoint, other: Checkpoint): Checkpoint {
  return {
    ...other,
    ...known,
    address: isCloserPlace(other.address, known.address) ? other.address : known.address,
    local: known.local ?? other.local,
    offset: known.offset ?? other.offset,
    subStatus: known.subStatus ?? other.subStatus,
    repeats: (known.repeats ?? 1) + (other.repeats ?? 1),
  };
}
