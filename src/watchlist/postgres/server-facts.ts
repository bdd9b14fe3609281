import type { Clock } from '../../service/clock/clock.ts';

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

/** The server's own limits, behind a pooler those of the transaction. */
const limitsOf = (deadlines: Deadlines, statementMs: number) => ({
  statement_timeout: String(statementMs),
  lock_timeout: String(deadlines.lockMs),
  idle_in_transaction_session_timeout: String(deadlines.idleMs),
});

/** Asks one question of the server. */
type Ask = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

/** What facts are asked with. */
export interface Asking {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** What we were told when the connection was made. A pooler makes one up, which is none of the server's. */
  readonly processId: number | null;
}

/**
 * Sets what holds on the connection, and asks what has to be known of it, at once: the server may be far away. Behind a pooler
 * limits stay as they are: they would hold for whoever gets the same connection next.
 */
export async function askFacts(run: Ask, { clock, deadlines, processId }: Asking): Promise<ServerFacts> {
  const own = { ...limitsOf(deadlines, deadlines.statementMs), search_path: 'parcel_monitor' };
  const settings = { ...own, ...instantSettings };
  const sets = Object.keys(settings).map((name, index) => {
    const value = `$${index + 2}`;
    const wished =
      name in own ? `case when pg_backend_pid() = $1 then ${value} else current_setting('${name}') end` : value;
    return `set_config('${name}', ${wished}, false)`;
  });
  const sentAt = clock.now();
  const [row] = await run(
    `select extract(epoch from clock_timestamp()) * 1000 as now,
       pg_is_in_recovery() as replica, current_setting('transaction_read_only') = 'on' as readonly,
       to_regproc('pg_catalog.pg_notify') is not null as mayannounce, pg_backend_pid() as processid,
       has_table_privilege(to_regclass('parcel_monitor.parcel')::oid, 'INSERT') as maywrite, ${sets.join(', ')}`,
    [processId, ...Object.values(settings)],
  );
  return {
    isReplica: row?.['replica'] === true,
    isReadOnly: row?.['readonly'] === true,
    mayAnnounce: row?.['mayannounce'] === true,
    isPooled: row?.['processid'] !== processId,
    mayWrite: (row?.['maywrite'] ?? null) as boolean | null,
    offsetMs: Number(row?.['now']) - (sentAt + clock.now()) / 2,
  };
}

/** Begins a transaction, with its own limits where it needs some; in one message. */
export function beginning({ isPooled }: ServerFacts, deadlines: Deadlines, answerMs: number): string {
  const isUsual = answerMs === deadlines.answerMs;
  const statementMs = isUsual ? deadlines.statementMs : Math.round(answerMs * 0.9);
  if (!isPooled) return isUsual ? 'begin' : `begin; set local statement_timeout = ${statementMs}`;
  const sets = Object.entries(limitsOf(deadlines, statementMs)).map(([name, value]) => `set local ${name} = ${value}`);
  return ['begin', ...sets].join('; ');
}
