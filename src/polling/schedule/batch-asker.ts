import type { Random } from '../../service/clock/clock.ts';
import { CancelledError, ServiceError, ServiceTroubleError } from '../../service/failures/errors.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { AnswerRecorder } from '../answers/answer-recorder.ts';
import { nothingAsked, together } from '../answers/refresh-outcome.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { RefreshOutcome } from '../core/state.ts';
import { coolDownAfter, mayBeOneCulprit, mayHaveBeenTaken } from '../gate/back-off.ts';
import { type BudgetedOperation, type BudgetKeeper, BudgetSpentError } from '../gate/budget.ts';
import { LeaseLostError } from '../gate/leased-service.ts';
import { refuseWhileToldToWait, toldToWait } from '../gate/told-to-wait.ts';
import { inBatches } from './due-queue.ts';

/** Most extra calls of one round that search for the number because of which a batch is refused. */
const mostSplits = 16;

/** What is asked about a batch of parcels, and what is done with the answer. */
export interface Question<Answer> {
  readonly operation: BudgetedOperation;
  readonly call: (batch: readonly Parcel[], signal: AbortSignal) => Promise<Answer>;
  readonly record: (batch: readonly Parcel[], answer: Answer) => Promise<RefreshOutcome>;
  /** How many of a batch the service has registered by an answer, and how many calls the answer took. */
  readonly costOf: (answer: Answer) => { readonly registrations: number; readonly calls: number };
  readonly batchLimit: number;
}

/** What holds for all calls of a round. */
export interface Round {
  readonly signal: AbortSignal;
  readonly beyondBudget: boolean;
  /** True for what the user has not asked for; then it ends where the user pauses the asking. */
  readonly byItself: boolean;
  /** How many numbers were not asked about because the budget does not cover them; the asker adds to it. */
  readonly heldBack: Map<BudgetedOperation, number>;
}

/** What an asker works with. */
export interface BatchAskerParts {
  readonly core: MonitorCore;
  readonly recorder: AnswerRecorder;
  readonly budget: BudgetKeeper;
  readonly random: Random;
}

/** Calls in batches: within the budget, counted, and halved where one number spoils a batch for all. */
export class BatchAsker {
  readonly #core: MonitorCore;
  readonly #recorder: AnswerRecorder;
  readonly #budget: BudgetKeeper;
  readonly #random: Random;

  constructor({ core, recorder, budget, random }: BatchAskerParts) {
    this.#core = core;
    this.#recorder = recorder;
    this.#budget = budget;
    this.#random = random;
  }

