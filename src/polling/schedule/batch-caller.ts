import { ServiceError, ServiceTroubleError } from '../../service/failures/errors.ts';
import { messageOf } from '../../service/failures/thrown.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Usage } from '../../watchlist/state/usage.ts';
import { inBatches } from '../../watchlist/store/in-batches.ts';
import type { AnswerRecorder, Sending } from '../answers/answer-recorder.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { RefreshOutcome } from '../core/state.ts';
import { BudgetSpentError } from '../gate/budget.ts';
import { mayBeOneCulprit } from '../gate/cool-down.ts';
import type { CallOrigin } from '../gate/rules.ts';

/** Most extra calls of one run that search for the number because of which a batch is refused. */
const mostSplits = 16;

/** A call about a batch of parcels, and what is done with its answer. */
export interface BatchCall<Answer> {
  readonly operation: 'register' | 'query';
  readonly batchLimit: number;
  readonly send: (batch: readonly Parcel[], signal: AbortSignal) => Promise<Answer>;
  readonly record: (batch: readonly Parcel[], answer: Answer, sending: Sending) => Promise<RefreshOutcome>;
  /** What an answer about so many parcels has cost. */
  readonly usageOf: (answer: Answer, numbers: number) => Usage;
}

/** What holds for all calls of one check of some parcels. */
export interface CheckRun {
  readonly origin: CallOrigin;
  readonly signal: AbortSignal;
  readonly beyondBudget: boolean;
  /** How many numbers were left out because the budget does not cover them; the caller adds to it. */
  readonly heldBack: Map<'register' | 'query', number>;
  /** What came of each call; the caller adds to it. */
  readonly outcomes: RefreshOutcome[];
}

/** A refresh of which the user's own budget covered a part, or nothing. */
export class PartialRefreshError extends BudgetSpentError {
  /** What came of the calls that the budget did cover. */
  readonly outcome: RefreshOutcome;

  constructor(message: string, outcome: RefreshOutcome) {
    super(message);
    this.outcome = outcome;
  }
}

/** Calls in batches: within the budget, and halved where one number spoils a batch for all. */
export class BatchCaller {
  readonly #core: MonitorCore;
  readonly #recorder: AnswerRecorder;

  constructor(core: MonitorCore, recorder: AnswerRecorder) {
    this.#core = core;
    this.#recorder = recorder;
  }

  /**
   * Checks these parcels in as few calls as they fit into, as far as the budget goes. Rejects with the `ServiceError`
   * of the first call that fails, and with a `StoreError` when what is held of a parcel does not suffice and cannot be read.
   */
  async callAll<Answer>(parcels: readonly Parcel[], call: BatchCall<Answer>, run: CheckRun): Promise<void> {
    const splits = { left: mostSplits };
    for (const batch of inBatches(parcels, call.batchLimit)) {
      // A call at a time: what is due may be most of a long list, of which only a part of each parcel is held.
      const whole = await this.#core.log.whole(batch.map(({ id }) => id));
      if (whole.length > 0) await this.#callBatch(whole, call, run, splits);
    }
  }

  /** Answers what came of a run; throws a {@link PartialRefreshError} with it where the budget held something back. */
  settle({ heldBack, outcomes }: CheckRun): RefreshOutcome {
    const outcome = joinedOutcome(outcomes);
    if (heldBack.size === 0) return outcome;
    const sentences = [...heldBack].map(([operation, count]) => {
      const numbers = count === 1 ? '1 number waits' : `${count} numbers wait`;
      return `${this.#core.gate.budget.explain(operation)} Until then ${numbers}.`;
    });
    throw new PartialRefreshError(sentences.join(' '), outcome);
  }

  /** Takes note of a failure that concerns all calls: shows it, and begins the back-off. */
  async recordFailure(error: ServiceError): Promise<void> {
    if (error.kind === 'cancelled') return;
    const { kind, message, code, traceId } = error;
    this.#core.showServiceProblem({ kind, message, code, traceId });
    await this.#core.gate.backOff(error);
  }

