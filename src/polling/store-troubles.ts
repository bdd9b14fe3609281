import type { Clock } from '../lib/clock.ts';
import { type StoreError, toStoreError } from '../lib/store-errors.ts';
import type { GateTrouble } from './gate/call-rules.ts';
import type { PollingProblem, PollingState } from './state.ts';

/** Operations that can fail, with their names for errors without a file. */
const troubleSources = {
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
  GateTrouble | 'watchlist-read' | 'history-write' | 'changes-read' | 'changes-write' | 'presence',
  string
>;

export type TroubleSource = keyof typeof troubleSources;

// The consequence comes first, because narrow windows cut off the end.
const cutOffMeans = 'Database unreachable: the data may be old, your changes are queued, and checks are paused.';
const unwrittenMeans = 'Unsaved changes: do not quit before they are saved.';

interface TroubleDisplay {
  readonly clock: Pick<Clock, 'now'>;
  notify(message: string): void;
  withdraw(message: string): void;
  changePolling(changes: Partial<PollingState>): void;
}

/** Shows each failure of the store once, however long it lasts, and removes it when it is over. */
export class StoreTroubles {
  readonly #display: TroubleDisplay;
  readonly #known = new Map<TroubleSource, StoreError>();
  /** The notice that the database is unreachable, or null. */
  #cutOff: string | null = null;
  #problem: PollingProblem | null = null;

  constructor(display: TroubleDisplay) {
    this.#display = display;
  }

  /** Set while changes cannot be written. */
  get problem(): PollingProblem | null {
    return this.#problem;
  }

  /** Shows an error once per source, and removes it on null. An unreachable database is one error for all sources. */
  notify(source: TroubleSource, error: unknown): void {
    const trouble = error === null ? null : toStoreError(error, troubleSources[source]);
    if (trouble?.kind === 'cut-off') {
      this.#beginCutOff(trouble);
      return;
    }
    const shown = this.#known.get(source) ?? null;
    if (trouble?.kind === shown?.kind) return;
    if (shown !== null) this.#display.withdraw(shown.message);
    if (trouble === null) this.#known.delete(source);
    else this.#known.set(source, trouble);
    if (trouble !== null) this.#display.notify(trouble.message);
  }

  /** Call this after a successful read of the watchlist. Returns whether the database was unreachable before. */
  endCutOff(): boolean {
    if (this.#cutOff === null) return false;
    this.#display.withdraw(this.#cutOff);
    this.#cutOff = null;
    this.#display.changePolling({ cutOffSince: null });
    return true;
  }

  showUnwritten(error: StoreError | null, isKeptOpen: boolean): void {
    if (error?.kind === 'cut-off') this.#beginCutOff(error);
    const shown = this.#problem;
    const message = error === null ? null : unwrittenText(error, isKeptOpen);
    this.#problem = message === null ? null : { kind: 'store', message, code: null, traceId: null };
    if (shown !== null && shown.message !== message) this.#display.withdraw(shown.message);
    if (message !== null && shown?.message !== message) this.#display.notify(message);
  }

  #beginCutOff({ message }: StoreError): void {
    if (this.#cutOff !== null) return;
    this.#cutOff = `${cutOffMeans} ${message}`;
    this.#display.changePolling({ cutOffSince: this.#display.clock.now() });
    this.#display.notify(this.#cutOff);
  }
}

const unwrittenText = ({ message }: StoreError, isKeptOpen: boolean): string =>
  isKeptOpen ? `${unwrittenMeans} ${message}` : `${message.replace(/\.$/, '')}; it is retried until the command ends.`;
