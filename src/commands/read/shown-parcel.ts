import type { EpochMs } from '../../service/clock/clock.ts';
import type { ServiceClock } from '../../service/clock/service-clock.ts';
import type { Parcel, ParcelHistory } from '../../watchlist/model/parcel.ts';
import type { UsualStillness } from '../../watchlist/rules/usual-stillness.ts';

/** Options of `show`. */
export interface ShowOptions {
  readonly json?: boolean;
  /** `event`, `utc`, `local` or an IANA zone; `event` when left out. */
  readonly zone?: string;
  readonly courier?: string;
  /** Query the courier now; the number need not be watched, and nothing is stored. */
  readonly instant?: boolean;
  /** With `instant` only. */
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  /** With `instant` only: language of the translations; empty for none. */
  readonly lang?: string;
  /** With `instant` only: even when the budget is used up. */
  readonly beyondBudget?: boolean;
}

/** What is printed of one parcel. */
export interface ShownParcel {
  readonly parcel: Parcel;
  readonly history: ParcelHistory;
  readonly serviceClock: ServiceClock;
  /** True while automatic checks are paused because the user said so. */
  readonly isPaused: boolean;
  /** For how long parcels usually stand still, by the watchlist. */
  readonly usual: UsualStillness;
  /** On the clock that all who share the watchlist go by. */
  readonly now: EpochMs;
  /** False for a number that is not on the watchlist. */
  readonly watched: boolean;
}
