import type { EpochMs } from '../lib/clock.ts';
import { createIsFirst, historyIdOf, identityKey, sameCourier } from '../parcels/identity.ts';
import {
  applyLateRecord,
  applyRecord,
  isLate,
  isNews,
  mergeHistory,
  mergePossiblyLate,
} from '../parcels/merge-record.ts';
import type { Parcel, ParcelError, ParcelExtras, ParcelHistory } from '../parcels/parcel.ts';
import { accountParcel, completeExtras, isoInstant, registerAgain } from '../parcels/parcel-factory.ts';
import type { ParcelChange } from '../parcels/parcel-list.ts';
import { hasEnded } from '../parcels/parcel-state.ts';
import type { QueryResponse, RegisterResponse, ServiceError } from '../service/port.ts';
import type { TrackingRecord } from '../service/record.ts';
import { type FixedServiceClock, measureServiceClock } from '../service/service-clock.ts';
import {
  applyRegistration,
  applyUnregistered,
  explainRejection,
  type MatchedParcel,
  matchQueries,
  matchRegistration,
  type QueryMatch,
  type RegisterMatch,
  rejectParcel,
} from './match-responses.ts';
import type { MonitorCore } from './monitor-core.ts';
import { type Planning, planAfterResponse, planAfterSilence, planForNewClock, withPlan } from './schedule/schedule.ts';
import { isProbeDue, LagLearner, noLag, observeLag, probeLag } from './schedule/timings.ts';
import type { AnsweredParcels } from './state.ts';
import type { UndoLog } from './undo.ts';

export type KnownExtras = (courierCode: string) => Partial<ParcelExtras>;

export interface SentCall {
  readonly sentAt: EpochMs;
  /** The lease number of a poll, or null without a lease. */
  readonly fence: number | null;
}

export class ResponseRecorder {
  readonly #core: MonitorCore;
  readonly #knownExtras: KnownExtras;
  readonly #lags = new LagLearner();

  constructor(core: MonitorCore, knownExtras: KnownExtras = () => ({})) {
    this.#core = core;
    this.#knownExtras = knownExtras;
  }

