import type { EpochMs, Random } from '../../service/clock/clock.ts';
import { measureServiceClock, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { ServiceError } from '../../service/failures/errors.ts';
import type { QueryAnswer, RegisterAnswer, TrackingRecord } from '../../service/record/record.ts';
import type { ParcelChange } from '../../watchlist/model/change-parcels.ts';
import { historyIdOf, sameCourier } from '../../watchlist/model/identity.ts';
import { applyLateRecord, isLate, mergePossiblyLate } from '../../watchlist/model/late-record.ts';
import { applyRecord, isNews, mergeHistory } from '../../watchlist/model/merge.ts';
import type { Parcel, ParcelExtras, ParcelHistory } from '../../watchlist/model/parcel.ts';
import { completeExtras, registerAgain } from '../../watchlist/model/parcel-factory.ts';
import { historyFormat } from '../../watchlist/store/formats.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { RefreshOutcome } from '../core/state.ts';
import { type Planning, planAfterAnswer, planAfterSilence, planForOtherClock } from '../schedule/schedule.ts';
import { applyRegistration, applyUnregistered, rejectParcel } from './apply-registration.ts';
import { matchQueries, matchRegistration, type QueryMatch } from './match-answer.ts';

/** Extra information that is known for all parcels of a courier. */
export type KnownExtras = (courierCode: string) => Partial<ParcelExtras>;

/** Writes what the service answered into the watchlist, and plans the next question about each parcel. */
export class AnswerRecorder {
  readonly #core: MonitorCore;
  readonly #random: Random;
  readonly #knownExtras: KnownExtras;
  readonly #canRegister: () => boolean;

  /** @param canRegister whether the budget covers a registration now */
  constructor(
    core: MonitorCore,
    random: Random,
    knownExtras: KnownExtras = () => ({}),
    canRegister: () => boolean = () => true,
  ) {
    this.#core = core;
    this.#random = random;
    this.#knownExtras = knownExtras;
    this.#canRegister = canRegister;
  }

  /** Records an answer to a registration of `batch`. */
  async recordRegistration(batch: readonly Parcel[], answer: RegisterAnswer): Promise<RefreshOutcome> {
    const now = this.#core.clock.now();
    const changes = new Map<string, ParcelChange>();
    const rejected: string[] = [];
    for (const [position, asked] of batch.entries()) {
      const match = matchRegistration(asked, position, answer, batch);
      if (match.kind === 'rejected') rejected.push(asked.id);
      const planning = this.#planning(now);
      changes.set(
        asked.id,
        ifStillSame(asked, (parcel) => applyRegistration(parcel, match, answer, planning)),
      );
    }
    await this.#commit(changes);
    return { answered: [], changed: [], rejected };
  }

  /** Records an answer to a query about `batch`. */
  async recordQuery(batch: readonly Parcel[], answer: QueryAnswer): Promise<RefreshOutcome> {
    const now = this.#core.clock.now();
    const found = matchQueries(batch, answer, this.#core.log.parcels());
    const matches = batch.flatMap((asked, position) => {
      const match = found[position];
      return match === undefined ? [] : [{ asked, match }];
    });
    await this.#measureClock(matches);
    const histories = await this.#recordHistories(matches);

    const changes = new Map<string, ParcelChange>();
    for (const { asked, match } of matches) {
      const planning = this.#planning(now);
      const history = histories.get(asked.id) ?? historyFormat.empty;
      changes.set(
        asked.id,
        ifStillSame(asked, (parcel) => applyMatch(asked, parcel, match, history, answer.traceId, planning)),
      );
    }
    const before = new Map(batch.map((asked) => [asked.id, this.#core.log.find(asked.id) ?? asked]));
    await this.#commit(changes);

    const answered = matches.filter(({ match }) => match.kind === 'record').map(({ asked }) => asked.id);
    const changed = answered.filter((id) => {
      const [old, current] = [before.get(id), this.#core.log.find(id)];
      return old !== undefined && current !== null && isNews(old, current);
    });
    // One that was registered again has not been refused yet.
    const rejected = batch.map(({ id }) => id).filter((id) => this.#core.log.find(id)?.registration === 'rejected');
    await this.#dropHistoriesOfRemoved(batch);
    return { answered, changed, rejected };
  }

  /** Records that the service refuses to answer because of this one parcel. */
  async recordRefusal(asked: Parcel, error: ServiceError): Promise<RefreshOutcome> {
    const { kind, code, message, traceId } = error;
    const planning = this.#planning(this.#core.clock.now());
    const isRegistration = asked.registration !== 'registered';
    const refuse: ParcelChange = (parcel) =>
      isRegistration
        ? rejectParcel(parcel, kind, { index: null, trackNo: null, courierCode: null, code, message }, traceId)
        : { ...parcel, ...planAfterSilence(parcel, planning), error: { kind, code, message, traceId } };
    await this.#commit(new Map([[asked.id, ifStillSame(asked, refuse)]]));
    return { answered: [], changed: [], rejected: isRegistration ? [asked.id] : [] };
  }

  /** Gives parcels that are about to be registered the extras known for their courier; answers them as they are then. */
  async completePending(parcels: readonly Parcel[]): Promise<readonly Parcel[]> {
    const complete: ParcelChange = (parcel) =>
      parcel.courierCode === null ? parcel : completeExtras(parcel, this.#knownExtras(parcel.courierCode));
    const lacking = parcels.filter((parcel) => complete(parcel) !== parcel);
    await this.#commit(new Map(lacking.map((asked) => [asked.id, ifStillSame(asked, complete)])));
    return parcels.map((parcel) => this.#core.log.find(parcel.id) ?? parcel);
  }

  /** Lets rejected parcels be registered once more. */
  async reopen(parcels: readonly Parcel[]): Promise<void> {
    const now = this.#core.clock.now();
    const open: ParcelChange = (parcel) => registerAgain(parcel, now);
    await this.#commit(new Map(parcels.map((asked) => [asked.id, ifStillSame(asked, open)])));
  }

  /** Plans anew what rests on the service clock. With `onlyFollowing`, what waits in a back-off is left alone. */
  async replanAll(options: { readonly onlyFollowing: boolean }): Promise<void> {
    const planning = this.#planning(this.#core.clock.now());
    const replan: ParcelChange = (parcel) => {
      if (options.onlyFollowing && parcel.fruitlessPolls > 0) return parcel;
      const plan = planForOtherClock(parcel, planning);
      return plan === null ? parcel : { ...parcel, ...plan };
    };
    const changed = this.#core.log.parcels().filter((parcel) => replan(parcel) !== parcel);
    await this.#commit(new Map(changed.map(({ id }) => [id, replan])));
  }

  #planning(now: EpochMs): Planning {
    const { serviceClock } = this.#core.state.get();
    const { policy } = this.#core;
    return { now, serviceClock, policy, chance: this.#random(), canRegister: this.#canRegister() };
  }

  async #commit(changes: ReadonlyMap<string, ParcelChange>): Promise<void> {
    if (changes.size === 0) return;
    await this.#core.changeTolerantly(changes);
  }

  async #recordHistories(
    matches: readonly { readonly asked: Parcel; readonly match: QueryMatch }[],
  ): Promise<ReadonlyMap<string, ParcelHistory>> {
    const histories = new Map<string, ParcelHistory>();
    const failures: unknown[] = [];
    const record = async (asked: Parcel, current: Parcel, record: TrackingRecord): Promise<void> => {
      const merge = wasOvertaken(asked, current) ? mergePossiblyLate : mergeHistory;
      try {
        const write = () => this.#core.store.updateHistory(historyIdOf(asked), (history) => merge(history, record));
        histories.set(asked.id, await this.#core.busy.during(write));
      } catch (error) {
        failures.push(error);
        histories.set(asked.id, mergeHistory(historyFormat.empty, record));
      }
    };
    await Promise.all(
      matches.flatMap(({ asked, match }) => {
        const current = this.#core.log.find(asked.id);
        return match.kind === 'record' && current !== null ? [record(asked, current, match.record)] : [];
      }),
    );
    // A full disk fails them all alike: told once, not for each file.
    if (histories.size > 0) this.#core.notifyTrouble('history-write', failures[0] ?? null);
    this.#core.collectNotices();
    return histories;
  }

  /** A parcel that was removed, or made another one, while the service was asked about it leaves nothing behind. */
  async #dropHistoriesOfRemoved(batch: readonly Parcel[]): Promise<void> {
    for (const asked of batch) {
      const current = this.#core.log.find(asked.id);
      if (current !== null && historyIdOf(current) === historyIdOf(asked)) continue;
      await this.#core.tolerantly(() => this.#core.store.removeHistory(historyIdOf(asked)));
    }
  }

  async #measureClock(matches: readonly { readonly asked: Parcel; readonly match: QueryMatch }[]): Promise<void> {
    const measured = matches.map(({ asked, match }) => measureFrom(asked, match)).find((clock) => clock !== null);
    if (measured === undefined || !(await this.#core.adoptMeasuredClock(measured))) return;
    await this.replanAll({ onlyFollowing: false });
  }
}

/** Only a record that was made by our own registration tells what the service clock showed then. */
function measureFrom(asked: Parcel, match: QueryMatch): ServiceClock | null {
  if (match.kind !== 'record' || asked.registeredAt === null) return null;
  const { createTime } = match.record;
  if (createTime === asked.record?.createTime) return null;
  return measureServiceClock(createTime, Date.parse(asked.registeredAt));
}

/** Leaves a parcel alone that became another one while the service was asked: another courier, or registered again. */
function ifStillSame(asked: Parcel, change: ParcelChange): ParcelChange {
  return (parcel) => {
    const same =
      parcel.registration === asked.registration &&
      parcel.registeredAt === asked.registeredAt &&
      sameCourier(parcel.courierCode, asked.courierCode);
    return same ? change(parcel) : parcel;
  };
}

/** Whether something was recorded about a parcel while the service was asked: what it answers may be the older news. */
function wasOvertaken(asked: Parcel, current: Parcel): boolean {
  return asked.checkedAt !== current.checkedAt;
}

function applyMatch(
  asked: Parcel,
  parcel: Parcel,
  match: QueryMatch,
  history: ParcelHistory,
  traceId: string | null,
  planning: Planning,
): Parcel {
  switch (match.kind) {
    case 'record': {
      if (wasOvertaken(asked, parcel) && isLate(parcel.lastEvent, match.record)) {
        return applyLateRecord(parcel, history);
      }
      const merged = applyRecord(parcel, history, match.record, planning.now);
      return { ...merged, ...planAfterAnswer(parcel, merged, isNews(parcel, merged), planning) };
    }
    case 'unregistered':
      return parcel.archivedAt === null ? applyUnregistered(parcel, match.rejection, traceId, planning) : parcel;
    case 'rejected':
      return rejectParcel(parcel, 'rejected', match.rejection, traceId);
    case 'silent':
      return { ...parcel, ...planAfterSilence(parcel, planning) };
  }
}
