import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '../../lib/clock.ts';
import { sql } from './sql.ts';

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>;

/** Timeouts in milliseconds of real time. */
export interface Deadlines {
  /** Timeout for connecting, without the time to get the password. */
  readonly connectMs: number;
  /** Time after which the server cancels a statement. */
  readonly statementMs: number;
  /** Time after which the server stops waiting for a lock. */
  readonly lockMs: number;
  /**
   * Time after which the server ends an idle transaction, because this machine is stopped or cut off. Shorter than the
   * polling lease, which others cannot take while a transaction relies on it.
   */
  readonly idleMs: number;
  /**
   * Time after which a silent connection counts as dead. Longer than the server's timeouts, so that the server can
   * report them first.
   */
  readonly responseMs: number;
}

/** Facts that we query on a new connection, and again while we cannot write. */
export interface ServerFacts {
  /** Whether the server is a replica. */
  readonly isReplica: boolean;
  /** Whether this session is read-only, for any reason. */
  readonly isReadOnly: boolean;
  /** Whether this role may write to the tables. Null if there are none. */
  readonly mayWrite: boolean | null;
  /** Whether the engine has notifications. */
  readonly mayAnnounce: boolean;
  /**
   * Whether there is a pooler in between, which may give each transaction another connection. Then we do not rely on
   * session state.
   */
  readonly isPooled: boolean;
  /** The server's clock minus ours. */
  readonly offsetMs: number;
}

/** Settings for the format in which the server writes instants. A pooler knows both, and keeps them per client. */
const instantSettings = { TimeZone: 'UTC', DateStyle: 'ISO, YMD' };

/**
 * The search path: only the server's own schema, where no database role can create objects. Otherwise another
 * role's function or operator with better matching types would run.
 */
const searchPath = 'pg_catalog, pg_temp';

/** Returns the server's own timeouts, or those of the transaction behind a pooler. */
const limitsOf = (deadlines: Deadlines, statementMs: number) => ({
  statement_timeout: String(statementMs),
  lock_timeout: String(deadlines.lockMs),
  idle_in_transaction_session_timeout: String(deadlines.idleMs),
});

type Ask = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

interface Asking {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** The process id from the connection. A pooler invents one that the server does not know. */
  readonly processId: number | null;
}

/**
 * Sets up the session and queries its facts in one message, since the server may be far away. Behind a pooler we set
 * only the format of instants: other settings would affect the connection's next client. During this query names
 * resolve by the server's settings, so each function, operator and type is written with its schema, and we compute here
 * what we can.
 */
export async function askFacts(run: Ask, { clock, deadlines, processId }: Asking): Promise<ServerFacts> {
  const own = { ...limitsOf(deadlines, deadlines.statementMs), search_path: searchPath };
  const settings = { ...own, ...instantSettings };
  const sets = Object.keys(settings).map((name, index) => {
    const value = `$${index + 2}::pg_catalog.text`;
    const requested =
      name in own
        ? `case when pg_catalog.pg_backend_pid() operator(pg_catalog.=) $1::pg_catalog.int4
             then ${value} else pg_catalog.current_setting('${name}') end`
        : value;
    return `pg_catalog.set_config('${name}', ${requested}, false)`;
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

/**
 * Begins a transaction in one message, with its own timeouts if it needs some, and with all settings that a pooler does
 * not keep.
 */
export function beginning({ isPooled }: ServerFacts, deadlines: Deadlines, responseMs: number): string {
  const isUsual = responseMs === deadlines.responseMs;
  const statementMs = isUsual ? deadlines.statementMs : Math.round(responseMs * 0.9);
  if (!isPooled) return isUsual ? 'begin' : `begin; set local statement_timeout = ${statementMs}`;
  const sets = Object.entries(limitsOf(deadlines, statementMs)).map(([name, value]) => `set local ${name} = ${value}`);
  return ['begin', ...sets, `set local search_path = ${searchPath}`].join('; ');
}

export interface ServerAddress {
  /** Without secrets: `postgres://ann@nas/parcels`, never with a password. */
  readonly place: string;
  /** A name, an IP address, or the folder of the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /**
   * Called each time the server wants the password. Returns null without a password. May reject with an error that tells
   * the user what to do.
   */
  readonly password: () => Promise<string | null>;
  /** Null if the connection is not encrypted. */
  readonly tls: ConnectionOptions | null;
}

/** Why we cannot write on a connection, as a sentence that tells the user what to do, or null. */
export function readOnlyReason(facts: ServerFacts, place: string): string | null {
  if (facts.isReplica) return `${place} is a read-only replica. Use the primary server to write.`;
  if (facts.isReadOnly) return `${place} lets this user only read. Use another user to write.`;
  if (facts.mayWrite === false)
    return `${place} gives this user only the right to read. Use another user to write, or see "A list in a database" in the manual.`;
  return null;
}
