import { cleanTextOrNull } from '../../lib/clean-text.ts';
import { type CancelTimer, type Clock, type ClockMark, elapsedSince, markTime } from '../../lib/clock.ts';
import { readSavedCouriers } from '../courier-directory.ts';
import { fileVersion, parseJson } from '../file/formats.ts';
import type { Processes } from '../file/processes.ts';
import {
  type ConnectedPrograms,
  LeaseLostError,
  type PollLease,
  type Presence,
  readPollingMemory,
} from '../shared-state.ts';
import type { Document } from '../store.ts';
import { createUsageMeter, readSavedUsage } from '../usage-meter.ts';
import type { StatePlace } from './database.ts';
import { sql } from './sql.ts';

interface SharedStateOptions extends StatePlace {
  /** The database's clock. */
  readonly clock: Clock;
  /** Identifies this program's lease: random text without spaces. */
  readonly holder: string;
  readonly host: string;
  /** Null if we cannot check processes. Then a dead process's lease can be taken over only when it expires. */
  readonly processes: Processes | null;
  readonly timings?: Partial<typeof leaseTimings>;
  /** The kind of program: `board`, `watch` or a command's name. Only boards are counted. */
  readonly kind: string;
  readonly version: string;
}

export type DatabaseState = ReturnType<typeof createDatabaseState>;

/** Returns the data besides the parcels that an account's hosts share. Sends no query yet. */
export function createDatabaseState(options: SharedStateOptions) {
  return {
    lease: createDatabaseLease(options),
    memory: createDatabaseDocument(options, 'polling', readPollingMemory),
    meter: createUsageMeter(options.clock, createDatabaseDocument(options, 'meter', readSavedUsage), options.holder),
    presence: createDatabasePresence(options),
    couriers: createDatabaseDocument(options, 'couriers', readSavedCouriers),
  };
}

/**
 * Creates a document that an account's hosts share. If the connection breaks during a write, the change may or may not
 * have been written.
 * @param read parses a value of any shape; undefined means that there is no document
 */
function createDatabaseDocument<Data extends object | null>(
  { accountId, database }: StatePlace,
  name: string,
  read: (value: unknown) => Data,
): Document<Data> {
  const parseData = ([row]: readonly { readonly body: string }[]): Data =>
    read(row === undefined ? undefined : parseJson(row.body));
  return {
    isBinding: true,
    read: async () => parseData(await database.query(sql.document, [accountId, name], { failsFast: true })),
    update: async (change, { fence = null } = {}) =>
      await database.transaction(async (transaction) => {
        if (fence !== null) {
          const [held] = await transaction.query(sql.heldLease, [accountId, fence]);
          if (held === undefined) throw new LeaseLostError(database.place);
        }
        const lock = () => transaction.query<{ readonly body: string }>(sql.lockedDocument, [accountId, name]);
        let locked = await lock();
        if (locked.length === 0) {
          await transaction.query(sql.createDocument, [accountId, name]);
          locked = await lock();
        }
        const current = parseData(locked);
        const data = change(current);
        const text = JSON.stringify({ version: fileVersion, ...data });
        if (data !== current) await transaction.query(sql.writeDocument, [accountId, name, text]);
        return data;
      }),
  };
}

/**
 * Another program takes over within 15 seconds of the holder's death. In the worst case, the holder dies right after a
 * renewal (`leaseMs`, 8 s); a follower has just checked the lease (`PollingPolicy.followMs`, 0.8 s); its next query
 * uses a connection that is silently dead (`DatabaseTimings.heartbeatResponseMs`, 5 s); it reconnects immediately and
 * checks again (0.8 s). That is 14.6 s, which leaves 0.4 s for connecting and for responses. A program that cannot
 * connect does not take over, nor does one whose own write or long read hangs until `responseMs`. The locks of a dead
 * holder's transaction are released earlier (`idleMs`, 7 s).
 */
export const leaseTimings = {
  /** A lease that was not renewed for this long, by the database's clock, is free. */
  leaseMs: 8_000,
  /** How long the holder relies on a renewal, counted from its request. Shorter, because the response takes time. */
  trustMs: 6_000,
  renewMs: 2_000,
};

interface LeaseRow {
  readonly holder: string;
  readonly pid: number;
  readonly fence: number;
  readonly isfree: boolean;
}

/**
 * A lease shared by all hosts of an account, timed by the database's clock. Its holder renews it. Each new holder gets
 * a higher number, so that late writes by an earlier holder are rejected. If the holder ran on this machine, its death is
 * noticed immediately.
 */
