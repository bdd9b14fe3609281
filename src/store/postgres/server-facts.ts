import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '../../lib/clock.ts';
import { sql } from './sql.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Timeouts, in milliseconds of real time. */
export interface Deadlines {
  /** Timeout for connecting, excluding the time to get the password. */
  readonly connectMs: number;
  /** Time after which the server cancels a statement. */
  readonly statementMs: number;
  /** Time after which the server stops waiting for a lock. */
  readonly lockMs: number;
  /**
   * Time after which the server ends an idle transaction, in case this machine was suspended or cut off. Shorter than
   * the polling lease, because an open transaction that relies on the lease prevents others from taking it.
   */
  readonly idleMs: number;
  /**
   * Time after which a silent connection counts as dead. Longer than the server's own timeouts, so that the server can
   * report those first.
   */
  readonly responseMs: number;
}

/** Facts that are queried on each new connection, and again while we cannot write. */
export interface ServerFacts {
  readonly isReplica: boolean;
  /** Whether the session is read-only, for any reason. */
  readonly isReadOnly: boolean;
  /** Whether our role may write to the tables. Null if there are no tables. */
  readonly mayWrite: boolean | null;
  /** Whether the engine supports notifications. */
  readonly supportsNotify: boolean;
  /**
   * Whether we are behind a pooler, which may run each transaction on a different server connection. Then we do not rely
   * on session state.
   */
  readonly isPooled: boolean;
  /** The server's clock minus ours. */
  readonly offsetMs: number;
}

/** The format in which the server writes instants. Poolers track both settings per client. */
const instantSettings = { TimeZone: 'UTC', DateStyle: 'ISO, YMD' };

/**
 * Contains only the server's own schema, in which ordinary roles cannot create objects. Otherwise, a different role's
 * function or operator with better matching types could run in place of the built-in one.
 */
const searchPath = 'pg_catalog, pg_temp';

/** Returns the timeouts that the server enforces, per session or, behind a pooler, per transaction. */
const serverTimeouts = (deadlines: Deadlines, statementMs: number) => ({
  statement_timeout: String(statementMs),
  lock_timeout: String(deadlines.lockMs),
  idle_in_transaction_session_timeout: String(deadlines.idleMs),
});

interface FactsContext {
  readonly run: (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** The process id that the connection reported. A pooler reports a made-up one. */
  readonly processId: number | null;
}

/**
 * Sets up the session and queries its facts in one round trip, because the server may be far away. Behind a pooler, only
 * the format of instants is set: other settings would affect the next client of the server connection. Our search path
 * does not apply yet, so each function, operator and type is qualified with its schema, and we compute here what we can.
 */
export async function queryFacts({ clock, deadlines, processId, run }: FactsContext): Promise<ServerFacts> {
  const sessionSettings = { ...serverTimeouts(deadlines, deadlines.statementMs), search_path: searchPath };
  const settings = { ...sessionSettings, ...instantSettings };
  const setCalls = Object.keys(settings).map((name, index) => {
    const value = `$${index + 2}::pg_catalog.text`;
    const requested =
      name in sessionSettings
        ? `case when pg_catalog.pg_backend_pid() operator(pg_catalog.=) $1::pg_catalog.int4
             then ${value} else pg_catalog.current_setting('${name}') end`
        : value;
    return `pg_catalog.set_config('${name}', ${requested}, false)`;
  });
  const sentAt = clock.now();
  const [row] = await run(sql.serverFacts(setCalls), [processId, ...Object.values(settings)]);
  return {
    isReplica: row?.['replica'] === true,
    isReadOnly: row?.['readonly'] === 'on',
    supportsNotify: row?.['mayannounce'] === true,
    isPooled: row?.['processid'] !== processId,
    mayWrite: (row?.['maywrite'] ?? null) as boolean | null,
    offsetMs: Number(row?.['now']) * 1_000 - (sentAt + clock.now()) / 2,
  };
}

/**
 * Returns the statement that begins a transaction, including a different timeout if needed and, behind a pooler, all
 * settings that the pooler does not track.
 */
export function beginStatement({ isPooled }: ServerFacts, deadlines: Deadlines, responseMs: number): string {
  const isDefault = responseMs === deadlines.responseMs;
  const statementMs = isDefault ? deadlines.statementMs : Math.round(responseMs * 0.9);
  if (!isPooled) return isDefault ? 'begin' : `begin; set local statement_timeout = ${statementMs}`;
  const setStatements = Object.entries(serverTimeouts(deadlines, statementMs)).map(
    ([name, value]) => `set local ${name} = ${value}`,
  );
  return ['begin', ...setStatements, `set local search_path = ${searchPath}`].join('; ');
}

export interface ServerAddress {
  /** Safe to show, such as `postgres://ann@nas/parcels`: it never contains a password. */
  readonly place: string;
  /** A host name, an IP address, or the folder of the server's Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /**
   * Called each time the server asks for the password. Resolves with null if none is set. May reject with an error that
   * tells the user what to do.
   */
  readonly password: () => Promise<string | null>;
  /** Null if the connection is not encrypted. */
  readonly tls: ConnectionOptions | null;
}

/** Why we cannot write, as a sentence that tells the user what to do, or null if we can. */
export function readOnlyReason(facts: ServerFacts, place: string): string | null {
  if (facts.isReplica) return `${place} is a read-only replica. Use the primary server to write.`;
  if (facts.isReadOnly) return `${place} only lets this user read. Use a different user to write.`;
  if (facts.mayWrite === false)
    return `${place} gives this user read access only. Use a different user to write, or see "A list in a database" in the manual.`;
  return null;
}
