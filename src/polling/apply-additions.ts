import { type Clock, secondMs, sleep } from '../lib/clock.ts';
import { StoreError } from '../lib/store-errors.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import type { AddedParcel } from '../parcels/parcel-list.ts';
import { CancelledError, RateLimitedError, ServiceError } from '../service/port.ts';
import { splitIntoBatches } from '../store/store.ts';
import type { Monitor } from './monitor.ts';

export interface AdditionProgress {
  /** Decides what `done` and `total` count: registered or rejected numbers, checked numbers, or seconds of a pause. */
  readonly phase: 'registering' | 'checking' | 'waiting';
  readonly done: number;
  readonly total: number;
}

export interface AppliedAddition {
  readonly index: number;
  readonly kind: AddedParcel['kind'];
  readonly parcel: Parcel;
}

export interface AppliedAdditions {
  readonly results: readonly AppliedAddition[];
  /** Indexes of the parcels that were not added because of a cancellation or a store error. */
  readonly remaining: readonly number[];
  /** A `CancelledError` if the user cancelled. Saved numbers that are not registered yet are registered by the next check. */
  readonly failure: ServiceError | StoreError | null;
}

export interface ApplyOptions {
  readonly registers: boolean;
  /**
   * How many numbers to save and register at a time. With small batches, less has been paid for when the user cancels.
   * Null saves all numbers first, so that none is lost.
   */
  readonly batchSize: number | null;
  readonly checks: boolean;
  readonly clock: Clock;
  /** Aborts the current request or pause, and everything after it. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: AdditionProgress) => void;
  /** Called once for each number, in order, as soon as the service has accepted or rejected it. */
  readonly onResults?: (results: readonly AppliedAddition[]) => void;
}

type AdditionMonitor = Pick<Monitor, 'addAll' | 'getState' | 'refresh' | 'subscribe' | 'together'>;

export type ApplyAdditions = (
  parcels: readonly NewParcel[],
  options: Pick<ApplyOptions, 'onProgress' | 'onResults' | 'signal'>,
) => Promise<AppliedAdditions>;

/** Longest single pause that we wait for. */
const maxPauseMs = 60_000;
/** Longest total wait without progress. */
const maxStalledMs = 180_000;
/** Longest total pause for checks. It is shorter, because registered numbers can also be checked later. */
const maxCheckPauseMs = 5_000;
/** The default pause if the service does not request one. Its limits are per second. */
const defaultPauseMs = 1_100;

/**
 * Adds and registers parcels as one undo step. Waits if the service asks for a short pause. Service and store errors are
 * part of the result.
 */
export async function applyAdditions(
  monitor: AdditionMonitor,
  parcels: readonly NewParcel[],
  options: ApplyOptions,
): Promise<AppliedAdditions> {
  const { checks, registers, batchSize, signal } = options;
  const run = new AdditionRun(monitor, parcels.length, options);
  let failure: AppliedAdditions['failure'] = null;
  const captureFailure = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof StoreError)) throw error;
      failure = error;
    }
  };
  await monitor.together(async () => {
    const batches = splitIntoBatches(parcels, batchSize ?? Math.max(1, parcels.length));
    const newIds: string[] = [];
    for (const [index, batch] of batches.entries()) {
      if (signal.aborted) failure ??= new CancelledError('Adding was cancelled.');
      if (signal.aborted || failure instanceof StoreError) break;
      await captureFailure(async () => void newIds.push(...run.addOutcomes(await monitor.addAll(batch))));
      if (!registers || newIds.length === 0 || failure !== null) continue;
      await captureFailure(() => run.register(newIds, !checks || index < batches.length - 1));
    }
  });
  return { ...run.finish(), failure };
}

class AdditionRun {
  readonly #monitor: AdditionMonitor;
  readonly #options: ApplyOptions;
  readonly #total: number;
  readonly #outcomes: AddedParcel[] = [];
  #reported = 0;
  #lastProgress: AdditionProgress | null = null;

  constructor(monitor: AdditionMonitor, total: number, options: ApplyOptions) {
    this.#monitor = monitor;
    this.#total = total;
    this.#options = options;
  }

  addOutcomes(outcomes: readonly AddedParcel[]): readonly string[] {
    this.#outcomes.push(...outcomes);
    const unregistered = outcomes.filter(
      ({ parcel }) => parcel.archivedAt === null && parcel.registration !== 'registered',
    );
    return [...new Set(unregistered.map(({ parcel }) => parcel.id))];
  }

  /** Registers parcels, and checks them unless `registersOnly`. Reports the progress, and retries after short pauses. */
  async register(ids: readonly string[], registersOnly: boolean): Promise<void> {
    let lastParcels: readonly Parcel[] | null = null;
    const update = (): void => {
      const { parcels } = this.#monitor.getState();
      if (parcels === lastParcels) return;
      lastParcels = parcels;
      this.#reportProgress(new Map(parcels.map((parcel) => [parcel.id, parcel])), new Set(ids));
    };
    update();
    const unsubscribe = this.#monitor.subscribe(update);
    await this.#refreshAfterPauses(ids, registersOnly).finally(unsubscribe);
  }

