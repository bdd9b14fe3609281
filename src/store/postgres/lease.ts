import { type CancelTimer, type Clock, type ClockMark, markOf, passedSince } from '../../lib/clock.ts';
import type { Processes } from '../file/processes.ts';
import type { PollLease } from '../poll-lease.ts';
import type { StatePlace } from './database.ts';
import { sql } from './sql.ts';

export interface DatabaseLeaseOptions extends StatePlace {
  /** Shows the database's time. */
  readonly clock: Clock;
  /** Differs for each object that wants the lease: a random text without blanks. */
  readonly holder: string;
  readonly host: string;
  /** Null when nothing is known about processes: then a dead one's lease is taken over when it has run out. */
  readonly processes: Processes | null;
  readonly timings?: Partial<LeaseTimings>;
}

interface LeaseTimings {
  /** A lease that was not renewed for this long, on the database's clock, is free. */
  readonly leaseMs: number;
  /** How long its holder relies on it after it has asked for a renewal that came: shorter, since the answer took its time. */
  readonly trustMs: number;
  readonly renewMs: number;
}

/**
 * A holder that dies is followed within 15 seconds, whenever that happens and whatever its follower is about. The worst case: it
 * dies right after a renewal (`leaseMs`, 8 s); a follower has just looked (`PollingPolicy.followMs`, 0.8 s); its next question goes
 * out on a connection that has died without a word (`DatabaseTimings.heartbeatAnswerMs`, 5 s); it connects anew, at once, and looks
 * at its next turn (0.8 s). That is 14.6 s, and leaves 0.4 s for connecting and answers. Who can make no connection follows nobody;
 * nor does a connection on which a write or a long reading of its own hangs, which is given up after `answerMs` only. What a dead
 * holder's transaction keeps hold of is free before that (`idleMs`, 7 s).
 */
export const leaseTimings: LeaseTimings = { leaseMs: 8_000, trustMs: 6_000, renewMs: 2_000 };

interface LeaseRow {
  readonly holder: string;
  readonly pid: number;
  readonly fence: number;
  readonly isfree: boolean;
}

/**
 * A lease that all hosts share which use an account of a database. Its times are by the database's clock, so that no host's
 * own matters. Its holder renews it by itself while it has it; whoever takes it gets a higher number than all before, so
 * that what an overtaken holder still sends is known by it. A holder that died on this machine is known to be dead at once.
 */
export function createDatabaseLease(options: DatabaseLeaseOptions): PollLease {
  const { accountId, clock, database, host, processes } = options;
  const { leaseMs, renewMs, trustMs } = { ...leaseTimings, ...options.timings };
  const scope = processes?.scope() ?? '';
  const holder = `${options.holder} ${scope}`;
  let held: { readonly fence: number; readonly sentAt: ClockMark } | null = null;
  let isDoubted = false;
  let hasTried = false;
  let taking: Promise<boolean> | null = null;
  let cancelRenewal: CancelTimer = () => {};

  const isHeld = (): boolean => held !== null && !isDoubted && passedSince(clock, held.sentAt) < trustMs;

  const adopt = (rows: readonly { readonly fence: number }[], sentAt: ClockMark): boolean => {
    const [row] = rows;
    held = row === undefined ? null : { fence: row.fence, sentAt };
    isDoubted = false;
    if (held === null) cancelRenewal();
    return isHeld();
  };
  const renew = async (): Promise<boolean> => {
    const sentAt = markOf(clock);
    const rows = await database.query<{ fence: number }>(sql.renewLease(leaseMs), [accountId, holder], {
      isLook: true,
    });
    return adopt(rows, sentAt);
  };
  const isFree = (row: LeaseRow): boolean => {
    const [, ofScope] = /^\S+ (.*)$/s.exec(row.holder) ?? [];
    const isOurMachine = processes !== null && scope !== '' && ofScope === scope;
    return row.isfree || (isOurMachine && !processes.isRunning(row.pid));
  };
  const take = async (): Promise<boolean> => {
    if (held !== null && !isDoubted && passedSince(clock, held.sentAt) < renewMs) return isHeld();
    if (held !== null && (await renew())) return true;
    const [row] = await database.query<LeaseRow>(sql.lease, [accountId], { isLook: true });
    if (database.readOnly !== null) return false;
    // What was taken just before a connection broke: no answer told of it, and it is ours.
    if (row?.holder === holder && !row.isfree && (await renew())) return true;
    if (row !== undefined && !isFree(row)) return false;
    const sentAt = markOf(clock);
    // Of several who see that it is free, one finds the row as it was: what has run out is not renewed any more.
    const rows = await database.query<{ fence: number }>(
      sql.takeLease(leaseMs),
      [accountId, holder, host, processes?.pid ?? 0, row?.fence ?? 0],
      { isLook: true },
    );
    return adopt(rows, sentAt);
  };
  const hold = async (): Promise<boolean> => {
    hasTried = true;
    taking ??= take().finally(() => {
      taking = null;
      if (held !== null) renewLater();
    });
    return await taking;
  };
  const renewLater = (): void => {
    cancelRenewal();
    cancelRenewal = clock.setTimer(renewMs, () => {
      // What fails is tried again; who relies on the lease looks at how old it is.
      hold().catch(() => {});
    });
  };

  return {
    isBinding: true,
    hold,
    isHeld,
    fence: () => (isHeld() ? (held?.fence ?? null) : null),
    doubt() {
      isDoubted = true;
    },
    async release() {
      // It may be about to become ours.
      await taking?.catch(() => false);
      cancelRenewal();
      held = null;
      if (!hasTried || database.readOnly !== null) return;
      hasTried = false;
      await database.query(sql.releaseLease, [accountId, holder]);
    },
  };
}
