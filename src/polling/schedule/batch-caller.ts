import { messageOf } from '../../lib/error-text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { isWaitingForCredit } from '../../parcels/parcel-stage.ts';
import { ServiceError, ServiceTroubleError } from '../../service/port.ts';
import type { Usage } from '../../store/usage.ts';
import { BudgetSpentError, inTwoSentences } from '../gate/budget.ts';
import { type CallOrigin, HeldBackError, isWithoutCredit } from '../gate/call-rules.ts';
import type { MonitorCore } from '../monitor-core.ts';
import type { ResponseRecorder, SentCall } from '../response-recorder.ts';
import type { AnsweredParcels, RefreshOutcome } from '../state.ts';
import { CulpritSearch, isSuspect, type LastSearch, mayBeOneCulprit, shouldSearch } from './culprit-search.ts';

const maxSearchCalls = 32;

interface BatchCall<Answer> {
  readonly operation: 'register' | 'query';
  readonly batchLimit: number;
  readonly send: (batch: readonly Parcel[], signal: AbortSignal) => Promise<Answer>;
  readonly record: (batch: readonly Parcel[], response: Answer, sending: SentCall) => Promise<AnsweredParcels>;
  readonly usageOf: (response: Answer, numbers: number) => Usage;
}

interface CountedCall<Answer> extends BatchCall<Answer> {
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
  readonly #searched = new Map<'register' | 'query', LastSearch>();

  constructor(core: MonitorCore, recorder: ResponseRecorder) {
    this.#core = core;
    this.#recorder = recorder;
  }

