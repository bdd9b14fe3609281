import { cleanTextOrNull } from '../../lib/clean-text.ts';
import { type Clock, type ClockMark, markOf, passedSince } from '../../lib/clock.ts';
import type { Company, Presence } from '../polling-state.ts';
import type { StatePlace } from './database.ts';
import { leaseHolds } from './lease.ts';

export interface DatabasePresenceOptions extends StatePlace {
  readonly clock: Clock;
  readonly holder: string;
  readonly host: string;
  /** What kind of program this is, `board`, `watch` or the name of a command: boards are counted. */
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

/** How often we say that we are there, in milliseconds. */
const heartbeatMs = 5_000;
/** Who has not said so for this long, on the database's clock, is gone: as long as the lease of one that died lasts at most. */
const goneMs = 15_000;
/** Nor is anybody there who has said so in a time to come, before the server's clock was set back. */
const isThere = `seen_at between clock_timestamp() - interval '${goneMs} milliseconds' and clock_timestamp() + interval '${goneMs} milliseconds'`;

/** Tells the other hosts of an account that we are there, and who checks. A board that may only read is not counted. */
export function createDatabasePresence(options: DatabasePresenceOptions): Presence {
  const { accountId, clock, database, holder, host, kind, version } = options;
  let saidAt: ClockMark | null = null;

  const say = async (): Promise<void> => {
    if (saidAt !== null && passedSince(clock, saidAt) < heartbeatMs) return;
    const now = markOf(clock);
    await database.query(
      // Several may forget the same ones at the same moment.
      `with forgotten as (
         select id from parcel_monitor.client where account_id = $1 and not (${isThere}) and id <> $2
         for update skip locked),
       others as (delete from parcel_monitor.client where account_id = $1 and id in (select id from forgotten))
       insert into parcel_monitor.client as client (account_id, id, host, kind, version, connected_at, seen_at)
       values ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp())
       on conflict (account_id, id) do update set seen_at = excluded.seen_at`,
      [accountId, holder, host, kind, version],
      { isLook: true },
    );
    saidAt = now;
  };
  const company = async (): Promise<Company> => {
    const [row] = await database.query<{ host: string | null; isus: boolean | null; boards: number }>(
      `select lease.host, lease.holder like $2 as isus,
         (select count(*) from parcel_monitor.client
          where account_id = $1 and kind = 'board' and ${isThere}) as boards
       from (select 1 as one) as always
       left join parcel_monitor.lease on lease.account_id = $1 and ${leaseHolds()}`,
      [accountId, `${holder} %`],
      { isLook: true },
    );
    const checkedBy = row?.host == null ? null : { host: shownHost(row.host), isUs: row.isus === true };
    return { checkedBy, boards: row?.boards ?? 0 };
  };

  return {
    async look() {
      // Whether it may only be read is known once it has been.
      const before = saidAt === null ? await company() : null;
      if (before !== null && database.readOnly !== null) return before;
      if (database.readOnly === null) await say();
      return await company();
    },
    async leave() {
      if (saidAt === null) return;
      saidAt = null;
      await database.query('delete from parcel_monitor.client where account_id = $1 and id = $2', [accountId, holder]);
    },
  };
}

/** Who is there, those first who came first. Rejects with a `StoreError`. */
export async function listClients({ accountId, database }: StatePlace): Promise<readonly ConnectedClient[]> {
  const rows = await database.query<ConnectedClient>(
    `select host, kind, version, connected_at as "connectedAt", seen_at as "seenAt" from parcel_monitor.client
     where account_id = $1 and ${isThere} order by connected_at, id`,
    [accountId],
  );
  return rows.map(({ host, kind, version, ...times }) => ({
    host: shownHost(host),
    kind: cleanTextOrNull(kind) ?? '?',
    version: cleanTextOrNull(version) ?? '?',
    ...times,
  }));
}

/** Another host says what it is called: nothing of it may do anything on a screen. */
const shownHost = (host: string): string => cleanTextOrNull(host) ?? 'another computer';
