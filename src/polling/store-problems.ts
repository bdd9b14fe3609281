import type { Clock } from '../lib/clock.ts';
import { type StoreError, toStoreError } from '../lib/store-errors.ts';
import type { GateProblem } from './gate/call-rules.ts';
import type { PollingProblem, PollingState } from './state.ts';

/** Operations that can fail, and what to call them in errors that name no file. */
const problemSources = {
  'watchlist-read': 'the watchlist',
  'history-write': 'the history',
  'memory-read': 'the polling memory',
  'memory-write': 'the polling memory',
  'meter-read': 'the query meter',
  'meter-write': 'the query meter',
  'changes-read': 'the change log',
  'changes-write': 'the change log',
  lease: 'the polling lease',
  presence: 'the list of connected programs',
} as const satisfies Record<
  GateProblem | 'watchlist-read' | 'history-write' | 'changes-read' | 'changes-write' | 'presence',
  string
>;

export type ProblemSource = keyof typeof problemSources;

// The consequence comes first, because narrow windows cut off the end.
const cutOffNotice = 'Database unreachable: the data may be old, your changes are queued, and checks are paused.';
const unwrittenNotice = 'Unsaved changes: do not quit before they are saved.';

interface ProblemDisplay {
  readonly clock: Pick<Clock, 'now'>;
  notify(message: string): void;
  withdraw(message: string): void;
  changePolling(changes: Partial<PollingState>): void;
}

/** Shows each store problem once, however long it lasts, and removes it when it is over. */
export class StoreProblems {
  readonly #display: ProblemDisplay;
  readonly #known = new Map<ProblemSource, StoreError>();
  /** The notice that the database is unreachable, or null. */
  #cutOff: string | null = null;
  #problem: PollingProblem | null = null;

  constructor(display: ProblemDisplay) {
    this.#display = display;
  }

  /** Set while changes cannot be written. */
  get problem(): PollingProblem | null {
    return this.#problem;
  }

  /** Shows an error once per source; null removes it. An unreachable database counts as one error for all sources. */
  report(source: ProblemSource, error: unknown): void {
    const problem = error === null ? null : toStoreError(error, problemSources[source]);
    if (problem?.kind === 'cut-off') {
      this.#beginCutOff(problem);
      return;
    }
    const shown = this.#known.get(source) ?? null;
    if (problem?.kind === shown?.kind) return;
    if (shown !== null) this.#display.withdraw(shown.message);
    if (problem === null) this.#known.delete(source);
    else this.#known.set(source, problem);
    if (problem !== null) this.#display.notify(problem.message);
  }

  /** Call this after a successful read of the watchlist. Returns whether the database was unreachable before. */
  endCutOff(): boolean {
    if (this.#cutOff === null) return false;
    this.#display.withdraw(this.#cutOff);
    this.#cutOff = null;
    this.#display.changePolling({ cutOffSince: null });
    return true;
  }

  showUnwritten(error: StoreError | null, isLongRunning: boolean): void {
    if (error?.kind === 'cut-off') this.#beginCutOff(error);
    const shown = this.#problem;
    const message = error === null ? null : unwrittenText(error, isLongRunning);
    this.#problem = message === null ? null : { kind: 'store', message, code: null, traceId: null };
    if (shown !== null && shown.message !== message) this.#display.withdraw(shown.message);
    if (message !== null && shown?.message !== message) this.#display.notify(message);
  }

  #beginCutOff({ message }: StoreError): void {
    if (this.#cutOff !== null) return;
    this.#cutOff = `${cutOffNotice} ${message}`;
    this.#display.changePolling({ cutOffSince: this.#display.clock.now() });
    this.#display.notify(this.#cutOff);
  }
}

const unwrittenText = ({ message }: StoreError, isLongRunning: boolean): string =>
  isLongRunning
    ? `${unwrittenNotice} ${message}`
    : `${message.replace(/\.$/, '')}; saving is retried until the command ends.`;
