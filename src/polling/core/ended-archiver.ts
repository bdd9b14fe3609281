import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { autoArchiveParcel } from '../../watchlist/model/parcel-factory.ts';
import { type ArchiveDays, isLongOver } from '../../watchlist/rules/delivery.ts';
import type { MonitorCore } from './monitor-core.ts';

/** Archives what was delivered or closed long ago, so that a board that stays open for months shows what is under way. */
export class EndedArchiver {
  readonly #core: MonitorCore;
  readonly #afterDays: ArchiveDays;
  #lookedAt: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(core: MonitorCore, afterDays: ArchiveDays) {
    this.#core = core;
    this.#afterDays = afterDays;
  }

  /** Archives what is due for it; to be called again and again, and looks at the parcels only now and then. */
  async look(): Promise<void> {
    const { clock, policy } = this.#core;
    const now = clock.now();
    const { closed, delivered } = this.#afterDays;
    if (closed <= 0 && delivered <= 0) return;
    // In both directions: a clock may be set back.
    if (Math.abs(now - this.#lookedAt) < policy.archiveLookMs) return;
    this.#lookedAt = now;
    // What only a push told is confirmed by a query first.
    const isDue = (parcel: Parcel): boolean =>
      parcel.unconfirmedSince === undefined && isLongOver(parcel, this.#afterDays, now);
    const due = this.#core.log.parcels().filter(isDue);
    if (due.length === 0) return;
    // Looked at once more: somebody may have restored it meanwhile.
    const archive = (parcel: Parcel): Parcel => (isDue(parcel) ? autoArchiveParcel(parcel, now) : parcel);
    await this.#core.changeTolerantly(new Map(due.map(({ id }) => [id, archive])));
  }
}
