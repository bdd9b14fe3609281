import { yieldToEventLoop } from '../lib/async.ts';
import { cleanText } from '../lib/clean-text.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { Change, ChangeKind, ChangeLogState } from './change.ts';
import { changesBetween, type DetectedChange } from './changes-between.ts';
import type { Parcel } from './parcel.ts';
import { differences, isSameList, type ParcelDifference, type Watchlist } from './parcel-list.ts';
import { hasEndedWithProblem, parcelStage } from './parcel-state.ts';

/** Kinds of lines that can replace each other, because several changes may be noticed as one. */
const equivalentKinds = {
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
 * Whether the lines written between two states of a parcel already cover a change. Compares only the kinds, so that no
 * change is reported twice.
 */
type IsLogged = (parcelId: string, kind: ChangeKind) => boolean;

export function isLoggedIn(lines: readonly Change[]): IsLogged {
  const kinds = new Map<string, Set<ChangeKind>>();
  for (const { change, parcelId } of lines) {
    const loggedKinds = kinds.get(parcelId) ?? new Set();
    kinds.set(parcelId, loggedKinds.add(change));
  }
  return (parcelId, kind) => equivalentKinds[kind].some((equivalent) => kinds.get(parcelId)?.has(equivalent) === true);
}

/**
 * Remembers the watchlist as of when its change log was last complete, to find changes without a line in the log, made by
 * an editor or a sync tool.
 */
export class UnloggedEdits {
  #completeList: Watchlist | null = null;
  #checkedList: Watchlist | null = null;

  get parcels(): readonly Parcel[] | null {
    return this.#completeList?.parcels ?? null;
  }

  get seq(): number {
    return this.#completeList?.changes?.seq ?? 0;
  }

  settle(watchlist: Watchlist): void {
    this.#completeList = watchlist;
    this.#checkedList = watchlist;
  }

  /** Called after our own writes, which always add their lines to the log. */
  settleWrite(before: Watchlist, after: Watchlist): void {
    const wasComplete = this.#completeList === null || isSameList(this.#completeList.parcels, before.parcels);
    if (wasComplete) this.settle(after);
  }

  /** Whether this watchlist has yet to be checked. The first one counts as complete. */
  needsCheck(watchlist: Watchlist): boolean {
    if (this.#completeList === null) this.settle(watchlist);
    return this.#checkedList !== watchlist;
  }

  /** Returns whether the lines since {@link seq} cover all changes. */
  check(watchlist: Watchlist, lines: readonly Change[]): boolean {
    this.#checkedList = watchlist;
    const isLogged = isLoggedIn(lines);
    const isComplete = differences(this.parcels ?? [], watchlist.parcels).every(({ before, after }) => {
      const id = (after ?? before)?.id ?? '';
      return changesBetween(before, after).every(({ change }) => isLogged(id, change));
    });
    if (isComplete) this.settle(watchlist);
    return isComplete;
  }

  checkAgain(): void {
    this.#checkedList = null;
  }
}

interface NoteOptions {
  readonly now: EpochMs;
  /** Number of the newest line in the file, or 0. Later lines are in the index. */
  readonly loggedSeq: number;
  readonly isLogged?: IsLogged;
}

export const emptyChangeLog: ChangeLogState = { seq: 0, recent: [] };

/** A parcel's first record is not news if it arrives within this time after the parcel was added. */
export const firstResultMs = 10 * 60_000;

const parcelsPerTurn = 200;

/**
 * Returns `after` with unread marks on the parcels that have news since `before`, and with new lines in the change log.
 * Both are written to the same file, so that a crash cannot lose only one of them. Yields to the event loop.
 */
export async function noteChanges(before: Watchlist, after: Watchlist, options: NoteOptions): Promise<Watchlist> {
  const oldLog = before.changes ?? emptyChangeLog;
  const start = Math.max(oldLog.seq, options.loggedSeq);
  const lines: Change[] = [];
  const markedParcels = new Map<string, Parcel>();
  for (const [position, difference] of differences(before.parcels, after.parcels).entries()) {
    if (position % parcelsPerTurn === parcelsPerTurn - 1) await yieldToEventLoop();
    const parcel = difference.after ?? difference.before;
    if (parcel === null) continue;
    const detected = changesBetween(difference.before, difference.after);
    const newChanges = detected.filter(({ change }) => options.isLogged?.(parcel.id, change) !== true);
    if (newChanges.length === 0) continue;
    for (const change of newChanges) lines.push(createLine(parcel, change, start + lines.length + 1, options.now));
    if (difference.after !== null) markedParcels.set(parcel.id, markParcel(difference, newChanges, options.now));
  }
  const unlogged = oldLog.recent.filter(({ seq }) => seq > options.loggedSeq);
  if (lines.length === 0 && unlogged.length === oldLog.recent.length) return keepLog(before, after);
  const changes: ChangeLogState = { seq: start + lines.length, recent: [...unlogged, ...lines] };
  return { ...after, parcels: after.parcels.map((parcel) => markedParcels.get(parcel.id) ?? parcel), changes };
}

/** Keeps the newer end of the log, because a restored backup contains an older one. */
function keepLog({ changes }: Watchlist, after: Watchlist): Watchlist {
  return after.changes === changes || changes === undefined ? after : { ...after, changes };
}

function markParcel({ before, after }: ParcelDifference, changes: readonly DetectedChange[], now: EpochMs): Parcel {
  const parcel = after as Parcel;
  const noticedAt = new Date(now).toISOString();
  const changedParcel: Parcel = { ...parcel, changedAt: noticedAt };
  if (before === null || !changes.some(({ change }) => isNewsToUser(change, before, parcel, now))) return changedParcel;
  return { ...changedParcel, unread: before.unread ?? { since: noticedAt, lastRead: before.lastEvent } };
}

const newsKinds: ReadonlySet<ChangeKind> = new Set(['status', 'event', 'rejected']);

/**
 * The user's own changes are not news, and neither are a missing record or a new parcel's first result. An end without a
 * delivery is always news: without the unread mark, the parcel would count as closed before the user has seen it.
 */
function isNewsToUser(change: ChangeKind, before: Parcel, after: Parcel, now: EpochMs): boolean {
  if (!newsKinds.has(change)) return false;
  if (before.record !== null) return true;
  if (change !== 'rejected' && parcelStage(after) === 'no-record') return false;
  return hasEndedWithProblem(after) || now - Date.parse(after.addedAt) > firstResultMs;
}

function createLine(
  parcel: Parcel,
  { change, event, from, message, to }: DetectedChange,
  seq: number,
  now: EpochMs,
): Change {
  const noticedAt = new Date(now).toISOString();
  const eventAt = event?.at ?? null;
  // The courier's clock may be ahead.
  const isPast = eventAt !== null && Date.parse(eventAt) <= now;
  const { courierCode, id: parcelId, label, trackNo } = parcel;
  const at = isPast ? eventAt : noticedAt;
  // Cleaned like input, which also limits the length.
  const text = cleanText(message);
  return { version: 1, seq, at, noticedAt, change, parcelId, trackNo, courierCode, label, from, to, message: text };
}
