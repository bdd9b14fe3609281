import { yieldToEventLoop } from '../lib/async.ts';
import { cleanText } from '../lib/clean-text.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { Change, ChangeKind, ChangeLogState } from './change.ts';
import { changesBetween, type FoundChange } from './changes-between.ts';
import type { Parcel } from './parcel.ts';
import { differences, isSameList, type ParcelDifference, type Watchlist } from './parcel-list.ts';
import { hasEndedUnreported, parcelStage } from './parcel-stage.ts';

/** Kinds of lines that can represent each other if several changes are noticed as one. */
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
 * Whether lines written between two states of a parcel include a change. Compares only kinds, so that no change is
 * reported twice.
 */
type IsLogged = (parcelId: string, kind: ChangeKind) => boolean;

export function isLoggedIn(lines: readonly Change[]): IsLogged {
  const kinds = new Map<string, Set<ChangeKind>>();
  for (const { change, parcelId } of lines) {
    const known = kinds.get(parcelId) ?? new Set();
    kinds.set(parcelId, known.add(change));
  }
  return (parcelId, kind) => kindsLike[kind].some((like) => kinds.get(parcelId)?.has(like) === true);
}

/**
 * Remembers the watchlist from when its change log was last complete, to find changes without a line, made by an editor
 * or a sync tool.
 */
export class UnloggedEdits {
  #complete: Watchlist | null = null;
  #checked: Watchlist | null = null;

  get parcels(): readonly Parcel[] | null {
    return this.#complete?.parcels ?? null;
  }

  get seq(): number {
    return this.#complete?.changes?.seq ?? 0;
  }

  settle(watchlist: Watchlist): void {
    this.#complete = watchlist;
    this.#checked = watchlist;
  }

  /** Called for our own writes, which have lines for all changes. */
  settleWrite(before: Watchlist, after: Watchlist): void {
    const wasComplete = this.#complete === null || isSameList(this.#complete.parcels, before.parcels);
    if (wasComplete) this.settle(after);
  }

  /** Whether this watchlist still has to be checked. The first one counts as complete. */
  needsCheck(watchlist: Watchlist): boolean {
    if (this.#complete === null) this.settle(watchlist);
    return this.#checked !== watchlist;
  }

  /** Returns false if lines since {@link seq} are missing. */
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

  checkAgain(): void {
    this.#checked = null;
  }
}

interface Noting {
  readonly now: EpochMs;
  /** The newest line in the file, or 0. Later lines are in the index. */
  readonly filedSeq: number;
  /** The changes that already have a line. */
  readonly isLogged?: IsLogged;
}

export const emptyChangeLog: ChangeLogState = { seq: 0, recent: [] };

/** A parcel's first record is not news this long after it was added. */
export const firstResultMs = 10 * 60_000;

const parcelsATurn = 200;

/**
 * Returns `after` with unread marks on the parcels that have changed since `before`, and the lines of the change log.
 * Both are written to one file, so that a crash loses neither or both. Yields to the event loop.
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
  return { ...after, parcels: after.parcels.map((parcel) => marked.get(parcel.id) ?? parcel), changes };
}

/** A restored backup contains an earlier end of the log. */
function withLogOf({ changes }: Watchlist, after: Watchlist): Watchlist {
  return after.changes === changes || changes === undefined ? after : { ...after, changes };
}

function markedParcel({ before, after }: ParcelDifference, found: readonly FoundChange[], now: EpochMs): Parcel {
  const parcel = after as Parcel;
  const noticedAt = new Date(now).toISOString();
  const changed: Parcel = { ...parcel, changedAt: noticedAt };
  if (before === null || !found.some(({ change }) => isNewsToUser(change, before, parcel, now))) return changed;
  return { ...changed, unread: before.unread ?? { since: noticedAt, lastRead: before.lastEvent } };
}

const newsKinds: ReadonlySet<ChangeKind> = new Set(['status', 'event', 'rejected']);

/**
 * The user's own changes are not news, nor is a missing record, nor a new parcel's first result. An end without a
 * delivery always is news: without the mark, the parcel would be closed before the user has seen it.
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
  // A courier's clock may be ahead.
  const isPast = happened !== null && Date.parse(happened) <= now;
  const { courierCode, id: parcelId, label, trackNo } = parcel;
  const at = isPast ? happened : noticedAt;
  // Cleaned in the same way as on input, which limits the length.
  const text = cleanText(message);
  return { version: 1, seq, at, noticedAt, change, parcelId, trackNo, courierCode, label, from, to, message: text };
}
