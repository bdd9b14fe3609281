import { type Random, sleep } from '../../service/clock/clock.ts';
import { KeyRefusedError, ServiceError } from '../../service/failures/errors.ts';
import type { TrackingService } from '../../service/port.ts';
import type { QueryAnswer, RegisterAnswer } from '../../service/record/record.ts';
import { createSerialQueue } from '../../watchlist/files/serial-queue.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { AnswerRecorder } from '../answers/answer-recorder.ts';
import { nothingAsked, together } from '../answers/refresh-outcome.ts';
import { registrationItem } from '../answers/registration-item.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { RefreshOptions, RefreshOutcome } from '../core/state.ts';
import { activeCoolDown } from '../gate/back-off.ts';
import type { BudgetKeeper } from '../gate/budget.ts';
import { refuseWhileToldToWait, toldToWait } from '../gate/told-to-wait.ts';
import { BatchAsker, type Round, unexpected } from './batch-asker.ts';
import type { DueParcels } from './due-parcels.ts';

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
  readonly #asker: BatchAsker;
  readonly #due: DueParcels;
  readonly #rounds = createSerialQueue();

  constructor({ core, service, recorder, budget, due, random }: PollerParts) {
    this.#core = core;
    this.#service = service;
    this.#recorder = recorder;
    this.#asker = new BatchAsker({ core, recorder, budget, random });
    this.#due = due;
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
      return due.length === 0
        ? nothingAsked
        : await this.#ask(due, { signal, beyondBudget: false, byItself: true, heldBack: new Map() });
    }).catch(async (error: unknown) => {
      if (error instanceof ServiceError) return;
      await this.#asker.recordFailure(unexpected(error));
    });
  }

  /**
   * Asks about these parcels now; archived ones are left alone, rejected ones are registered again. What was registered
   * just now is asked about after the first wait of the ladder. Rejects with the `ServiceError` of the first failed call,
   * and with a `BudgetSpentError` after all that the budget covers when it does not cover all.
   */
  async askNow(
    select: (parcels: readonly Parcel[]) => readonly Parcel[],
    signal: AbortSignal,
    { beyondBudget = false }: RefreshOptions = {},
  ): Promise<RefreshOutcome> {
    const round: Round = { signal, beyondBudget, byItself: false, heldBack: new Map() };
    const outcome = await this.#round(async () => {
      await this.#catchUp();
      const wanted = select(this.#core.log.parcels()).filter((parcel) => parcel.archivedAt === null);
      if (wanted.length === 0) return nothingAsked;
      refuseWhileToldToWait(this.#core);
      await this.#recorder.reopen(wanted.filter((parcel) => parcel.registration === 'rejected'));
      const first = await this.#ask(
        wanted.flatMap(({ id }) => this.#core.log.find(id) ?? []),
        round,
      );
      const unasked = this.#newlyRegistered(wanted);
      if (unasked.length === 0) return first;
      const wait = unasked.some((parcel) => parcel.registeredAt !== null) ? (this.#core.policy.ladderMs[0] ?? 0) : 0;
      await sleep(this.#core.clock, wait, signal);
      await this.#core.recall();
      // What is registered is asked about by itself once the service lets us.
      if (toldToWait(this.#core) !== null) return first;
      return together([first, await this.#ask(this.#newlyRegistered(wanted), round)]);
    });
    return this.#asker.settle(round, outcome);
  }

  async #round<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#core.busy.during(() => this.#rounds.run(work));
  }

  /** Another process may have asked meanwhile: its plans are in the store, and what it was told to wait for in the memory. */
  async #catchUp(): Promise<void> {
    await this.#core.follow();
    await this.#core.recall();
  }

  async #ask(parcels: readonly Parcel[], round: Round): Promise<RefreshOutcome> {
    const service = this.#requireService();
    this.#core.change({ asking: new Set(parcels.map(({ id }) => id)) });
    this.#core.changePolling({ phase: 'asking' });
    try {
      const { serviceClock } = this.#core.state.get();
      const registering = await this.#asker.ask(
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
      const querying = await this.#asker.ask(
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

  #isCoolingDown(): boolean {
    return activeCoolDown(this.#core.remembered.coolDown, this.#core.clock.now(), this.#core.policy) !== null;
  }

  #newlyRegistered(wanted: readonly Parcel[]): readonly Parcel[] {
    return wanted.flatMap((before) => {
      const parcel = this.#core.log.find(before.id);
      const isNew = before.registration !== 'registered' && parcel?.registration === 'registered';
      return isNew && parcel.archivedAt === null ? [parcel] : [];
    });
  }

  #requireService(): TrackingService {
    if (this.#service !== null) return this.#service;
    throw new KeyRefusedError(
      'There is no API key, so the service cannot be asked. Set PARCEL_MONITOR_API_KEY, or put it into config.json.',
    );
  }
}

function trackKey({ trackNo, courierCode }: Parcel): { trackNo: string; courierCode: string | null } {
  return { trackNo, courierCode };
}
