import type { CancelTimer, Clock, EpochMs } from '../lib/clock.ts';
import { StoreError, toStoreError } from '../lib/store-errors.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { ParcelDifference } from '../parcels/parcel-list.ts';
import type { ServiceError, ServiceErrorKind } from '../service/port.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { ConnectedPrograms } from '../store/shared-state.ts';
import type { GateProblem } from './gate/call-rules.ts';

/** How long a brief notice is shown, in milliseconds. */
const briefNoticeMs = 20_000;

/** Where notices and problems are shown. */
interface Display {
  readonly clock: Pick<Clock, 'now' | 'setTimer'>;
  notify(notice: string): void;
  withdraw(notice: string): void;
  changePolling(changes: Partial<PollingState>): void;
}

/** Shows notices that require no action, each for a few seconds. */
export class BriefNotices {
  readonly #display: Display;
  readonly #timers = new Map<string, CancelTimer>();

  constructor(display: Display) {
    this.#display = display;
  }

  show(notice: string): void {
    this.#timers.get(notice)?.();
    this.#display.notify(notice);
    const expire = (): void => {
      this.#timers.delete(notice);
      this.#display.withdraw(notice);
    };
    this.#timers.set(notice, this.#display.clock.setTimer(briefNoticeMs, expire));
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}

/** Why the service cannot be used, or why changes cannot be saved. */
export interface PollingProblem {
  readonly kind: ServiceErrorKind | 'store';
  /** A sentence that tells the user what to do next. */
  readonly message: string;
  readonly code: string | null;
  readonly traceId: string | null;
  /** True if only registrations fail and queries continue. */
  readonly isRegistering?: true;
}

/** Why due parcels are on hold: the user's budget or the account's credit ran out. */
export interface BudgetPause {
  /** Two sentences: which budget ran out, what is on hold and until when, and what to do. */
  readonly message: string;
  /** A short version, such as `50 of 50 registrations used; 3 wait`. */
  readonly short: string;
  readonly resumesAt: EpochMs;
  /** How many parcels become due before that. */
  readonly waiting: number;
}

/** The polling state that is shown to the user. */
export interface PollingState {
  /**
   * `off`: not started, for example without a key. `waiting`: until `nextPollAt`. `checking`: a request is in progress.
   * `backing-off`: the last request failed and is retried at `nextPollAt`. `stopped`: the user has to act (key or quota),
   * see `problem`.
   */
  readonly phase: 'off' | 'waiting' | 'checking' | 'backing-off' | 'stopped';
  /** When the next request is sent, or null if none is due. */
  readonly nextPollAt: EpochMs | null;
  readonly lastResponseAt: EpochMs | null;
  readonly callsSent: number;
  /** Queries on this UTC day, by all processes. */
  readonly queriesToday: number;
  /** True while the user has paused polling; a refresh still sends requests. */
  readonly paused: boolean;
  /** True while another process polls and this one shows its results. */
  readonly isFollowing: boolean;
  /** Who polls, and how many boards are open. Null while unknown. Absent if the list is not shared between hosts. */
  readonly connectedPrograms?: ConnectedPrograms | null;
  /** Null if nothing is on hold. */
  readonly budget: BudgetPause | null;
  readonly problem: PollingProblem | null;
  /** When the database became unreachable. Null if it is reachable, or if there is no database. */
  readonly cutOffSince: EpochMs | null;
  /** Why changes can't be saved, as a sentence that tells the user what to do, or null if they can. */
  readonly readOnly: string | null;
}

export const initialPollingState: PollingState = {
  phase: 'off',
  nextPollAt: null,
  lastResponseAt: null,
  callsSent: 0,
  queriesToday: 0,
  paused: false,
  isFollowing: false,
  budget: null,
  problem: null,
  cutOffSince: null,
  readOnly: null,
};

export interface RefreshOptions {
  readonly beyondBudget?: boolean;
  /** Aborts the current request, and prevents any further ones. The failure is then a `CancelledError`. */
  readonly signal?: AbortSignal;
  readonly registersOnly?: boolean;
}

export type UndoableKind = 'add' | 'edit' | 'archive' | 'restore' | 'remove' | 'read';

export interface UndoStep {
  readonly kind: UndoableKind;
  readonly changes: () => readonly ParcelDifference[];
  /** Whether the step cannot be redone after an undo, because it also changed data at the service. */
  readonly isFinal?: boolean;
}

export interface MonitorState {
  readonly parcels: readonly Parcel[];
  readonly polling: PollingState;
  readonly serviceClock: ServiceClock;
  readonly checking: ReadonlySet<string>;
  readonly notices: readonly string[];
  /** What `Monitor.undo` would undo, such as `removing Lamp`, or null. */
  readonly undoable: string | null;
  /** What `Monitor.redo` would redo, or null. */
  readonly redoable: string | null;
}

export interface UndoOutcome {
  /** For example `Lamp is back on the list.` */
  readonly message: string;
  readonly parcelIds: readonly string[];
}

/** The results of a check, as parcel ids. */
export interface AnsweredParcels {
  readonly answered: readonly string[];
  readonly changed: readonly string[];
  /** Parcels that the service rejected, or that made a request fail. */
  readonly rejected: readonly string[];
}

export interface RefreshOutcome extends AnsweredParcels {
  /** A failed request or an exhausted budget. Null if all parcels were checked. */
  readonly failure: ServiceError | null;
}

/** How many tracking numbers to list before the rest are only counted. */
const maxListed = 20;

/** Lists what the user entered but the program could not save before it ended, so that it can be entered again. */
export class UnwrittenChangesError extends StoreError {
  constructor(cause: StoreError, entered: string) {
    super(cause.kind, `${cause.message} Not saved: ${entered}.`, cause.path, cause);
  }
}

/**
 * Describes the user's own changes, such as `added RB1CN, RB2CN; removed RB3CN`. Returns null if there aren't any.
 */
export function enteredText(differences: readonly ParcelDifference[]): string | null {
  const describe = (verb: string, matches: (difference: ParcelDifference) => boolean): string[] => {
    const numbers = differences.filter(matches).map(({ before, after }) => (after ?? before)?.trackNo ?? '');
    if (numbers.length === 0) return [];
    const more = numbers.length > maxListed ? ` and ${numbers.length - maxListed} more` : '';
    return [`${verb} ${numbers.slice(0, maxListed).join(', ')}${more}`];
  };
  const parts = [
    ...describe('added', ({ before }) => before === null),
    ...describe('removed', ({ after }) => after === null),
    ...describe('changed', isEdited),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

/** Whether the user changed the parcel. Changes by the service do not count, because they can be queried again. */
function isEdited({ before, after }: ParcelDifference): boolean {
  if (before === null || after === null) return false;
  return (
    before.label !== after.label ||
    before.note !== after.note ||
    before.archivedAt !== after.archivedAt ||
    before.extras.postalCode !== after.extras.postalCode ||
    before.extras.phoneSuffix !== after.extras.phoneSuffix ||
    (after.courierPinned && before.courierCode !== after.courierCode)
  );
}

/** Operations that can fail, and what to call their target in errors that name no file. */
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

/** Shows each store problem once, no matter how long it lasts, and removes it when it is over. */
export class StoreProblems {
  readonly #display: Display;
  readonly #reported = new Map<ProblemSource, StoreError>();
  /** The notice that the database is unreachable, or null. */
  #cutOff: string | null = null;
  #problem: PollingProblem | null = null;

  constructor(display: Display) {
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
    const previous = this.#reported.get(source) ?? null;
    if (problem?.kind === previous?.kind) return;
    if (previous !== null) this.#display.withdraw(previous.message);
    if (problem === null) this.#reported.delete(source);
    else this.#reported.set(source, problem);
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
    const previous = this.#problem;
    const message = error === null ? null : unwrittenText(error, isLongRunning);
    this.#problem = message === null ? null : { kind: 'store', message, code: null, traceId: null };
    if (previous !== null && previous.message !== message) this.#display.withdraw(previous.message);
    if (message !== null && previous?.message !== message) this.#display.notify(message);
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