  /**
   * Asks about these parcels in as few calls as they fit into, as far as the budget goes. Rejects with the `ServiceError`
   * of the first call that fails.
   */
  async ask<Answer>(parcels: readonly Parcel[], question: Question<Answer>, round: Round): Promise<RefreshOutcome> {
    const splits = { left: mostSplits };
    const outcomes: RefreshOutcome[] = [];
    for (const batch of inBatches(parcels, question.batchLimit)) {
      outcomes.push(await this.#askBatch(batch, question, round, splits));
    }
    return together(outcomes);
  }

  /** Answers what came of a round; throws a `BudgetSpentError` with it where the budget held something back. */
  settle({ heldBack }: Round, outcome: RefreshOutcome): RefreshOutcome {
    if (heldBack.size === 0) return outcome;
    const sentences = [...heldBack].map(([operation, count]) => {
      const numbers = count === 1 ? '1 number waits' : `${count} numbers wait`;
      return `${this.#budget.explain(operation)} Until then ${numbers}.`;
    });
    throw new BudgetSpentError(sentences.join(' '), outcome);
  }

  /** One call, or none or several where the budget does not cover the whole batch. */
  async #askBatch<Answer>(
    wanted: readonly Parcel[],
    question: Question<Answer>,
    round: Round,
    splits: { left: number },
  ): Promise<RefreshOutcome> {
    const { operation } = question;
    const heldBack = round.heldBack.get(operation) ?? 0;
    // Another process may have been told to wait, or the user may have paused the asking, since the last call.
    await this.#core.recall();
    refuseWhileToldToWait(this.#core);
    // What is not sent must not be counted.
    if (round.signal.aborted) throw new CancelledError('The call was ended.');
    if (round.byItself && this.#core.remembered.paused) return nothingAsked;
    const admitted = heldBack > 0 ? 0 : await this.#budget.admit(operation, wanted.length, round.beyondBudget);
    if (admitted === 0) {
      round.heldBack.set(operation, heldBack + wanted.length);
      return nothingAsked;
    }
    const outcome = await this.#callAbout(wanted.slice(0, admitted), question, round, splits);
    if (admitted === wanted.length) return outcome;
    // What the service rejects is given back, and covers others.
    return together([outcome, await this.#askBatch(wanted.slice(admitted), question, round, splits)]);
  }

  /** One call; a batch that is refused because of what is in it is halved until the culprit stands alone. */
  async #callAbout<Answer>(
    batch: readonly Parcel[],
    question: Question<Answer>,
    round: Round,
    splits: { left: number },
  ): Promise<RefreshOutcome> {
    const result = await this.#call(batch, question, round.signal);
    if (result.ok) return await question.record(batch, result.answer);
    const [only] = batch;
    const { error } = result;
    if (!mayBeOneCulprit(error) || only === undefined || (batch.length > 1 && splits.left === 0)) {
      await this.recordFailure(error);
      throw error;
    }
    // Only the service can reject a number; an answer that cannot be read says nothing about it.
    const isVerdict = question.operation === 'query' || error.kind === 'request-refused';
    if (batch.length === 1 && isVerdict) return await this.#recorder.recordRefusal(only, error);
    if (batch.length === 1) {
      await this.recordFailure(error);
      throw error;
    }
    splits.left -= 1;
    const middle = Math.ceil(batch.length / 2);
    const first = await this.#askBatch(batch.slice(0, middle), question, round, splits);
    return together([first, await this.#askBatch(batch.slice(middle), question, round, splits)]);
  }

  async #call<Answer>(
    batch: readonly Parcel[],
    question: Question<Answer>,
    signal: AbortSignal,
  ): Promise<{ readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly error: ServiceError }> {
    this.#core.changePolling({ callsSent: this.#core.state.get().polling.callsSent + 1 });
    try {
      const answer = await question.call(batch, signal);
      await this.#recordSuccess();
      await this.#correctCount(batch, question, question.costOf(answer));
      return { ok: true, answer };
    } catch (thrown) {
      const error = thrown instanceof ServiceError ? thrown : unexpected(thrown);
      if (error instanceof LeaseLostError) await this.#budget.giveBack(question.operation, batch.length);
      else if (!mayHaveBeenTaken(error)) await this.#correctCount(batch, question, { registrations: 0, calls: 1 });
      return { ok: false, error };
    }
  }

  /** A call is counted as if it registered all that it holds and took one page; then it turns out what it was. */
  async #correctCount(
    batch: readonly Parcel[],
    { operation }: { readonly operation: BudgetedOperation },
    { registrations, calls }: { readonly registrations: number; readonly calls: number },
  ): Promise<void> {
    const more = calls - 1;
    await this.#budget.correct(
      operation === 'register' ? { registrations: registrations - batch.length } : { calls: more, queries: more },
    );
  }

  async #recordSuccess(): Promise<void> {
    this.#core.changePolling({ lastAnswerAt: this.#core.clock.now() });
    this.#core.tellServiceProblem(null);
    if (this.#core.remembered.coolDown === null) return;
    await this.#core.recall();
    // An answer to what was sent before somebody was told to wait does not end that pause.
    if (toldToWait(this.#core) === null) await this.#core.remember({ coolDown: null });
  }

  /** Records that a call failed, and for how long nobody is to call after it. */
  async recordFailure(error: ServiceError): Promise<void> {
    if (error.kind === 'cancelled') return;
    const now = this.#core.clock.now();
    const { kind, message, code, traceId } = error;
    const { problem } = this.#core.state.get().polling;
    const since = problem?.kind === kind ? problem.since : now;
    this.#core.tellServiceProblem({ kind, message, code, traceId, since });
    // Another process may have been told to wait while this call was under way.
    await this.#core.recall();
    // Also where asking stops for good: a program that is started again and again must not ask each time.
    const { coolDown } = this.#core.remembered;
    await this.#core.remember({
      coolDown: coolDownAfter(error, coolDown, now, this.#random(), this.#core.policy),
    });
  }
}

/** A fault of ours must not end the asking, nor repeat itself without a pause. */
export function unexpected(cause: unknown): ServiceError {
  const words = cause instanceof Error ? cause.message : String(cause);
  return new ServiceTroubleError(`Asking failed unexpectedly (${words}). It is tried again later.`, null, { cause });
}
