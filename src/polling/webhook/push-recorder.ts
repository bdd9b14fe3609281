import type { CancelTimer, Clock, EpochMs } from '../../lib/clock.ts';
import { historyIdOf, sameCourier } from '../../parcels/identity.ts';
import { applyLateRecord, applyRecord, isLatePush, mergePush } from '../../parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../../parcels/parcel.ts';
import type { ParcelChange } from '../../parcels/parcel-list.ts';
import { nameOfCourier } from '../../service/couriers.ts';
import type { TrackingRecord } from '../../service/record.ts';
import { believed } from '../../service/timeline-order.ts';
import { findAddressee } from '../match-responses.ts';
import type { MonitorCore } from '../monitor-core.ts';
import { type Planning, planAfterPush, planned } from '../schedule/schedule.ts';

type ReplaceNotice = (notice: string, before: string | null) => void;

const shownMs = 60_000;

/** Replaces its notice at most once a minute. */
class ThrottledNotice {
  readonly #clock: Clock;
  readonly #show: ReplaceNotice;
  #newest: string | null = null;
  #shown: string | null = null;
  #cancelTimer: CancelTimer | null = null;

  constructor(clock: Clock, show: ReplaceNotice) {
    this.#clock = clock;
    this.#show = show;
  }

  update(notice: string): void {
    this.#newest = notice;
    if (this.#cancelTimer === null) this.#showNewest();
  }

  close(): void {
    this.cancel();
    this.#showNewest();
    this.cancel();
  }

  cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #showNewest(): void {
    this.#cancelTimer = null;
    if (this.#newest === null || this.#newest === this.#shown) return;
    this.#show(this.#newest, this.#shown);
    this.#shown = this.#newest;
    this.#cancelTimer = this.#clock.setTimer(shownMs, () => this.#showNewest());
  }
}

/** Maximum number of unwatched numbers that are counted. */
const maxUnknown = 1_000;
const maxNameLength = 40;

const maxTogether = 100;

type PushOutcome = 'stored' | 'unknown';

interface WaitingPush {
  readonly record: TrackingRecord;
  readonly sentAt: EpochMs | null;
  resolve(outcome: PushOutcome): void;
  reject(error: unknown): void;
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
    this.#unknownNotice = new ThrottledNotice(core.clock, (notice, before) => {
      if (before !== null) core.withdraw(before);
      core.notify(notice);
    });
  }

  /**
   * Resolves when the record is written. Throws a `StoreError` and shows it as a notice. Pushes that arrive during a
   * write are written together.
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
      const taken = this.#waiting.splice(0, maxTogether);
      try {
        await this.#writeTogether(taken);
      } catch (error) {
        // A settled promise keeps its result. Deferred pushes wait for their turn.
        for (const push of taken) if (!this.#waiting.includes(push)) push.reject(error);
      }
    }
    this.#isWriting = false;
  }

  async #writeTogether(taken: readonly WaitingPush[]): Promise<void> {
    const { clock, log } = this.#core;
    // Only the user can fix problems of our disk.
    const showing = this.#core.showingFailure.bind(this.#core);
    // Another process may have just added a number.
    await showing(() => log.follow());
    const addressed = this.#address(taken);
    const changes = new Map<string, ParcelChange>();
    const written = await Promise.all(
      addressed.map(async (push) => {
        const { addressee, record, sentAt, reject } = push;
        const historyId = historyIdOf(addressee);
        const now = clock.now();
        try {
          const history = await showing(() =>
            this.#core.updateHistory(historyId, (known) => {
              const lastEvent = believed(known.checkpoints)[0] ?? null;
              return mergePush(known, record, isLatePush({ ...addressee, lastEvent }, record, sentAt));
            }),
          );
          const planning = this.#core.planning(now);
          changes.set(addressee.id, (parcel) =>
            // Another courier means another parcel.
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
    for (const push of written) {
      if (push === null) continue;
      await this.#core.dropOrphan(push.addressee, historyIdOf(push.addressee));
      push.resolve('stored');
    }
  }

  /** Finds the parcels. A second push about the same parcel waits until the first is written. */
  #address(taken: readonly WaitingPush[]): readonly AddressedPush[] {
    const parcels = this.#core.log.parcels();
    const addressed = new Map<string, AddressedPush>();
    const later: WaitingPush[] = [];
    for (const push of taken) {
      const addressee = findAddressee(push.record, parcels);
      if (addressee === null) {
        this.#notifyUnknown(push.record);
        push.resolve('unknown');
      } else if (addressed.has(addressee.id)) {
        later.push(push);
      } else {
        addressed.set(addressee.id, { ...push, addressee });
      }
    }
    this.#waiting.unshift(...later);
    return [...addressed.values()];
  }

  stop(): void {
    this.#unknownNotice.cancel();
  }

  /** One notice for all: an account may have many parcels that are not on the watchlist. */
  #notifyUnknown({ trackNo, courierCode }: TrackingRecord): void {
    const name =
      courierCode === null ? shortened(trackNo) : `${shortened(trackNo)} (${shortened(nameOfCourier(courierCode))})`;
    if (this.#unknown.has(name) || this.#unknown.size >= maxUnknown) return;
    this.#unknown.add(name);
    const { size } = this.#unknown;
    this.#unknownNotice.update(
      size === 1
        ? `The service pushed an update of ${name}, which is not on your list. Add it to see it.`
        : `The service pushed updates of ${size === maxUnknown ? 'at least ' : ''}${size} numbers that are not on your list, most recently ${name}. Add them to see them.`,
    );
  }
}

function shortened(text: string): string {
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
  // A push without a next update keeps the known one.
  const nextUpdateTime = record.nextUpdateTime ?? parcel.record?.nextUpdateTime ?? null;
  const applied = applyRecord(parcel, history, { ...record, nextUpdateTime }, planning.now);
  const merged: Parcel =
    parcel.registration === 'rejected' ? { ...applied, registration: 'registered', registeredAt: null } : applied;
  return planned(merged, planAfterPush(parcel, merged, record, planning));
}

export class RefusedCallbacks extends ThrottledNotice {
  #count = 0;

  add(reason: string, advice: string): void {
    this.#count += 1;
    const refused = this.#count === 1 ? 'A webhook callback was' : `${this.#count} webhook callbacks were`;
    this.update(`${refused} refused. ${reason} ${advice}`);
  }
}
