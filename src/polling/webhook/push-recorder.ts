import type { CancelTimer, Clock, EpochMs } from '../../lib/clock.ts';
import { historyIdOf, sameCourier } from '../../parcels/identity.ts';
import { applyLateRecord, applyRecord, isLatePush, mergePush } from '../../parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../../parcels/parcel.ts';
import type { ParcelChange } from '../../parcels/parcel-list.ts';
import { nameOfCourier } from '../../service/couriers.ts';
import type { TrackingRecord } from '../../service/record.ts';
import { plausibleEvents } from '../../service/timeline-order.ts';
import { findAddressee } from '../match-responses.ts';
import type { MonitorCore } from '../monitor-core.ts';
import { type Planning, planAfterPush, withPlan } from '../schedule/schedule.ts';

type ReplaceNotice = (notice: string, previous: string | null) => void;

const noticeIntervalMs = 60_000;

/** A notice that is updated at most once a minute. */
class ThrottledNotice {
  readonly #clock: Clock;
  readonly #show: ReplaceNotice;
  #latest: string | null = null;
  #displayed: string | null = null;
  #cancelTimer: CancelTimer | null = null;

  constructor(clock: Clock, show: ReplaceNotice) {
    this.#clock = clock;
    this.#show = show;
  }

  update(notice: string): void {
    this.#latest = notice;
    if (this.#cancelTimer === null) this.#showLatest();
  }

  close(): void {
    this.cancel();
    this.#showLatest();
    this.cancel();
  }

  cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #showLatest(): void {
    this.#cancelTimer = null;
    if (this.#latest === null || this.#latest === this.#displayed) return;
    this.#show(this.#latest, this.#displayed);
    this.#displayed = this.#latest;
    this.#cancelTimer = this.#clock.setTimer(noticeIntervalMs, () => this.#showLatest());
  }
}

const maxUnknownNumbers = 1_000;
const maxNameLength = 40;
const maxBatchSize = 100;

type PushOutcome = 'stored' | 'unknown';

interface WaitingPush extends Pick<PromiseWithResolvers<PushOutcome>, 'reject' | 'resolve'> {
  readonly record: TrackingRecord;
  readonly sentAt: EpochMs | null;
}

interface AddressedPush extends WaitingPush {
  readonly addressee: Parcel;
}

export class PushRecorder {
  readonly #core: MonitorCore;
  readonly #waiting: WaitingPush[] = [];
  #isWriting = false;
  readonly #unknown = new Set<string>();
  readonly #unknownNotice: ThrottledNotice;

