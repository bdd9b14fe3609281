import type { Random } from '../service/clock.ts';
import { KeyRefusedError, RateLimitedError, ServiceError, ServiceTroubleError } from '../service/errors.ts';
import type { TrackingService } from '../service/port.ts';
import type { QueryAnswer, RegisterAnswer } from '../service/record.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import { createSerialQueue } from '../watchlist/serial-queue.ts';
import type { AnswerRecorder } from './answer-recorder.ts';
import { activeCoolDown, coolDownAfter, mayBeOneCulprit, mayHaveBeenTaken } from './back-off.ts';
import { type BudgetedOperation, type BudgetKeeper, BudgetSpentError } from './budget.ts';
import type { DueParcels } from './due-parcels.ts';
import { inBatches } from './due-queue.ts';
import type { MonitorCore } from './monitor-core.ts';
import { nothingAsked, together } from './refresh-outcome.ts';
import { registrationItem } from './registration-item.ts';
import type { RefreshOptions, RefreshOutcome } from './state.ts';

/** Most extra calls of one round that search for the number because of which a batch is refused. */
const mostSplits = 16;

/** One batch of one operation. */
interface Question<Answer> {
  readonly operation: BudgetedOperation;
  readonly call: (batch: readonly Parcel[], signal: AbortSignal) => Promise<Answer>;
  readonly record: (batch: readonly Parcel[], answer: Answer) => Promise<RefreshOutcome>;
  /** How many of a batch the service has registered by an answer, and how many calls the answer took. */
  readonly costOf: (answer: Answer) => { readonly registrations: number; readonly calls: number };
  readonly batchLimit: number;
}

/** What holds for all calls of a round. */
interface Round {
  readonly signal: AbortSignal;
  readonly beyondBudget: boolean;
}

/** What a poller works with. */
export interface PollerParts {
  readonly core: MonitorCore;
  /** Null without a key. */
  readonly service: TrackingService | null;
  readonly recorder: AnswerRecorder;
  readonly budget: BudgetKeeper;
  readonly due: DueParcels;
  readonly random: Random;
}

/** The calls to the service: which parcels, in which batches, and what follows from a failure. One round at a time. */
export class Poller {
  readonly #core: MonitorCore;
  readonly #service: TrackingService | null;
  readonly #recorder: AnswerRecorder;
  readonly #budget: BudgetKeeper;
  readonly #due: DueParcels;
  readonly #random: Random;
  readonly #rounds = createSerialQueue();

  constructor({ core, service, recorder, budget, due, random }: PollerParts) {
    this.#core = core;
    this.#service = service;
    this.#recorder = recorder;
    this.#budget = budget;
    this.#due = due;
    this.#random = random;
  }

  /** Whether a round is under way. */
  isAsking(): boolean {
    return !this.#rounds.isEmpty();
  }

