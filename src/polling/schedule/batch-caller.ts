import { messageOf } from '../../lib/error-text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { isWaitingForCredit } from '../../parcels/parcel-state.ts';
import { ServiceError, ServiceTroubleError } from '../../service/port.ts';
import type { Usage } from '../../store/usage-meter.ts';
import { BudgetSpentError, describeShortages } from '../gate/budget.ts';
import { type CallOrigin, HeldBackError, isOutOfCredit } from '../gate/call-rules.ts';
import type { MonitorCore } from '../monitor-core.ts';
import type { ResponseRecorder, SentCall } from '../response-recorder.ts';
import type { AnsweredParcels, RefreshOutcome } from '../state.ts';
import { CulpritSearch, isSuspect, type LastSearch, mayHaveCulprit, shouldSearch } from './culprit-search.ts';

const maxSearchCalls = 32;

interface BatchCall<Result> {
  readonly operation: 'register' | 'query';
  readonly batchLimit: number;
  readonly send: (batch: readonly Parcel[], signal: AbortSignal) => Promise<Result>;
  readonly record: (batch: readonly Parcel[], response: Result, sending: SentCall) => Promise<AnsweredParcels>;
  readonly usageOf: (response: Result, numbers: number) => Usage;
}

interface SearchableCall<Result> extends BatchCall<Result> {
  /** How many calls may still be made to find the numbers that make batches fail. */
  searchCallsLeft: number;
}

export interface CheckRun {
  readonly origin: CallOrigin;
  readonly signal: AbortSignal;
  readonly beyondBudget: boolean;
  /** How many numbers are on hold because the budget did not cover them. */
  readonly heldBack: Map<'register' | 'query', number>;
  readonly outcomes: AnsweredParcels[];
  readonly failures: ServiceError[];
}

interface SendResult {
  readonly batch: readonly Parcel[];
  readonly error: ServiceError | null;
}

export class BatchCaller {
  readonly #core: MonitorCore;
  readonly #recorder: ResponseRecorder;
  readonly #lastSearches = new Map<'register' | 'query', LastSearch>();

  constructor(core: MonitorCore, recorder: ResponseRecorder) {
    this.#core = core;
    this.#recorder = recorder;
  }

  /**
   * Calls the service for all parcels, in batches. Parcels that caused a batch to fail before are sent
   * individually, after the others. Throws the `ServiceError` of the first failed call.
   */
  async callAll<Result>(parcels: readonly Parcel[], batchCall: BatchCall<Result>, run: CheckRun): Promise<void> {
    const call: SearchableCall<Result> = { ...batchCall, searchCallsLeft: maxSearchCalls };
    const suspects = parcels.filter(isSuspect);
    const others = suspects.length === 0 ? parcels : parcels.filter((parcel) => !isSuspect(parcel));
    const sizes = new BatchSizes(call.batchLimit, call.operation === 'register' && others.some(isWaitingForCredit));
    let refusal: ServiceError | null = null;
    let remaining = others;
    while (remaining.length > 0 && sizes.next() > 0) {
      const batch = remaining.slice(0, sizes.next());
      try {
        await this.#callBatch(this.#reload(batch), call, run);
        remaining = remaining.slice(batch.length);
        sizes.recordAccepted(batch.length);
      } catch (error) {
        if (!(error instanceof ServiceError) || !isOutOfCredit(error, call.operation)) throw error;
        refusal = error;
        // The service may have registered part of the batch before it refused.
        const isPending = ({ id }: Parcel): boolean => this.#core.log.find(id)?.registration === 'pending';
        sizes.recordRefused(batch.filter(isPending).length);
        remaining = remaining.filter(isPending);
      }
    }
    if (refusal !== null && remaining.length > 0) await this.#endWithoutCredit(refusal, [...remaining, ...suspects]);
    for (const [at, suspect] of suspects.entries()) {
      try {
        await this.#callBatch(this.#reload([suspect]), call, run);
      } catch (error) {
        if (!(error instanceof ServiceError) || !isOutOfCredit(error, call.operation)) throw error;
        await this.#endWithoutCredit(error, suspects.slice(at));
      }
    }
  }