  /**
   * Calls the service for all parcels, in batches. Parcels that made a batch fail before are sent alone, after the
   * others. Throws the `ServiceError` of the first failed call.
   */
  async callAll<Answer>(parcels: readonly Parcel[], batchCall: BatchCall<Answer>, run: CheckRun): Promise<void> {
    const call: CountedCall<Answer> = { ...batchCall, searchCallsLeft: maxSearchCalls };
    const suspects = parcels.filter(isSuspect);
    const others = suspects.length === 0 ? parcels : parcels.filter((parcel) => !isSuspect(parcel));
    const sizes = new BatchSizes(call.batchLimit, call.operation === 'register' && others.some(isWaitingForCredit));
    let refusal: ServiceError | null = null;
    let rest = others;
    while (rest.length > 0 && sizes.next() > 0) {
      const batch = rest.slice(0, sizes.next());
      try {
        await this.#callBatch(this.#newest(batch), call, run);
        rest = rest.slice(batch.length);
        sizes.taken(batch.length);
      } catch (error) {
        if (!(error instanceof ServiceError) || !isWithoutCredit(error, call.operation)) throw error;
        refusal = error;
        // The service may have registered part of the batch before it refused.
        const isLeft = ({ id }: Parcel): boolean => this.#core.log.find(id)?.registration === 'pending';
        sizes.refused(batch.filter(isLeft).length);
        rest = rest.filter(isLeft);
      }
    }
    if (refusal !== null && rest.length > 0) await this.#endWithoutCredit(refusal, [...rest, ...suspects]);
    for (const [at, suspect] of suspects.entries()) {
      try {
        await this.#callBatch(this.#newest([suspect]), call, run);
      } catch (error) {
        if (!(error instanceof ServiceError) || !isWithoutCredit(error, call.operation)) throw error;
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

  settle({ failures, heldBack, outcomes }: CheckRun): RefreshOutcome {
    const shortages = [...heldBack].map(([operation, count]) =>
      this.#core.gate.budget.spent(operation, count === 1 ? '1 number waits' : `${count} numbers wait`),
    );
    const budget = shortages.length === 0 ? null : new BudgetSpentError(inTwoSentences(shortages));
    const all = (name: keyof AnsweredParcels) => [...new Set(outcomes.flatMap((outcome) => outcome[name]))];
    const failure = failures[0] ?? budget;
    return { answered: all('answered'), changed: all('changed'), rejected: all('rejected'), failure };
  }

  async recordFailure(error: ServiceError, operation: 'register' | 'query'): Promise<void> {
    if (error.kind === 'cancelled') return;
    const { kind, message, code, traceId } = error;
    // Missing credit is shown by `showBudgetPause`, with the parcels that wait for it.
    const problem = isWithoutCredit(error, operation) ? null : { kind, message, code, traceId };
    this.#core.showServiceProblem(
      problem !== null && operation === 'register' ? { ...problem, isRegistering: true } : problem,
      operation,
    );
    await this.#core.gate.backOff(error, operation);
  }

  #newest(batch: readonly Parcel[]): readonly Parcel[] {
    return batch.flatMap(({ id }) => this.#core.log.find(id) ?? []);
  }

  async #callBatch<Answer>(parcels: readonly Parcel[], call: CountedCall<Answer>, run: CheckRun): Promise<void> {
    if (parcels.length === 0) return;
    const { batch, error } = await this.#send(parcels, call, run);
    if (error !== null) await this.#afterFailure(batch, error, call, run);
    // The budget of rejected numbers is returned, so it can cover others.
    const isPartial = batch.length > 0 && batch.length < parcels.length;
    if (isPartial) await this.#callBatch(parcels.slice(batch.length), call, run);
  }

  async #send<Answer>(parcels: readonly Parcel[], call: BatchCall<Answer>, run: CheckRun): Promise<SendResult> {
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
    const send = async (numbers: number): Promise<Answer> => {
      batch = parcels.slice(0, numbers);
      sentAt = this.#core.clock.now();
      // Send without any delay, in which this process could be suspended and lose the lease.
      const response = call.send(batch, signal);
      this.#core.changePolling({ callsSent: this.#core.state.get().polling.callsSent + 1 });
      return await response;
    };
    const usageOf = (response: Answer): Usage => call.usageOf(response, batch.length);
    let response: Answer;
    try {
      const numbers = parcels.length;
      response = await this.#core.gate.call({ operation, origin, numbers, beyondBudget, signal, send, usageOf });
    } catch (thrown) {
      if (thrown instanceof BudgetSpentError) return holdBack();
      if (batch.length === 0) throw thrown;
      // The machine was asleep during the call: the failure says nothing about the service, and another process polls now.
      if (origin === 'poll' && !this.#core.gate.lease.isHeld()) throw new HeldBackError('lease');
      return { batch, error: toServiceError(thrown) };
    }
    this.#core.changePolling({ lastResponseAt: this.#core.clock.now() });
    this.#core.showServiceProblem(null, operation);
    run.outcomes.push(await call.record(batch, response, { sentAt, fence }));
    return { batch, error: null };
  }

  async #afterFailure<Answer>(
    batch: readonly Parcel[],
    error: ServiceError,
    call: CountedCall<Answer>,
    run: CheckRun,
  ): Promise<void> {
    const [only] = batch;
    const isAlone = batch.length === 1 && only !== undefined;
    if (isAlone && mayBeOneCulprit(error) && (isSuspect(only) || error.kind === 'request-refused')) {
      run.outcomes.push(await this.#recorder.recordRefusal(only, error));
      return;
    }
    const attempt = this.#core.gate.failuresInRow(call.operation) + 1;
    const searched = this.#searched.get(call.operation) ?? null;
    const isSearched = shouldSearch({ batch, error, origin: run.origin, attempt, searched });
    if (isSearched) this.#searched.set(call.operation, { attempt, size: batch.length });
    const failure = isSearched ? await this.#search(batch, error, call, run) : error;
    if (failure === null) return;
    if (!isWithoutCredit(failure, call.operation)) await this.recordFailure(failure, call.operation);
    throw failure;
  }

  async #search<Answer>(
    batch: readonly Parcel[],
    error: ServiceError,
    call: CountedCall<Answer>,
    run: CheckRun,
  ): Promise<ServiceError | null> {
    const search = new CulpritSearch(batch, error);
    for (let part = search.next(); part !== null; part = search.next()) {
      if (call.searchCallsLeft === 0) search.end();
      else {
        call.searchCallsLeft -= 1;
        const sent = await this.#send(part, call, run);
        // The budget has run out.
        if (sent.batch.length === 0) break;
        if (sent.error !== null && !mayBeOneCulprit(sent.error)) search.end(sent.error);
        else search.note(sent.batch, sent.error);
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

  taken(numbers: number): void {
    if (this.#creditLeft !== null) this.#creditLeft = Math.max(0, this.#creditLeft - numbers);
    this.#size = Math.min(this.#limit, this.#size * 2);
  }

  refused(numbers: number): void {
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