  async recordRegistration(batch: readonly Parcel[], response: RegisterResponse): Promise<AnsweredParcels> {
    const now = this.#core.clock.now();
    if (await this.#core.adoptMeasuredSkew()) await this.replanAll({ onlyFollowing: false });
    const matches = await Promise.all(
      batch.map(async (sent, position) => explainMatch(sent, matchRegistration(sent, position, response, batch))),
    );
    const rejected = batch.filter((_, position) => matches[position]?.kind === 'rejected').map(({ id }) => id);
    await this.#change(batch, (_, position) => {
      const match = matches[position] ?? { kind: 'silent' };
      const planning = this.#core.planning(now);
      return (parcel) => applyRegistration(parcel, match, response, planning);
    });
    return { answered: [], changed: [], rejected };
  }

  /** Shows the response immediately, and writes it together with the check's other responses. */
  async recordQuery(
    batch: readonly Parcel[],
    response: QueryResponse,
    { fence, sentAt }: SentCall,
  ): Promise<AnsweredParcels> {
    const { log } = this.#core;
    const now = this.#core.clock.now();
    const matches = await Promise.all(
      matchQueries(batch, response, log.parcels()).map(async ({ match, sent }) => ({
        sent,
        match: await explainMatch(sent, match),
      })),
    );
    await this.#measureClocks(matches);
    const probe = await this.#learnLag(matches, sentAt);
    const before = new Map(batch.map((sent) => [sent.id, log.find(sent.id) ?? sent]));
    const failures: unknown[] = [];
    const changes = await Promise.all(
      matches.map(async ({ match, sent }): Promise<readonly [string, ParcelChange][]> => {
        const current = log.find(sent.id);
        if (current === null) return [];
        const lagOverride = sent.id === probe?.id ? { lagMs: probe.lagMs } : {};
        const planning = { ...this.#core.planning(now), sentAt, ...lagOverride };
        if (match.kind !== 'record') {
          return [[sent.id, ifUnchanged(sent, (parcel) => withoutRecord(parcel, match, response.traceId, planning))]];
        }
        const { record } = match;
        const merge = (history: ParcelHistory): ParcelHistory =>
          (current.checkedAt === sent.checkedAt ? mergeHistory : mergePossiblyLate)(history, record);
        const { failure, history } = await this.#core.tryUpdateHistory(historyIdOf(sent), merge);
        if (failure !== null) failures.push(failure);
        return [[sent.id, ifUnchanged(sent, (parcel) => withRecord(parcel, sent, history, record, planning))]];
      }),
    );
    const answered = matches.filter(({ match }) => match.kind === 'record').map(({ sent }) => sent.id);
    // One notice for all histories, because a full disk, for example, affects all of them.
    if (answered.length > 0) this.#core.reportProblem('history-write', failures[0] ?? null);
    this.#core.collectNotices();
    log.commitSoon(new Map(changes.flat()), fence);
    // Another process may have removed a parcel before its history was written.
    await this.#core.follow();
    for (const sent of batch) await this.#core.dropOrphan(sent, historyIdOf(sent));
    const changed = answered.filter((id) => {
      const [old, current] = [before.get(id), log.find(id)];
      return old !== undefined && current !== null && isNews(old, current);
    });
    // A number that the service did not know may be pending again. It is not rejected.
    const rejected = batch.map(({ id }) => id).filter((id) => log.find(id)?.registration === 'rejected');
    return { answered, changed, rejected };
  }

  /** Records that a request failed because of this parcel. The number may be valid, so it is retried less and less often. */
  async recordRefusal(sent: Parcel, error: ServiceError): Promise<AnsweredParcels> {
    const planning = this.#core.planning();
    const refuse: ParcelChange = (parcel) => ({
      ...withPlan(parcel, planAfterSilence(parcel, planning)),
      error: callError(error),
    });
    await this.#change([sent], () => refuse);
    return { answered: [], changed: [], rejected: [sent.id] };
  }

  async recordNoCredit(waiting: readonly Parcel[], error: ServiceError, retriedAt: EpochMs): Promise<void> {
    const wait: ParcelChange = (parcel) => ({ ...parcel, nextPollAt: isoInstant(retriedAt), error: callError(error) });
    await this.#change(waiting, () => wait);
  }

  async completePending(parcels: readonly Parcel[]): Promise<readonly Parcel[]> {
    const complete: ParcelChange = (parcel) =>
      parcel.courierCode === null ? parcel : completeExtras(parcel, this.#knownExtras(parcel.courierCode));
    const incomplete = parcels.filter((parcel) => complete(parcel) !== parcel);
    await this.#change(incomplete, () => complete);
    return parcels.map((parcel) => this.#core.log.find(parcel.id) ?? parcel);
  }

  async reopen(parcels: readonly Parcel[]): Promise<void> {
    const now = this.#core.clock.now();
    await this.#change(parcels, () => (parcel) => registerAgain(parcel, now));
  }

  /** Replans all checks that depend on the service clock. If `onlyFollowing` is set, skips parcels that are backing off. */
  async replanAll(options: { readonly onlyFollowing: boolean }): Promise<void> {
    const planning = this.#core.planning();
    const replan: ParcelChange = (parcel) => {
      if (options.onlyFollowing && parcel.fruitlessPolls > 0) return parcel;
      const plan = planForNewClock(parcel, planning);
      return plan === null ? parcel : withPlan(parcel, plan);
    };
    const changed = this.#core.log.parcels().filter((parcel) => replan(parcel) !== parcel);
    await this.#change(changed, () => replan);
  }

  async #change(
    parcels: readonly Parcel[],
    createChange: (sent: Parcel, position: number) => ParcelChange,
  ): Promise<void> {
    if (parcels.length === 0) return;
    const changes = parcels.map((sent, at): [string, ParcelChange] => [
      sent.id,
      ifUnchanged(sent, createChange(sent, at)),
    ]);
    await this.#core.tryChange(new Map(changes));
  }

  async #learnLag(
    matches: readonly MatchedParcel[],
    sentAt: EpochMs,
  ): Promise<{ readonly id: string; readonly lagMs: number } | null> {
    const { gate, state } = this.#core;
    const { serviceClock } = state.get();
    const observations = matches.flatMap(({ match, sent }) =>
      match.kind === 'record'
        ? (observeLag(sent, match.record, { sentAt, serviceClock, skewMs: this.#core.skewMs }) ?? [])
        : [],
    );
    const knownLag = gate.memory.current.lag ?? noLag;
    const now = this.#core.clock.now();
    const lag = this.#lags.learn(knownLag, observations, now);
    const mayProbe = ({ match, sent }: MatchedParcel): boolean =>
      match.kind === 'record' && match.record.nextUpdateTime !== null && !hasEnded(sent);
    const probedParcel = isProbeDue(lag, now) ? (matches.find(mayProbe)?.sent ?? null) : null;
    if (probedParcel !== null) await gate.memory.remember({ lag: { ...lag, probeAt: now + lag.probePauseMs } });
    else if (lag !== knownLag) await gate.memory.remember({ lag });
    if (lag.ms !== knownLag.ms) await this.replanAll({ onlyFollowing: true });
    return probedParcel === null ? null : { id: probedParcel.id, lagMs: probeLag(lag) };
  }

  async #measureClocks(matches: readonly MatchedParcel[]): Promise<void> {
    const skewChanged = await this.#core.adoptMeasuredSkew();
    // The registration was timed with the old skew, so it would yield a wrong clock.
    const [measured] = skewChanged ? [] : matches.flatMap((match) => measureClock(match, this.#core.skewMs) ?? []);
    const clockChanged = measured !== undefined && (await this.#core.adoptMeasuredClock(measured));
    if (skewChanged || clockChanged) await this.replanAll({ onlyFollowing: false });
  }
}

const callError = ({ kind, code, message, traceId }: ServiceError): ParcelError => ({ kind, code, message, traceId });

async function explainMatch<Match extends QueryMatch | RegisterMatch>(sent: Parcel, match: Match): Promise<Match> {
  return match.kind === 'rejected' ? { ...match, rejection: await explainRejection(match.rejection, sent) } : match;
}

/** Derives the service clock from the first record of a number that we registered ourselves. */
function measureClock({ match, sent }: MatchedParcel, skewMs: number): FixedServiceClock | null {
  if (match.kind !== 'record' || sent.registeredAt === null || sent.record !== null) return null;
  return measureServiceClock(match.record.createTime, Date.parse(sent.registeredAt) + skewMs);
}

function ifUnchanged(sent: Parcel, change: ParcelChange): ParcelChange {
  return (parcel) => {
    const isSame =
      parcel.registration === sent.registration &&
      parcel.registeredAt === sent.registeredAt &&
      sameCourier(parcel.courierCode, sent.courierCode);
    return isSame ? change(parcel) : parcel;
  };
}

/** Applies a record that has been merged into `history`. An outdated response does not reset anything. */
function withRecord(
  parcel: Parcel,
  sent: Parcel,
  history: ParcelHistory,
  record: TrackingRecord,
  planning: Planning,
): Parcel {
  if (sent.checkedAt !== parcel.checkedAt) {
    // The write succeeded before, and this is a retry.
    if (parcel.checkedAt === isoInstant(planning.now)) return parcel;
    if (isLate(parcel.lastEvent, record)) return applyLateRecord(parcel, history);
  }
  const applied = applyRecord(parcel, history, record, planning.now);
  return withPlan(applied, planAfterResponse(parcel, applied, isNews(parcel, applied), planning));
}

function withoutRecord(
  parcel: Parcel,
  match: Exclude<QueryMatch, { readonly kind: 'record' }>,
  traceId: string | null,
  planning: Planning,
): Parcel {
  if (match.kind === 'silent') return withPlan(parcel, planAfterSilence(parcel, planning));
  if (match.kind === 'rejected') return rejectParcel(parcel, match.rejection, traceId);
  return parcel.archivedAt === null ? applyUnregistered(parcel, match.rejection, traceId, planning) : parcel;
}

/**
 * Adds the account's numbers to the watchlist, after writing their histories. Returns the new parcels. Throws a
 * `StoreError`.
 */
export async function takeOver(
  core: MonitorCore,
  undo: UndoLog,
  records: readonly TrackingRecord[],
): Promise<readonly Parcel[]> {
  await core.busy.during(() => core.log.follow());
  const isFirst = createIsFirst(new Set(core.log.parcels().map(identityKey)));
  const newRecords = records.filter((record) => isFirst(identityKey(record)));
  const newParcels = await Promise.all(newRecords.map((record) => parcelWithHistory(core, record)));
  core.collectNotices();
  await undo.commit('add', (parcels) => {
    const watchedKeys = new Set(parcels.map(identityKey));
    return [...parcels, ...newParcels.filter((parcel) => !watchedKeys.has(identityKey(parcel)))];
  });
  // Another process may have added some of the numbers, whose histories are then orphans.
  for (const parcel of newParcels) await core.dropOrphan(parcel, historyIdOf(parcel));
  return newParcels.filter(({ id }) => core.log.find(id) !== null);
}

async function parcelWithHistory(core: MonitorCore, record: TrackingRecord): Promise<Parcel> {
  const now = core.clock.now();
  const parcel = accountParcel(record, { now, random: core.random, serviceClock: core.state.get().serviceClock });
  const history = await core.updateHistory(historyIdOf(parcel), (empty) => mergeHistory(empty, record));
  const merged = applyRecord(parcel, history, record, now);
  return withPlan(merged, planAfterResponse(parcel, merged, true, core.planning(now)));
}
