import type { Clock } from '../lib/clock.ts';
import { type StoreError, toStoreError } from '../lib/store-errors.ts';
import type { PollingProblem, PollingState } from '../store/polling-state.ts';
import type { GateTrouble } from './gate/call-rules.ts';

/** What may fail again and again beside the writing of the watchlist, and how it is called where the system names no file. */
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
  presence: 'the list of who is connected',
} as const satisfies Record<
  GateTrouble | 'watchlist-read' | 'history-write' | 'changes-read' | 'changes-write' | 'presence',
  string
>;

export type TroubleSource = keyof typeof troubleSources;

/** What follows from that a database cannot be reached: said first, since narrow windows cut the end. */
const cutOffMeans =
  'Cut off: what you enter is kept and written later; what is shown was known last, and nothing is checked.';

/** What follows while a board cannot write. */
const unwrittenMeans = 'Changes wait: do not quit before they are written.';

/** Where troubles are shown. */
interface TroubleDisplay {
  readonly clock: Pick<Clock, 'now'>;
  notify(message: string): void;
  unnotify(message: string): void;
  changePolling(changes: Partial<PollingState>): void;
}

/** What goes wrong with what we keep, as it is told: each trouble once, however long it lasts, and taken back when it is over. */
export class StoreTroubles {
  readonly #display: TroubleDisplay;
  readonly #known = new Map<TroubleSource, StoreError>();
  /** The notice that the database cannot be reached; null while it can. */
  #cutOff: string | null = null;
  #problem: PollingProblem | null = null;

  constructor(display: TroubleDisplay) {
    this.#display = display;
  }

  /** That changes cannot be written; null while they can. */
  get problem(): PollingProblem | null {
    return this.#problem;
  }

  /**
   * Notifies of a trouble that is met again and again: once, however long it lasts, however many files it concerns and whether
   * or not the user has taken note, and takes it back with null when it is over. That a database cannot be reached is one
   * trouble, whatever was wanted of it.
   */
  notify(source: TroubleSource, error: unknown): void {
    const trouble = error === null ? null : toStoreError(error, troubleSources[source]);
    if (trouble?.kind === 'cut-off') {
      this.#beginCutOff(trouble);
      return;
    }
    const shown = this.#known.get(source) ?? null;
    if (trouble?.kind === shown?.kind) return;
    if (shown !== null) this.#display.unnotify(shown.message);
    if (trouble === null) this.#known.delete(source);
    else this.#known.set(source, trouble);
    if (trouble !== null) this.#display.notify(trouble.message);
  }

  /** To be called when the watchlist could be read; answers whether it could not before. */
  endCutOff(): boolean {
    if (this.#cutOff === null) return false;
    this.#display.unnotify(this.#cutOff);
    this.#cutOff = null;
    this.#display.changePolling({ cutOffSince: null });
    return true;
  }

  /** Shows that changes cannot be written; null when they can again. */
  showUnwritten(error: StoreError | null, isKeptOpen: boolean): void {
    if (error?.kind === 'cut-off') this.#beginCutOff(error);
    const shown = this.#problem;
    const message = error === null ? null : unwrittenText(error, isKeptOpen);
    this.#problem = message === null ? null : { kind: 'store', message, code: null, traceId: null };
    if (shown !== null && shown.message !== message) this.#display.unnotify(shown.message);
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
  isKeptOpen ? `${unwrittenMeans} ${message}` : `${message} Writing is tried again until the command ends.`;
