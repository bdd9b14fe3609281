import type { Parcel, Watchlist } from '../model/parcel.ts';
import { differences, isSameList } from '../model/parcel-differences.ts';
import type { Change, ChangeKind } from './change.ts';
import { changesBetween } from './changes-between.ts';

/** Kinds of lines that can stand for each other when several changes are seen as one. */
const kindsLike = {
  added: ['added'],
  removed: ['removed'],
  archived: ['archived', 'restored'],
  restored: ['archived', 'restored'],
  registered: ['registered', 'rejected'],
  rejected: ['registered', 'rejected'],
  courier: ['courier'],
  status: ['added', 'status', 'event'],
  event: ['added', 'status', 'event'],
  trouble: ['trouble', 'recovered', 'rejected'],
  recovered: ['trouble', 'recovered', 'rejected'],
} as const satisfies Readonly<Record<ChangeKind, readonly ChangeKind[]>>;

/**
 * Whether a change that was found between two states of a parcel is among lines that were written in between. Rather a
 * change that two made at once is missed than that one is told twice, so that the kind decides.
 */
export type IsLogged = (parcelId: string, kind: ChangeKind) => boolean;

/** {@link IsLogged} for these lines. */
export function isLoggedIn(lines: readonly Change[]): IsLogged {
  const kinds = new Map<string, Set<ChangeKind>>();
  for (const { change, parcelId } of lines) {
    const known = kinds.get(parcelId) ?? new Set();
    kinds.set(parcelId, known.add(change));
  }
  return (parcelId, kind) => kindsLike[kind].some((like) => kinds.get(parcelId)?.has(like) === true);
}

/**
 * Remembers the watchlist as it was when its change log was last known to be complete, to find what has changed since and
 * stands in no line: who edits the file by hand, or brings another one by a synchroniser, writes none.
 */
export class UnloggedEdits {
  #complete: Watchlist | null = null;
  #checked: Watchlist | null = null;

  /** The parcels of then; null before the first watchlist. */
  get parcels(): readonly Parcel[] | null {
    return this.#complete?.parcels ?? null;
  }

  /** The newest line of then. */
  get seq(): number {
    return this.#complete?.changes?.seq ?? 0;
  }

  /** Takes a watchlist whose log is complete. */
  settle(watchlist: Watchlist): void {
    this.#complete = watchlist;
    this.#checked = watchlist;
  }

  /** Takes note of a write of ours, which has lines for all of it: what was complete before is complete after it. */
  settleWrite(before: Watchlist, after: Watchlist): void {
    const wasComplete = this.#complete === null || isSameList(this.#complete.parcels, before.parcels);
    if (wasComplete) this.settle(after);
  }

  /** Whether a watchlist is another one than was checked last; the first one is taken as it is. */
  needsCheck(watchlist: Watchlist): boolean {
    if (this.#complete === null) this.settle(watchlist);
    return this.#checked !== watchlist;
  }

  /** Checks a watchlist against the lines since {@link seq}: false when some are missing. */
  check(watchlist: Watchlist, lines: readonly Change[]): boolean {
    this.#checked = watchlist;
    const isLogged = isLoggedIn(lines);
    const isComplete = differences(this.parcels ?? [], watchlist.parcels).every(({ before, after }) => {
      const id = (after ?? before)?.id ?? '';
      return changesBetween(before, after).every(({ change }) => isLogged(id, change));
    });
    if (isComplete) this.settle(watchlist);
    return isComplete;
  }

  /** Lets the watchlist be checked once more though it is the same. */
  checkAgain(): void {
    this.#checked = null;
  }
}