  async #refreshAfterPauses(ids: readonly string[], registersOnly: boolean): Promise<void> {
    let remaining = ids;
    let stalledMs = 0;
    let checkPausesMs = 0;
    for (;;) {
      try {
        const { failure } = await this.#monitor.refresh(remaining, { registersOnly, signal: this.#options.signal });
        if (failure === null) return;
        throw failure;
      } catch (error) {
        const pauseMs = error instanceof RateLimitedError ? Math.max(defaultPauseMs, error.retryAfterMs ?? 0) : null;
        if (pauseMs === null || pauseMs > maxPauseMs) throw error;
        const unfinished = this.#unfinished(ids, registersOnly);
        stalledMs = pauseMs + (unfinished.length < remaining.length ? 0 : stalledMs);
        if (stalledMs > maxStalledMs || unfinished.length === 0) throw error;
        if (this.#unfinished(ids, true).length === 0) {
          checkPausesMs += pauseMs;
          if (checkPausesMs > maxCheckPauseMs) throw error;
        }
        remaining = unfinished;
        await this.#pause(pauseMs);
      }
    }
  }

  async #pause(pauseMs: number): Promise<void> {
    const { clock, onProgress, signal } = this.#options;
    const until = clock.now() + pauseMs;
    const total = Math.ceil(pauseMs / secondMs);
    // Timers may fire early, and the clock may be set back.
    for (let remainingMs = pauseMs; remainingMs > 0 && remainingMs <= pauseMs; remainingMs = until - clock.now()) {
      onProgress?.({ phase: 'waiting', done: total - Math.ceil(remainingMs / secondMs), total });
      if (!(await sleep(clock, Math.min(remainingMs, secondMs), signal)))
        throw new CancelledError('Adding was cancelled.');
    }
    this.#lastProgress = null;
  }

  #unfinished(ids: readonly string[], registersOnly: boolean): readonly string[] {
    const parcelsById = this.#currentParcels();
    return ids.filter((id) => {
      const parcel = parcelsById.get(id);
      if (parcel === undefined || parcel.archivedAt !== null || parcel.registration === 'rejected') return false;
      return !isSettled(parcel) || (!registersOnly && parcel.checkedAt === null);
    });
  }

  finish(): Pick<AppliedAdditions, 'results' | 'remaining'> {
    const parcelsById = this.#currentParcels();
    this.#report(this.#outcomes.length, parcelsById);
    const results = this.#results(0, this.#outcomes.length, parcelsById);
    const remaining = Array.from({ length: this.#total - results.length }, (_, index) => results.length + index);
    return { results, remaining };
  }

  #currentParcels(): ReadonlyMap<string, Parcel> {
    return new Map(this.#monitor.getState().parcels.map((parcel) => [parcel.id, parcel]));
  }

  #reportProgress(parcelsById: ReadonlyMap<string, Parcel>, ids: ReadonlySet<string>): void {
    const reportedBefore = this.#reported;
    const firstOpen = this.#results(reportedBefore, this.#outcomes.length, parcelsById).find(
      ({ parcel }) => ids.has(parcel.id) && !isSettled(parcel),
    );
    this.#report(firstOpen?.index ?? this.#outcomes.length, parcelsById);
    const parcels = [...ids].flatMap((id) => parcelsById.get(id) ?? []);
    const waiting = parcels.filter((parcel) => !isSettled(parcel)).length;
    const registered = parcels.filter(({ registration }) => registration === 'registered');
    if (waiting > 0) this.#showProgress('registering', this.#outcomes.length - waiting, this.#total);
    else if (registered.length > 0)
      this.#showProgress(
        'checking',
        registered.filter(({ checkedAt }) => checkedAt !== null).length,
        registered.length,
      );
    else if (this.#reported > reportedBefore) this.#showProgress('registering', this.#outcomes.length, this.#total);
  }

  #showProgress(phase: AdditionProgress['phase'], done: number, total: number): void {
    const last = this.#lastProgress;
    if (phase === last?.phase && done === last.done) return;
    this.#lastProgress = { phase, done, total };
    this.#options.onProgress?.(this.#lastProgress);
  }

  #report(end: number, parcelsById: ReadonlyMap<string, Parcel>): void {
    const results = this.#results(this.#reported, end, parcelsById);
    this.#reported = end;
    if (results.length > 0) this.#options.onResults?.(results);
  }

  #results(start: number, end: number, parcelsById: ReadonlyMap<string, Parcel>): readonly AppliedAddition[] {
    return this.#outcomes.slice(start, end).map(({ kind, parcel }, index) => ({
      index: start + index,
      kind,
      // A parcel that was removed in the meantime keeps its last state.
      parcel: parcelsById.get(parcel.id) ?? parcel,
    }));
  }
}

const isSettled = ({ archivedAt, registration }: Parcel): boolean => archivedAt !== null || registration !== 'pending';
