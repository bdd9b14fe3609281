import { yieldToEventLoop } from '../lib/async.ts';
import { cleanText } from '../lib/clean-text.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { Change, ChangeKind, ChangeLogState } from './change.ts';
import { changesBetween, type FoundChange } from './changes-between.ts';
import type { Parcel, Watchlist } from './parcel.ts';
import { differences, isSameList, type ParcelDifference } from './parcel-list.ts';
import { hasEndedUnreported, parcelStage } from './parcel-stage.ts';

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
type IsLogged = (parcelId: string, kind: ChangeKind) => boolean;

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

/** When changes are noted, and how far the file of the log goes. */
interface Noting {
  readonly now: EpochMs;
  /** The newest line that the file is known to hold; 0 for none. Later ones stay in the index. */
  readonly filedSeq: number;
  /** Which changes have their line already; none when left out. */
  readonly isLogged?: IsLogged;
}

/** A log without lines. */
export const emptyChangeLog: ChangeLogState = { seq: 0, recent: [] };

/** How long after a parcel was added its first record is what the user is waiting for, not news. */
export const firstResultMs = 10 * 60_000;

/** How many parcels are compared before others have their turn. */
const parcelsATurn = 200;

/**
 * What is to be written in place of `after`: its parcels with the marks of what has changed since `before`, and along with
 * them the lines of the change log. Because both are one file, a crash leaves both or none. While many parcels are compared, others
 * have their turn.
 */
export async function noteChanges(before: Watchlist, after: Watchlist, noting: Noting): Promise<Watchlist> {
  const old = before.changes ?? emptyChangeLog;
  const start = Math.max(old.seq, noting.filedSeq);
  const lines: Change[] = [];
  const marked = new Map<string, Parcel>();
  for (const [position, difference] of differences(before.parcels, after.parcels).entries()) {
    if (position % parcelsATurn === parcelsATurn - 1) await yieldToEventLoop();
    const parcel = difference.after ?? difference.before;
    if (parcel === null) continue;
    const all = changesBetween(difference.before, difference.after);
    const found = all.filter(({ change }) => noting.isLogged?.(parcel.id, change) !== true);
    if (found.length === 0) continue;
    for (const one of found) lines.push(lineOf(parcel, one, start + lines.length + 1, noting.now));
    if (difference.after !== null) marked.set(parcel.id, markedParcel(difference, found, noting.now));
  }
  const unfiled = old.recent.filter(({ seq }) => seq > noting.filedSeq);
  if (lines.length === 0 && unfiled.length === old.recent.length) return withLogOf(before, after);
  const changes: ChangeLogState = { seq: start + lines.length, recent: [...unfiled, ...lines] };
  return { ...after, parcels: withMarks(before.parcels, after.parcels, marked), changes };
}

/** Only what has changed bears a new mark, so what stands where it stood is not looked up. */
function withMarks(
  before: readonly Parcel[],
  after: readonly Parcel[],
  marked: ReadonlyMap<string, Parcel>,
): readonly Parcel[] {
  if (marked.size === 0) return after;
  const parcels = [...after];
  for (let position = 0; position < parcels.length; position += 1) {
    const parcel = parcels[position];
    if (parcel !== undefined && !Object.is(parcel, before[position]))
      parcels[position] = marked.get(parcel.id) ?? parcel;
  }
  return parcels;
}

/** A backup that is brought back has its own, older end of the log. */
function withLogOf({ changes }: Watchlist, after: Watchlist): Watchlist {
  return after.changes === changes || changes === undefined ? after : { ...after, changes };
}

/** A parcel that nobody has changed in a way that would be a change of the log keeps its marks. */
function markedParcel({ before, after }: ParcelDifference, found: readonly FoundChange[], now: EpochMs): Parcel {
  const parcel = after as Parcel;
  const noticedAt = new Date(now).toISOString();
  const changed: Parcel = { ...parcel, changedAt: noticedAt };
  if (before === null || !found.some(({ change }) => isNewsToUser(change, before, parcel, now))) return changed;
  return { ...changed, unread: before.unread ?? { since: noticedAt, lastRead: before.lastEvent } };
}

const newsKinds: ReadonlySet<ChangeKind> = new Set(['status', 'event', 'rejected']);

/**
 * What the user did is none, nor that nothing is known of a number, nor what one that has just been added turns out to be; but that
 * it was cancelled, returned or lost is: without a mark it would be closed before anybody has seen it.
 */
function isNewsToUser(change: ChangeKind, before: Parcel, after: Parcel, now: EpochMs): boolean {
  if (!newsKinds.has(change)) return false;
  if (before.record !== null) return true;
  if (change !== 'rejected' && parcelStage(after) === 'no-record') return false;
  return hasEndedUnreported(after) || now - Date.parse(after.addedAt) > firstResultMs;
}

function lineOf(parcel: Parcel, { change, event, from, message, to }: FoundChange, seq: number, now: EpochMs): Change {
  const noticedAt = new Date(now).toISOString();
  const happened = event?.at ?? null;
  // A courier's clock may be ahead; nothing is noticed before it happened.
  const isPast = happened !== null && Date.parse(happened) <= now;
  const { courierCode, id: parcelId, label, trackNo } = parcel;
  const at = isPast ? happened : noticedAt;
  // Of several texts in a row, which are long enough each: who reads the line again would get less of it.
  const text = cleanText(message);
  return { version: 1, seq, at, noticedAt, change, parcelId, trackNo, courierCode, label, from, to, message: text };
}
