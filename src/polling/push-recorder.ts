import type { Random } from '../service/clock.ts';
import type { TrackingRecord } from '../service/record.ts';
import { toStoreError } from '../watchlist/errors.ts';
import { historyIdOf, sameCourier } from '../watchlist/identity.ts';
import { applyLateRecord, isLate, mergePossiblyLate } from '../watchlist/late-record.ts';
import { applyRecord } from '../watchlist/merge.ts';
import type { Parcel, ParcelHistory } from '../watchlist/parcel.ts';
import { changeParcel } from '../watchlist/parcel-factory.ts';
import { findAddressee } from './match-answer.ts';
import type { MonitorCore } from './monitor-core.ts';
import { type Planning, planAfterPush } from './schedule.ts';

/** Most unwatched numbers that are told apart; an account may hold many that are none of ours. */
const mostUnknown = 1_000;

/** Writes what the service pushes into the watchlist, and puts off the next question about it. */
export class PushRecorder {
  readonly #core: MonitorCore;
  readonly #random: Random;
  readonly #unknown = new Set<string>();
  #unknownNotice: string | null = null;

  constructor(core: MonitorCore, random: Random) {
    this.#core = core;
    this.#random = random;
  }

  /** Records a pushed record; resolves when it is written. Rejects with a `StoreError`, which is told to the user too. */
  async record(record: TrackingRecord): Promise<'stored' | 'unknown'> {
    const { log, store } = this.#core;
    // Another process may have added the number a moment ago.
    await this.#telling(() => log.follow());
    const addressee = findAddressee(record, log.parcels());
    if (addressee === null) {
      this.#tellUnknown(record);
      return 'unknown';
    }
    const { id } = addressee;
    const historyId = historyIdOf(addressee);
    const history = await this.#telling(() =>
      store.updateHistory(historyId, (known) => mergePossiblyLate(known, record)),
    );
    const { serviceClock } = this.#core.state.get();
    const planning: Planning = {
      now: this.#core.clock.now(),
      serviceClock,
      policy: this.#core.policy,
      chance: this.#random(),
    };
    await log.commit((watchlist) =>
      changeParcel(watchlist, id, (parcel) =>
        // Another courier makes it another parcel.
        sameCourier(parcel.courierCode, addressee.courierCode) ? applyPush(parcel, history, record, planning) : parcel,
      ),
    );
    const current = log.find(id);
    const isOrphan = current === null || historyIdOf(current) !== historyId;
    if (isOrphan) await this.#telling(() => store.removeHistory(historyId));
    return 'stored';
  }

  /** Whoever pushed hears of a failure as well, but can do nothing about our disk. */
  async #telling<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const storeError = toStoreError(error, 'the watchlist');
      this.#core.notify(storeError.message);
      throw storeError;
    } finally {
      this.#core.collectNotices();
    }
  }

  /** One notice for all of them: the account's other parcels must not bury what concerns ours. */
  #tellUnknown({ trackNo, courierCode }: TrackingRecord): void {
    const name = courierCode === null ? trackNo : `${trackNo} (${courierCode})`;
    if (this.#unknown.has(name) || this.#unknown.size >= mostUnknown) return;
    this.#unknown.add(name);
    if (this.#unknownNotice !== null) this.#core.unnotify(this.#unknownNotice);
    this.#unknownNotice =
      this.#unknown.size === 1
        ? `The service pushed an update of ${name}, which is not watched here. Add it to see it.`
        : `The service pushed updates of ${this.#unknown.size} numbers that are not watched here, last of ${name}. Add them to see them.`;
    this.#core.notify(this.#unknownNotice);
  }
}

/** The parcel after a push whose checkpoints are in `history` already; a late one sets nothing back. */
function applyPush(parcel: Parcel, history: ParcelHistory, record: TrackingRecord, planning: Planning): Parcel {
  if (isLate(parcel.lastEvent, record)) return applyLateRecord(parcel, history);
  // A push that is silent about the next update takes nothing back.
  const nextUpdateTime = record.nextUpdateTime ?? parcel.record?.nextUpdateTime ?? null;
  const merged = knownToService(applyRecord(parcel, history, { ...record, nextUpdateTime }, planning.now));
  return { ...merged, ...planAfterPush(parcel, merged, record, planning) };
}

/** What the service tells of by itself it has not rejected, whatever it said before. */
function knownToService(parcel: Parcel): Parcel {
  return parcel.registration === 'rejected' ? { ...parcel, registration: 'registered', registeredAt: null } : parcel;
}