  constructor(core: MonitorCore) {
    this.#core = core;
    this.#unknownNotice = new ThrottledNotice(core.clock, (notice, previous) => {
      if (previous !== null) core.withdraw(previous);
      core.notify(notice);
    });
  }

  /**
   * Resolves when the record has been written. If the write fails, throws a `StoreError` and shows a notice. Pushes that
   * arrive during a write are written together.
   */
  async record(record: TrackingRecord, sentAt: EpochMs | null): Promise<PushOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<PushOutcome>();
    this.#waiting.push({ record, sentAt, resolve, reject });
    if (!this.#isWriting) void this.#writeAll();
    return await promise;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxBatchSize);
      try {
        await this.#writeBatch(batch);
      } catch (error) {
        // Rejecting a push that is already settled has no effect. Deferred pushes are still in the queue.
        for (const push of batch) if (!this.#waiting.includes(push)) push.reject(error);
      }
    }
    this.#isWriting = false;
  }

  async #writeBatch(batch: readonly WaitingPush[]): Promise<void> {
    const { clock, log } = this.#core;
    // Show failures to the user as well: the service, which gets the reply, cannot fix our disk.
    const withNotice = this.#core.withFailureNotice.bind(this.#core);
    // Another process may have just added one of the numbers.
    await withNotice(() => log.follow());
    const addressed = this.#address(batch);
    const changes = new Map<string, ParcelChange>();
    const recorded = await Promise.all(
      addressed.map(async (push) => {
        const { addressee, record, sentAt, reject } = push;
        const historyId = historyIdOf(addressee);
        const now = clock.now();
        try {
          const history = await withNotice(() =>
            this.#core.updateHistory(historyId, (history) => {
              const lastEvent = plausibleEvents(history.checkpoints)[0] ?? null;
              return mergePush(history, record, isLatePush({ ...addressee, lastEvent }, record, sentAt));
            }),
          );
          const planning = this.#core.planning(now);
          changes.set(addressee.id, (parcel) =>
            // If its courier has changed since, it is a different parcel.
            sameCourier(parcel.courierCode, addressee.courierCode)
              ? applyPush(parcel, history, push, planning)
              : parcel,
          );
          return push;
        } catch (error) {
          reject(error);
          return null;
        }
      }),
    );
    if (changes.size > 0) await log.commitChanges(changes);
    for (const push of recorded) {
      if (push === null) continue;
      await this.#core.dropOrphan(push.addressee, historyIdOf(push.addressee));
      push.resolve('stored');
    }
  }

  /** Finds the parcels. A second push for the same parcel is deferred until the first has been written. */
  #address(batch: readonly WaitingPush[]): readonly AddressedPush[] {
    const parcels = this.#core.log.parcels();
    const addressed = new Map<string, AddressedPush>();
    const deferred: WaitingPush[] = [];
    for (const push of batch) {
      const addressee = findAddressee(push.record, parcels);
      if (addressee === null) {
        this.#notifyUnknown(push.record);
        push.resolve('unknown');
      } else if (addressed.has(addressee.id)) {
        deferred.push(push);
      } else {
        addressed.set(addressee.id, { ...push, addressee });
      }
    }
    this.#waiting.unshift(...deferred);
    return [...addressed.values()];
  }

  stop(): void {
    this.#unknownNotice.cancel();
  }

  /** Shows a single notice, because the account may have many parcels that are not on the watchlist. */
  #notifyUnknown({ trackNo, courierCode }: TrackingRecord): void {
    const name =
      courierCode === null ? shorten(trackNo) : `${shorten(trackNo)} (${shorten(nameOfCourier(courierCode))})`;
    if (this.#unknown.has(name) || this.#unknown.size >= maxUnknownNumbers) return;
    this.#unknown.add(name);
    const { size } = this.#unknown;
    this.#unknownNotice.update(
      size === 1
        ? `The service pushed an update for ${name}, which is not on your list. Add it to see it.`
        : `The service pushed updates for ${size === maxUnknownNumbers ? 'at least ' : ''}${size} numbers that are not on your list, most recently ${name}. Add them to track them.`,
    );
  }
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength).join('')}…` : text;
}

function applyPush(
  parcel: Parcel,
  history: ParcelHistory,
  { record, sentAt }: WaitingPush,
  planning: Planning,
): Parcel {
  if (isLatePush(parcel, record, sentAt)) return applyLateRecord(parcel, history);
  // If the push does not include the next update, keep the known one.
  const nextUpdateTime = record.nextUpdateTime ?? parcel.record?.nextUpdateTime ?? null;
  const applied = applyRecord(parcel, history, { ...record, nextUpdateTime }, planning.now);
  const merged: Parcel =
    parcel.registration === 'rejected' ? { ...applied, registration: 'registered', registeredAt: null } : applied;
  return withPlan(merged, planAfterPush(parcel, merged, record, planning));
}

export class RefusedCallbacks extends ThrottledNotice {
  #count = 0;

  add(reason: string, advice: string): void {
    this.#count += 1;
    const subject = this.#count === 1 ? 'A webhook callback was' : `${this.#count} webhook callbacks were`;
    this.update(`${subject} refused. ${reason} ${advice}`);
  }
}