function createDatabaseLease(options: SharedStateOptions): PollLease {
  const { accountId, clock, database, host, processes } = options;
  const { leaseMs, renewMs, trustMs } = { ...leaseTimings, ...options.timings };
  const scope = processes?.scope() ?? '';
  const holder = `${options.holder} ${scope}`;
  let held: { readonly fence: number; readonly sentAt: ClockMark } | null = null;
  let isSuspect = false;
  let hasTried = false;
  let attempt: Promise<boolean> | null = null;
  let cancelRenewal: CancelTimer = () => {};

  const isHeld = (): boolean => held !== null && !isSuspect && elapsedSince(clock, held.sentAt) < trustMs;

  const adopt = (rows: readonly { readonly fence: number }[], sentAt: ClockMark): boolean => {
    const [row] = rows;
    held = row === undefined ? null : { fence: row.fence, sentAt };
    isSuspect = false;
    if (held === null) cancelRenewal();
    return isHeld();
  };
  const renew = async (): Promise<boolean> => {
    const sentAt = markTime(clock);
    const rows = await database.query<{ fence: number }>(sql.renewLease(leaseMs), [accountId, holder], {
      failsFast: true,
    });
    return adopt(rows, sentAt);
  };
  const isFree = (row: LeaseRow): boolean => {
    const [, holderScope] = /^\S+ (.*)$/s.exec(row.holder) ?? [];
    const isOurMachine = processes !== null && scope !== '' && holderScope === scope;
    return row.isfree || (isOurMachine && !processes.isRunning(row.pid));
  };
  const take = async (): Promise<boolean> => {
    if (held !== null && !isSuspect && elapsedSince(clock, held.sentAt) < renewMs) return isHeld();
    if (held !== null && (await renew())) return true;
    const [row] = await database.query<LeaseRow>(sql.lease, [accountId], { failsFast: true });
    if (database.readOnly !== null) return false;
    // We took the lease just before the connection broke, and never got the response.
    if (row?.holder === holder && !row.isfree && (await renew())) return true;
    if (row !== undefined && !isFree(row)) return false;
    const sentAt = markTime(clock);
    // If several programs see a free lease, only one finds the row unchanged, because an expired lease is never renewed.
    const rows = await database.query<{ fence: number }>(
      sql.takeLease(leaseMs),
      [accountId, holder, host, processes?.pid ?? 0, row?.fence ?? 0],
      { failsFast: true },
    );
    return adopt(rows, sentAt);
  };
  const hold = async (): Promise<boolean> => {
    hasTried = true;
    attempt ??= take().finally(() => {
      attempt = null;
      if (held !== null) renewLater();
    });
    return await attempt;
  };
  const renewLater = (): void => {
    cancelRenewal();
    cancelRenewal = clock.setTimer(renewMs, () => {
      // The next renewal tries again, and callers check the lease's age.
      hold().catch(() => {});
    });
  };

  return {
    isBinding: true,
    hold,
    isHeld,
    fence: () => (isHeld() ? (held?.fence ?? null) : null),
    suspectLoss() {
      isSuspect = true;
    },
    async release() {
      // A request in progress may still acquire the lease.
      await attempt?.catch(() => false);
      cancelRenewal();
      held = null;
      if (!hasTried || database.readOnly !== null) return;
      hasTried = false;
      await database.query(sql.releaseLease, [accountId, holder]);
    },
  };
}

interface ConnectedClient {
  readonly host: string;
  readonly kind: string;
  readonly version: string;
  readonly connectedAt: number;
  readonly seenAt: number;
}

/** How often this program announces itself. */
const heartbeatMs = 5_000;

/** Announces this program to the account's other hosts, and reports who polls. A read-only board is not counted. */
function createDatabasePresence(options: SharedStateOptions): Presence {
  const { accountId, clock, database, holder, host, kind, version } = options;
  let announcedAt: ClockMark | null = null;

  const announce = async (): Promise<void> => {
    if (announcedAt !== null && elapsedSince(clock, announcedAt) < heartbeatMs) return;
    const now = markTime(clock);
    await database.query(sql.announcePresence, [accountId, holder, host, kind, version], { failsFast: true });
    announcedAt = now;
  };
  const readPrograms = async (): Promise<ConnectedPrograms> => {
    const [row] = await database.query<{ host: string | null; isus: boolean | null; boards: number }>(
      sql.connectedPrograms,
      [accountId, `${holder} %`],
      { failsFast: true },
    );
    const checkedBy = row?.host == null ? null : { host: cleanHost(row.host), isHeldByUs: row.isus === true };
    return { checkedBy, boards: row?.boards ?? 0 };
  };

  return {
    async heartbeat() {
      // Whether the database is read-only is known only after the first query.
      const programs = announcedAt === null ? await readPrograms() : null;
      if (programs !== null && database.readOnly !== null) return programs;
      if (database.readOnly === null) await announce();
      return await readPrograms();
    },
    async leave() {
      if (announcedAt === null) return;
      announcedAt = null;
      await database.query(sql.leave, [accountId, holder]);
    },
  };
}

/** Returns the connected programs, oldest first. Rejects with a `StoreError`. */
export async function listClients({ accountId, database }: StatePlace): Promise<readonly ConnectedClient[]> {
  const rows = await database.query<ConnectedClient>(sql.clients, [accountId]);
  return rows.map(({ host, kind, version, ...times }) => ({
    host: cleanHost(host),
    kind: cleanTextOrNull(kind) ?? '?',
    version: cleanTextOrNull(version) ?? '?',
    ...times,
  }));
}

/** Removes control characters from the name, because another host chose it. */
const cleanHost = (host: string): string => cleanTextOrNull(host) ?? 'another machine';
