import { cleanTextOrNull } from '../../lib/clean-text.ts';
import { type Clock, type ClockMark, markOf, passedSince } from '../../lib/clock.ts';
import type { Company, Presence } from '../polling-state.ts';
import type { StatePlace } from './database.ts';
import { sql } from './sql.ts';

export interface DatabasePresenceOptions extends StatePlace {
  readonly clock: Clock;
  readonly holder: string;
  readonly host: string;
  /** The kind of this program: `board`, `watch` or the name of a command. Boards are counted. */
  readonly kind: string;
  readonly version: string;
}

export interface ConnectedClient {
  readonly host: string;
  readonly kind: string;
  readonly version: string;
  readonly connectedAt: number;
  readonly seenAt: number;
}

/** Time between two announcements of this program, in milliseconds. */
const heartbeatMs = 5_000;

/** Announces us to the other hosts of an account, and returns who polls. A read-only board is not counted. */
export function createDatabasePresence(options: DatabasePresenceOptions): Presence {
  const { accountId, clock, database, holder, host, kind, version } = options;
  let saidAt: ClockMark | null = null;

  const say = async (): Promise<void> => {
    if (saidAt !== null && passedSince(clock, saidAt) < heartbeatMs) return;
    const now = markOf(clock);
    await database.query(sql.sayPresence, [accountId, holder, host, kind, version], { isLook: true });
    saidAt = now;
  };
  const company = async (): Promise<Company> => {
    const [row] = await database.query<{ host: string | null; isus: boolean | null; boards: number }>(
      sql.company,
      [accountId, `${holder} %`],
      { isLook: true },
    );
    const checkedBy = row?.host == null ? null : { host: shownHost(row.host), isUs: row.isus === true };
    return { checkedBy, boards: row?.boards ?? 0 };
  };

  return {
    async look() {
      // Known only after the first read.
      const before = saidAt === null ? await company() : null;
      if (before !== null && database.readOnly !== null) return before;
      if (database.readOnly === null) await say();
      return await company();
    },
    async leave() {
      if (saidAt === null) return;
      saidAt = null;
      await database.query(sql.leave, [accountId, holder]);
    },
  };
}

/** Returns the programs, oldest first. Rejects with a `StoreError`. */
export async function listClients({ accountId, database }: StatePlace): Promise<readonly ConnectedClient[]> {
  const rows = await database.query<ConnectedClient>(sql.clients, [accountId]);
  return rows.map(({ host, kind, version, ...times }) => ({
    host: shownHost(host),
    kind: cleanTextOrNull(kind) ?? '?',
    version: cleanTextOrNull(version) ?? '?',
    ...times,
  }));
}

/** Cleans the name, because another host chose it and it must not control the terminal. */
const shownHost = (host: string): string => cleanTextOrNull(host) ?? 'another computer';
