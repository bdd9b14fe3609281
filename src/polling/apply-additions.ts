import { type Clock, secondMs, sleep } from '../lib/clock.ts';
import { StoreError } from '../lib/store-errors.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import type { AddedParcel } from '../parcels/parcel-list.ts';
import { CancelledError, RateLimitedError, ServiceError } from '../service/port.ts';
import { splitIntoBatches } from '../store/store.ts';
import type { Monitor } from './monitor.ts';

export interface AdditionProgress {
  /** Determines what is counted: registered or rejected numbers, checked numbers, or seconds of a requested pause. */
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
   * How many numbers to save and register at a time. With a small number, less has been paid for when the user cancels.
   * Null saves all numbers first, so that none is lost.
   */
  readonly savedTogether: number | null;
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

/** Longest pause to wait for, and longest total wait without progress, in milliseconds. */
const maxPauseMs = 60_000;
const maxStalledMs = 180_000;
/** Longest total pause for checks: shorter, because registered numbers can be checked later. */
const maxCheckPauseMs = 5_000;
/** The pause if the service does not name one. Its limits are per second. */
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
  const { checks, registers, savedTogether, signal } = options;
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
    const batches = splitIntoBatches(parcels, savedTogether ?? Math.max(1, parcels.length));
    const fresh: string[] = [];
    for (const [index, batch] of batches.entries()) {
      if (signal.aborted) failure ??= new CancelledError('Adding was cancelled.');
      if (signal.aborted || failure instanceof StoreError) break;
      await captureFailure(async () => void fresh.push(...run.take(await monitor.addAll(batch))));
      if (!registers || fresh.length === 0 || failure !== null) continue;
      await captureFailure(() => run.register(fresh, !checks || index < batches.length - 1));
    }
  });
  return { ...run.end(), failure };
}

class AdditionRun {
  readonly #monitor: AdditionMonitor;
  readonly #options: ApplyOptions;
  readonly #total: number;
  readonly #outcomes: AddedParcel[] = [];
  #reported = 0;
  #shown: AdditionProgress | null = null;

  constructor(monitor: AdditionMonitor, total: number, options: ApplyOptions) {
    this.#monitor = monitor;
    this.#total = total;
    this.#options = options;
  }

  take(outcomes: readonly AddedParcel[]): readonly string[] {
    this.#outcomes.push(...outcomes);
    const unregistered = outcomes.filter(
      ({ parcel }) => parcel.archivedAt === null && parcel.registration !== 'registered',
    );
    return [...new Set(unregistered.map(({ parcel }) => parcel.id))];
  }

  /** Registers parcels, and checks them unless `registersOnly`. Reports the progress, and retries after short pauses. */
  async register(ids: readonly string[], registersOnly: boolean): Promise<void> {
    let seen: readonly Parcel[] | null = null;
    const update = (): void => {
      const { parcels } = this.#monitor.getState();
      if (parcels === seen) return;
      seen = parcels;
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
        const rest = this.#unfinished(ids, registersOnly);
        stalledMs = pauseMs + (rest.length < remaining.length ? 0 : stalledMs);
        if (stalledMs > maxStalledMs || rest.length === 0) throw error;
        if (this.#unfinished(ids, true).length === 0) {
          checkPausesMs += pauseMs;
          if (checkPausesMs > maxCheckPauseMs) throw error;
        }
        remaining = rest;
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
    this.#shown = null;
  }

  #unfinished(ids: readonly string[], registersOnly: boolean): readonly string[] {
    const now = this.#parcelsNow();
    return ids.filter((id) => {
      const parcel = now.get(id);
      if (parcel === undefined || parcel.archivedAt !== null || parcel.registration === 'rejected') return false;
      return !isSettled(parcel) || (!registersOnly && parcel.checkedAt === null);
    });
  }

  end(): Pick<AppliedAdditions, 'results' | 'remaining'> {
    const now = this.#parcelsNow();
    this.#report(this.#outcomes.length, now);
    const results = this.#resultsOf(0, this.#outcomes.length, now);
    const remaining = Array.from({ length: this.#total - results.length }, (_, index) => results.length + index);
    return { results, remaining };
  }

  #parcelsNow(): ReadonlyMap<string, Parcel> {
    return new Map(this.#monitor.getState().parcels.map((parcel) => [parcel.id, parcel]));
  }

  #reportProgress(now: ReadonlyMap<string, Parcel>, fresh: ReadonlySet<string>): void {
    const before = this.#reported;
    const open = this.#resultsOf(before, this.#outcomes.length, now).find(
      ({ parcel }) => fresh.has(parcel.id) && !isSettled(parcel),
    );
    this.#report(open?.index ?? this.#outcomes.length, now);
    const parcels = [...fresh].flatMap((id) => now.get(id) ?? []);
    const waiting = parcels.filter((parcel) => !isSettled(parcel)).length;
    const registered = parcels.filter(({ registration }) => registration === 'registered');
    if (waiting > 0) this.#progress('registering', this.#outcomes.length - waiting, this.#total);
    else if (registered.length > 0)
      this.#progress('checking', registered.filter(({ checkedAt }) => checkedAt !== null).length, registered.length);
    else if (this.#reported > before) this.#progress('registering', this.#outcomes.length, this.#total);
  }

  #progress(phase: AdditionProgress['phase'], done: number, total: number): void {
    const { done: before, phase: earlier } = this.#shown ?? {};
    if (phase === earlier && done === before) return;
    this.#shown = { phase, done, total };
    this.#options.onProgress?.(this.#shown);
  }

  #report(end: number, now: ReadonlyMap<string, Parcel>): void {
    const results = this.#resultsOf(this.#reported, end, now);
    this.#reported = end;
    if (results.length > 0) this.#options.onResults?.(results);
  }

  #resultsOf(start: number, end: number, now: ReadonlyMap<string, Parcel>): readonly AppliedAddition[] {
    return this.#outcomes.slice(start, end).map(({ kind, parcel }, index) => ({
      index: start + index,
      kind,
      // A parcel that was removed in the meantime keeps its last state.
      parcel: now.get(parcel.id) ?? parcel,
    }));
  }
}

const isSettled = ({ archivedAt, registration }: Parcel): boolean => archivedAt !== null || registration !== 'pending';