  /** One call, or none or several where the budget does not cover the whole batch or one number spoils it. */
  async #callBatch<Answer>(
    wanted: readonly Parcel[],
    call: BatchCall<Answer>,
    run: CheckRun,
    splits: { left: number },
  ): Promise<void> {
    const { operation } = call;
    const { beyondBudget, heldBack, origin, signal } = run;
    const holdBack = (): void => {
      heldBack.set(operation, (heldBack.get(operation) ?? 0) + wanted.length);
    };
    if (heldBack.has(operation)) return holdBack();
    let sent: readonly Parcel[] = [];
    let sentAt = this.#core.clock.now();
    const fence = origin === 'poll' ? this.#core.gate.lease.fence() : null;
    const send = async (numbers: number): Promise<Answer> => {
      sent = wanted.slice(0, numbers);
      sentAt = this.#core.clock.now();
      // At once: a process that is stopped between the gate's look at the lease and this would call when it goes on.
      const answer = call.send(sent, signal);
      this.#core.changePolling({ callsSent: this.#core.state.get().polling.callsSent + 1 });
      return await answer;
    };
    const usageOf = (answer: Answer): Usage => call.usageOf(answer, sent.length);
    let result: { readonly answer: Answer } | { readonly error: ServiceError };
    try {
      const numbers = wanted.length;
      result = {
        answer: await this.#core.gate.call({ operation, origin, numbers, beyondBudget, signal, send, usageOf }),
      };
    } catch (thrown) {
      if (thrown instanceof BudgetSpentError) return holdBack();
      if (sent.length === 0) throw thrown;
      result = { error: toServiceError(thrown) };
    }
    if ('error' in result) {
      await this.#split(sent, result.error, call, run, splits);
    } else {
      this.#core.changePolling({ lastAnswerAt: this.#core.clock.now() });
      this.#core.showServiceProblem(null);
      run.outcomes.push(await call.record(sent, result.answer, { sentAt, fence }));
    }
    // What the service rejects is given back, and covers others.
    if (sent.length < wanted.length) await this.#callBatch(wanted.slice(sent.length), call, run, splits);
  }

  /** A batch that is refused because of what is in it is halved until the culprit stands alone. */
  async #split<Answer>(
    batch: readonly Parcel[],
    error: ServiceError,
    call: BatchCall<Answer>,
    run: CheckRun,
    splits: { left: number },
  ): Promise<void> {
    const [only] = batch;
    // Only the service can reject a number; an answer that cannot be read says nothing about it.
    const isVerdict = call.operation === 'query' || error.kind === 'request-refused';
    const canSplit = batch.length > 1 && splits.left > 0;
    if (!mayBeOneCulprit(error) || only === undefined || !(canSplit || (batch.length === 1 && isVerdict))) {
      await this.recordFailure(error);
      throw error;
    }
    if (batch.length === 1) {
      run.outcomes.push(await this.#recorder.recordRefusal(only, error));
      return;
    }
    splits.left -= 1;
    const middle = Math.ceil(batch.length / 2);
    await this.#callBatch(batch.slice(0, middle), call, run, splits);
    await this.#callBatch(batch.slice(middle), call, run, splits);
  }
}

/** What came of several calls together, each parcel once. */
export function joinedOutcome(outcomes: readonly RefreshOutcome[]): RefreshOutcome {
  const all = (name: keyof RefreshOutcome): readonly string[] => [
    ...new Set(outcomes.flatMap((outcome) => outcome[name])),
  ];
  return { answered: all('answered'), changed: all('changed'), rejected: all('rejected') };
}

/** A fault of ours must not end the polling, nor repeat itself without a pause. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return new ServiceTroubleError(`The check failed unexpectedly (${messageOf(thrown)}). It is tried again later.`, {
    cause: thrown,
  });
}
