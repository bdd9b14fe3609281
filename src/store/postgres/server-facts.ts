import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '../../lib/clock.ts';
import { sql } from './sql.ts';

/** A row of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/** How long things may take, in milliseconds of the real world. */
export interface Deadlines {
  /** Until a connection stands, but for the time that it takes to get the password. */
  readonly connectMs: number;
  /** Until the server gives a statement up. */
  readonly statementMs: number;
  /** Until the server stops waiting for others that hold what a statement wants. */
  readonly lockMs: number;
  /**
   * Until the server ends a transaction in which nothing more comes from us, because this machine is stopped or cut off: less
   * than the polling lease lasts, since nobody else can take that while a transaction relies on it.
   */
  readonly idleMs: number;
  /** Until we take a connection on which nothing comes for dead; longer than the server's, which then says so itself. */
  readonly answerMs: number;
}

/** What is asked for of a connection when it has been made, and again while nothing can be written. */
export interface ServerFacts {
  /** Whether the server is a replica. */
  readonly isReplica: boolean;
  /** Whether this session may only read, for whatever reason. */
  readonly isReadOnly: boolean;
  /** Whether this role may write to the tables; null while there are none. */
  readonly mayWrite: boolean | null;
  /** Whether the engine knows announcements. */
  readonly mayAnnounce: boolean;
  /**
   * Whether a pooler stands between, which may give each transaction another connection to the server: so nothing is relied
   * upon there that a session keeps.
   */
  readonly isPooled: boolean;
  /** The server's clock less ours. */
  readonly offsetMs: number;
}

/** How the server writes instants. A pooler knows both settings, and keeps them for each of its clients. */
const instantSettings = { TimeZone: 'UTC', DateStyle: 'ISO, YMD' };

/**
 * Where names without a schema are looked for: among what the server brings, and nowhere that a role of the database can put
 * anything. A function or operator of somebody else that fits the types of a statement better would be run otherwise.
 */
const searchPath = 'pg_catalog, pg_temp';

/** The server's own limits, behind a pooler those of the transaction. */
const limitsOf = (deadlines: Deadlines, statementMs: number) => ({
  statement_timeout: String(statementMs),
  lock_timeout: String(deadlines.lockMs),
  idle_in_transaction_session_timeout: String(deadlines.idleMs),
});

/** Asks one question of the server. */
type Ask = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

/** What facts are asked with. */
interface Asking {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** What we were told when the connection was made. A pooler makes one up, which is none of the server's. */
  readonly processId: number | null;
}

/**
 * Sets what holds on the connection, and asks what has to be known of it, at once: the server may be far away. Behind a pooler
 * all but the way of writing instants stays as it is: it would hold for whoever gets the same connection next. While this is read, names are
 * looked for wherever the server's settings say, so each of its functions, operators and types is named with its schema, and
 * what can be computed here is.
 */
export async function askFacts(run: Ask, { clock, deadlines, processId }: Asking): Promise<ServerFacts> {
  const own = { ...limitsOf(deadlines, deadlines.statementMs), search_path: searchPath };
  const settings = { ...own, ...instantSettings };
  const sets = Object.keys(settings).map((name, index) => {
    const value = `$${index + 2}::pg_catalog.text`;
    const wished =
      name in own
        ? `case when pg_catalog.pg_backend_pid() operator(pg_catalog.=) $1::pg_catalog.int4
             then ${value} else pg_catalog.current_setting('${name}') end`
        : value;
    return `pg_catalog.set_config('${name}', ${wished}, false)`;
  });
  const sentAt = clock.now();
  const [row] = await run(sql.serverFacts(sets), [processId, ...Object.values(settings)]);
  return {
    isReplica: row?.['replica'] === true,
    isReadOnly: row?.['readonly'] === 'on',
    mayAnnounce: row?.['mayannounce'] === true,
    isPooled: row?.['processid'] !== processId,
    mayWrite: (row?.['maywrite'] ?? null) as boolean | null,
    offsetMs: Number(row?.['now']) * 1_000 - (sentAt + clock.now()) / 2,
  };
}

/** Begins a transaction, with its own limits where it needs some, and with all that a pooler lets no session keep; in one message. */
export function beginning({ isPooled }: ServerFacts, deadlines: Deadlines, answerMs: number): string {
  const isUsual = answerMs === deadlines.answerMs;
  const statementMs = isUsual ? deadlines.statementMs : Math.round(answerMs * 0.9);
  if (!isPooled) return isUsual ? 'begin' : `begin; set local statement_timeout = ${statementMs}`;
  const sets = Object.entries(limitsOf(deadlines, statementMs)).map(([name, value]) => `set local ${name} = ${value}`);
  return ['begin', ...sets, `set local search_path = ${searchPath}`].join('; ');
}

/** How a database is reached. */
export interface ServerAddress {
  /** As it is shown: `postgres://ann@nas/parcels`, never with a password. */
  readonly place: string;
  /** A name, an IP address, or the folder of the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Asked for whenever the server asks; null for none. May reject with an error that says what to do. */
  readonly password: () => Promise<string | null>;
  /** Null where nothing is encrypted. */
  readonly tls: ConnectionOptions | null;
}

/** Why nothing can be written with a connection, as a sentence that says what to do; null when it can. */
export function readOnlyReason(facts: ServerFacts, place: string): string | null {
  if (facts.isReplica) return `${place} is a replica and can only be read from. Name the primary server to write.`;
  if (facts.isReadOnly) return `${place} lets this user only read. Name another user to write.`;
  if (facts.mayWrite === false)
    return `${place} gives this user the right to read only. Name another user to write, or see "A watchlist in a database" in the manual.`;
  return null;
}
