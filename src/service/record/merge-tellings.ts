import { isSurelyNewestFirst } from './newest-first.ts';
import type { Checkpoint } from './record.ts';

/** Where a telling stands in a timeline, newest first. */
interface Telling {
  checkpoint: Checkpoint;
  /** Instant to sort by; one without an instant keeps to the telling before it. */
  readonly rank: number;
}

/**
 * The timeline of a record that is told twice: by the courier, and by the one that carries the last mile (public fact:
 * the two lists overlap, and after the hand-over only the second stays fresh). Tellings of one event, same instant and
 * text, are folded: the richer place is kept and their number counted. Sorted newest first; what stands at one instant,
 * or has no instant, keeps the given order.
 */
export function mergeTellings(main: readonly Checkpoint[], lastMile: readonly Checkpoint[]): readonly Checkpoint[] {
  if (lastMile.length === 0 && isSurelyNewestFirst(main)) return main;
  const ranked = [...place(lastMile), ...place(main)].sort((a, b) => b.rank - a.rank || 0);
  const folded: Telling[] = [];
  const seen = new Map<string, Telling>();
  for (const telling of ranked) {
    const key = eventKey(telling.checkpoint);
    const known = seen.get(key);
    if (known === undefined || !placesAgree(known.checkpoint.address, telling.checkpoint.address)) {
      seen.set(key, telling);
      folded.push(telling);
    } else {
      known.checkpoint = fold(known.checkpoint, telling.checkpoint);
    }
  }
  return folded.map((telling) => telling.checkpoint);
}

function place(list: readonly Checkpoint[]): readonly Telling[] {
  let rank = Number.MAX_SAFE_INTEGER;
  return list.map((checkpoint) => {
    rank = checkpoint.at === null ? rank : Date.parse(checkpoint.at);
    return { checkpoint, rank };
  });
}

/** No text holds the sign that parts them: all have been cleaned. */
const eventKey = ({ at, local, detail }: Checkpoint): string => `${at ?? local ?? ''}\n${detail ?? '\n'}`;

/** Whether two places may be one: one is missing, or names the other more closely. */
function placesAgree(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true;
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a.includes(b) || b.includes(a);
}

function fold(known: Checkpoint, other: Checkpoint): Checkpoint {
  const richer = (other.address?.length ?? 0) > (known.address?.length ?? 0) ? other.address : known.address;
  return {
    ...other,
    ...known,
    address: richer,
    local: known.local ?? other.local,
    offset: known.offset ?? other.offset,
    subStatus: known.subStatus ?? other.subStatus,
    repeats: (known.repeats ?? 1) + (other.repeats ?? 1),
  };
}