  /** Marks parcels as waiting for credit and throws the service's refusal. */
  async #endWithoutCredit(refusal: ServiceError, waiting: readonly Parcel[]): Promise<never> {
    await this.recordFailure(refusal, 'register');
    const retryAt = this.#core.gate.coolDown('register')?.until ?? this.#core.clock.now();
    await this.#recorder.recordNoCredit(waiting, refusal, retryAt);
    throw refusal;
  }

  summarise({ failures, heldBack, outcomes }: CheckRun): RefreshOutcome {
    const shortages = [...heldBack].map(([operation, count]) =>
      this.#core.gate.budget.shortage(operation, count === 1 ? '1 number waits' : `${count} numbers wait`),
    );
    const budget = shortages.length === 0 ? null : new BudgetSpentError(describeShortages(shortages));
    const collect = (name: keyof AnsweredParcels) => [...new Set(outcomes.flatMap((outcome) => outcome[name]))];
    const failure = failures[0] ?? budget;
    return { answered: collect('answered'), changed: collect('changed'), rejected: collect('rejected'), failure };
  }

  async recordFailure(error: ServiceError, operation: 'register' | 'query'): Promise<void> {
    if (error.kind === 'cancelled') return;
    const { kind, message, code, traceId } = error;
    // Missing credit is shown by `showBudgetPause`, with the parcels that wait for it.
    const problem = isOutOfCredit(error, operation) ? null : { kind, message, code, traceId };
    this.#core.showServiceProblem(
      problem !== null && operation === 'register' ? { ...problem, isRegistering: true } : problem,
      operation,
    );
    await this.#core.gate.backOff(error, operation);
  }

  #reload(batch: readonly Parcel[]): readonly Parcel[] {
    return batch.flatMap(({ id }) => this.#core.log.find(id) ?? []);
  }

  async #callBatch<Result>(parcels: readonly Parcel[], call: SearchableCall<Result>, run: CheckRun): Promise<void> {
    if (parcels.length === 0) return;
    const { batch, error } = await this.#send(parcels, call, run);
    if (error !== null) await this.#afterFailure(batch, error, call, run);
    // Rejected numbers give their share of the budget back, so it can cover others.
    const isPartial = batch.length > 0 && batch.length < parcels.length;
    if (isPartial) await this.#callBatch(parcels.slice(batch.length), call, run);
  }

  async #send<Result>(parcels: readonly Parcel[], call: BatchCall<Result>, run: CheckRun): Promise<SendResult> {
    const { operation } = call;
    const { beyondBudget, heldBack, origin, signal } = run;
    const holdBack = (): SendResult => {
      heldBack.set(operation, (heldBack.get(operation) ?? 0) + parcels.length);
      return { batch: [], error: null };
    };
    if (heldBack.has(operation)) return holdBack();
    let batch: readonly Parcel[] = [];
    let sentAt = this.#core.clock.now();
    const fence = origin === 'poll' ? this.#core.gate.lease.fence() : null;
    const send = async (numbers: number): Promise<Result> => {
      batch = parcels.slice(0, numbers);
      sentAt = this.#core.clock.now();
      // Send immediately, before this process can be suspended and lose the lease.
      const response = call.send(batch, signal);
      this.#core.changePolling({ callsSent: this.#core.state.get().polling.callsSent + 1 });
      return await response;
    };
    const usageOf = (response: Result): Usage => call.usageOf(response, batch.length);
    let response: Result;
    try {
      const numbers = parcels.length;
      response = await this.#core.gate.call({ operation, origin, numbers, beyondBudget, signal, send, usageOf });
    } catch (thrown) {
      if (thrown instanceof BudgetSpentError) return holdBack();
      if (batch.length === 0) throw thrown;
      // If the machine slept during the call, the failure says nothing about the service, and another process is polling by now.
      if (origin === 'poll' && !this.#core.gate.lease.isHeld()) throw new HeldBackError('lease');
      return { batch, error: toServiceError(thrown) };
    }
    this.#core.changePolling({ lastResponseAt: this.#core.clock.now() });
    this.#core.showServiceProblem(null, operation);
    run.outcomes.push(await call.record(batch, response, { sentAt, fence }));
    return { batch, error: null };
  }

  async #afterFailure<Result>(
    batch: readonly Parcel[],
    error: ServiceError,
    call: SearchableCall<Result>,
    run: CheckRun,
  ): Promise<void> {
    const [only] = batch;
    const isAlone = batch.length === 1 && only !== undefined;
    if (isAlone && mayHaveCulprit(error) && (isSuspect(only) || error.kind === 'request-refused')) {
      run.outcomes.push(await this.#recorder.recordRefusal(only, error));
      return;
    }
    const attempt = this.#core.gate.consecutiveFailures(call.operation) + 1;
    const lastSearch = this.#lastSearches.get(call.operation) ?? null;
    const isSearching = shouldSearch({ batch, error, origin: run.origin, attempt, lastSearch });
    if (isSearching) this.#lastSearches.set(call.operation, { attempt, size: batch.length });
    const failure = isSearching ? await this.#search(batch, error, call, run) : error;
    if (failure === null) return;
    if (!isOutOfCredit(failure, call.operation)) await this.recordFailure(failure, call.operation);
    throw failure;
  }

  async #search<Result>(
    batch: readonly Parcel[],
    error: ServiceError,
    call: SearchableCall<Result>,
    run: CheckRun,
  ): Promise<ServiceError | null> {
    const search = new CulpritSearch(batch, error);
    for (let part = search.next(); part !== null; part = search.next()) {
      if (call.searchCallsLeft === 0) search.end();
      else {
        call.searchCallsLeft -= 1;
        const sent = await this.#send(part, call, run);
        // The budget ran out.
        if (sent.batch.length === 0) break;
        if (sent.error !== null && !mayHaveCulprit(sent.error)) search.end(sent.error);
        else search.record(sent.batch, sent.error);
      }
    }
    for (const [culprit, refusal] of search.culprits) {
      run.outcomes.push(await this.#recorder.recordRefusal(culprit, refusal));
    }
    return search.failure;
  }
}

/** Finds the remaining credit by halving, because the service refuses a whole batch if the credit does not cover it. */
class BatchSizes {
  readonly #limit: number;
  #size: number;
  #creditLeft: number | null = null;

  constructor(limit: number, startsSmall: boolean) {
    this.#limit = Math.max(1, Math.floor(limit));
    this.#size = startsSmall ? 1 : this.#limit;
  }

  /** Returns 0 when there is no credit left. */
  next(): number {
    return this.#creditLeft === null ? this.#size : Math.min(this.#limit, Math.ceil(this.#creditLeft / 2));
  }

  recordAccepted(numbers: number): void {
    if (this.#creditLeft !== null) this.#creditLeft = Math.max(0, this.#creditLeft - numbers);
    this.#size = Math.min(this.#limit, this.#size * 2);
  }

  recordRefused(numbers: number): void {
    this.#creditLeft = numbers - 1;
  }
}

/** Wraps a bug in our code, so that it neither ends polling nor repeats without a pause. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return new ServiceTroubleError(`The check failed unexpectedly (${messageOf(thrown)}) and will be retried later.`, {
    cause: thrown,
  });
}