  /** Asks about everything that is due. A failure is recorded in the state; it rejects with nothing. */
  async askDue(signal: AbortSignal): Promise<void> {
    await this.#round(async () => {
      await this.#catchUp();
      const isHeldBack = this.#core.remembered.paused || this.#isCoolingDown() || signal.aborted;
      const due = isHeldBack ? [] : this.#due.take(this.#core.clock.now());
      return due.length === 0 ? nothingAsked : await this.#ask(due, { signal, beyondBudget: false });
    }).catch(async (error: unknown) => {
      if (error instanceof ServiceError) return;
      await this.#recordFailure(unexpected(error));
    });
  }

  /**
   * Asks about these parcels now; archived ones are left alone, rejected ones are registered again. What was registered
   * just now is asked about after the first wait of the ladder. Rejects with the `ServiceError` of the first failed call.
   */
  async askNow(
    select: (parcels: readonly Parcel[]) => readonly Parcel[],
    signal: AbortSignal,
    { beyondBudget = false }: RefreshOptions = {},
  ): Promise<RefreshOutcome> {
    const round: Round = { signal, beyondBudget };
    return await this.#round(async () => {
      await this.#catchUp();
      const wanted = select(this.#core.log.parcels()).filter((parcel) => parcel.archivedAt === null);
      if (wanted.length === 0) return nothingAsked;
      this.#refuseWhileToldToWait();
      await this.#recorder.reopen(wanted.filter((parcel) => parcel.registration === 'rejected'));
      const first = await this.#ask(
        wanted.flatMap(({ id }) => this.#core.log.find(id) ?? []),
        round,
      );
      const unasked = this.#newlyRegistered(wanted);
      if (unasked.length === 0) return first;
      const wait = unasked.some((parcel) => parcel.registeredAt !== null) ? (this.#core.policy.ladderMs[0] ?? 0) : 0;
      await this.#pause(wait, signal);
      await this.#core.recall();
      // What is registered is asked about by itself once the service lets us.
      if (this.#toldToWait() !== null) return first;
      return together([first, await this.#ask(this.#newlyRegistered(wanted), round)]);
    });
  }

  async #round<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#core.busy.during(() => this.#rounds.run(work));
  }

  /** Another process may have asked meanwhile: its plans are in the store, and what it was told to wait for in the memory. */
  async #catchUp(): Promise<void> {
    await this.#core.tolerantly(() => this.#core.log.follow());
    await this.#core.recall();
  }

  async #ask(parcels: readonly Parcel[], round: Round): Promise<RefreshOutcome> {
    const service = this.#requireService();
    this.#core.change({ asking: new Set(parcels.map(({ id }) => id)) });
    this.#core.changePolling({ phase: 'asking' });
    try {
      const { serviceClock } = this.#core.state.get();
      const registering = await this.#askInBatches(
        await this.#recorder.completePending(parcels.filter((parcel) => parcel.registration === 'pending')),
        {
          operation: 'register',
          call: (batch, abort): Promise<RegisterAnswer> =>
            service.register(
              batch.map((parcel) => registrationItem(parcel, serviceClock)),
              abort,
            ),
          record: (batch, answer) => this.#recorder.recordRegistration(batch, answer),
          costOf: ({ accepted }) => ({ registrations: accepted.length, calls: 1 }),
          batchLimit: service.batchLimits.register,
        },
        round,
      );
      const querying = await this.#askInBatches(
        parcels.filter((parcel) => parcel.registration === 'registered'),
        {
          operation: 'query',
          call: (batch, abort): Promise<QueryAnswer> => service.query(batch.map(trackKey), abort),
          record: (batch, answer) => this.#recorder.recordQuery(batch, answer),
          costOf: ({ calls = 1 }) => ({ registrations: 0, calls }),
          batchLimit: service.batchLimits.query,
        },
        round,
      );
      return together([registering, querying]);
    } finally {
      this.#core.change({ asking: new Set() });
    }
  }

  async #askInBatches<Answer>(
    parcels: readonly Parcel[],
    question: Question<Answer>,
    round: Round,
  ): Promise<RefreshOutcome> {
    const splits = { left: mostSplits };
    const outcomes: RefreshOutcome[] = [];
    for (const batch of inBatches(parcels, question.batchLimit)) {
      outcomes.push(await this.#askBatch(batch, question, round, splits));
    }
    return together(outcomes);
  }

  /** One call; a batch that is refused because of what is in it is halved until the culprit stands alone. */
  async #askBatch<Answer>(
    wanted: readonly Parcel[],
    question: Question<Answer>,
    round: Round,
    splits: { left: number },
  ): Promise<RefreshOutcome> {
    // Another process may have been told to wait since the last call.
    await this.#core.recall();
    this.#refuseWhileToldToWait();
    const admitted = await this.#budget.admit(question.operation, wanted.length, round.beyondBudget);
    if (admitted === 0) throw new BudgetSpentError(this.#budget.explain(question.operation));
    const batch = wanted.slice(0, admitted);
    const result = await this.#call(batch, question, round.signal);
    if (result.ok) return await question.record(batch, result.answer);
    const [only] = batch;
    const { error } = result;
    if (!mayBeOneCulprit(error) || only === undefined || (batch.length > 1 && splits.left === 0)) {
      await this.#recordFailure(error);
      throw error;
    }
    // Only the service can reject a number; an answer that cannot be read says nothing about it.
    const isVerdict = question.operation === 'query' || error.kind === 'request-refused';
    if (batch.length === 1 && isVerdict) return await this.#recorder.recordRefusal(only, error);
    if (batch.length === 1) {
      await this.#recordFailure(error);
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
      if (!mayHaveBeenTaken(error)) await this.#correctCount(batch, question, { registrations: 0, calls: 1 });
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
    if (this.#core.remembered.coolDown !== null) await this.#core.remember({ coolDown: null });
  }

  async #recordFailure(error: ServiceError): Promise<void> {
    if (error.kind === 'cancelled') return;
    const now = this.#core.clock.now();
    const { kind, message, code, traceId } = error;
    const { problem } = this.#core.state.get().polling;
    const since = problem?.kind === kind ? problem.since : now;
    this.#core.tellServiceProblem({ kind, message, code, traceId, since });
    // Also where asking stops for good: a program that is started again and again must not ask each time.
    const { coolDown } = this.#core.remembered;
    await this.#core.remember({
      coolDown: coolDownAfter(error, coolDown, now, this.#random(), this.#core.policy),
    });
  }

  #isCoolingDown(): boolean {
    return activeCoolDown(this.#core.remembered.coolDown, this.#core.clock.now(), this.#core.policy) !== null;
  }

  /** The user may ask during our own back-off, but not while the service has asked for a pause. */
  #refuseWhileToldToWait(): void {
    const wait = this.#toldToWait();
    if (wait === null) return;
    throw new RateLimitedError(
      `The service asked for a pause. Ask again in ${Math.ceil(wait / 1000)} s; due parcels are asked about by themselves then.`,
      wait,
    );
  }

  /** For how long the service has asked for a pause, in milliseconds; null when it has not. */
  #toldToWait(): number | null {
    const now = this.#core.clock.now();
    const coolDown = activeCoolDown(this.#core.remembered.coolDown, now, this.#core.policy);
    return coolDown?.byService === true ? coolDown.until - now : null;
  }

  #newlyRegistered(wanted: readonly Parcel[]): readonly Parcel[] {
    return wanted.flatMap((before) => {
      const parcel = this.#core.log.find(before.id);
      const isNew = before.registration !== 'registered' && parcel?.registration === 'registered';
      return isNew && parcel.archivedAt === null ? [parcel] : [];
    });
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#core.clock.setTimer(ms, end);
      signal.addEventListener('abort', end);
    });
  }

  #requireService(): TrackingService {
    if (this.#service !== null) return this.#service;
    throw new KeyRefusedError(
      'There is no API key, so the service cannot be asked. Set PARCEL_MONITOR_API_KEY, or put it into config.json.',
    );
  }
}

/** A fault of ours must not end the asking, nor repeat itself without a pause. */
function unexpected(cause: unknown): ServiceError {
  const words = cause instanceof Error ? cause.message : String(cause);
  return new ServiceTroubleError(`Asking failed unexpectedly (${words}). It is tried again later.`, null, { cause });
}

function trackKey({ trackNo, courierCode }: Parcel): { trackNo: string; courierCode: string | null } {
  return { trackNo, courierCode };
}
