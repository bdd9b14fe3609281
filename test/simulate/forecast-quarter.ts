import { createForecasts } from '../../src/board/status/forecast.ts';
import { dayMs, type EpochMs, hourMs } from '../../src/lib/clock.ts';
import { Zone } from '../../src/lib/date-time.ts';
import { parseJson } from '../../src/lib/json.ts';
import { arrivedBy } from '../../src/parcels/delivery.ts';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { hasEnded, parcelStage } from '../../src/parcels/parcel-state.ts';
import { type ForecastScore, journeyOf, scoreForecasts } from '../../src/parcels/usual-times.ts';
import { isRefusal, openAccount } from '../../src/sandbox/world/account.ts';
import { decodeRecord } from '../../src/service/decode-record.ts';
import { historyFormat } from '../../src/store/file/formats.ts';

/** Options for a shop that sends parcels every day and checks its list every morning. */
interface Quarter {
  readonly seed: number;
  readonly parcelsADay: number;
}

interface QuarterScores {
  /** The score of the forecasts as `stats` computes it: whole days, each parcel on its first day. */
  readonly byStats: ForecastScore;
  /** The score of the days that were shown each morning, for parcels that arrived later. */
  readonly shown: ForecastScore;
}

const start: EpochMs = Date.UTC(2026, 6, 1, 7, 0, 0);
const days = 91;
const zone = new Zone('Europe/Berlin');
const courierCodes = ['dhl', 'ups', 'fedex', 'yanwen', 'china-post', 'royal-mail'];

interface FollowedParcel {
  parcel: Parcel;
  history: ParcelHistory;
  /** The last days of the forecasts that were shown. */
  readonly shown: EpochMs[];
}

/** Runs the sandbox's world, and compares each forecast with the delivery. */
export function forecastQuarter({ parcelsADay, seed }: Quarter): QuarterScores {
  const account = openAccount({ seed, speed: 1 }, start);
  const all: FollowedParcel[] = [];
  const update = (now: EpochMs): void => {
    for (const followed of all) {
      if (hasEnded(followed.parcel)) continue;
      const [registration] = account.find(followed.parcel.trackNo, null);
      if (registration === undefined) continue;
      const record = decodeRecord(parseJson(JSON.stringify(account.recordAt(registration, now))), now);
      if (record !== null) Object.assign(followed, mergeRecord(followed.parcel, followed.history, record, now));
    }
  };
  for (let day = 0; day < days; day += 1) {
    const now = start + day * dayMs;
    update(now);
    const forecast = createForecasts(
      all.map(({ parcel }) => parcel),
      { now, zone },
    );
    for (const { parcel, shown } of all) {
      const to = forecast(parcel)?.to;
      if (to !== undefined) shown.push(to);
    }
    for (let index = 0; index < parcelsADay; index += 1) {
      const addedAt = now + (index * 8 * hourMs) / parcelsADay;
      const trackNo = `QUARTER${seed}X${String(all.length).padStart(6, '0')}`;
      const courierCode = courierCodes[all.length % courierCodes.length] ?? null;
      const extra = { postalCode: '50667', phoneSuffix: '1234' };
      if (isRefusal(account.register({ trackNo, courierCode, merchant: {}, extra }, addedAt)))
        throw new Error(`${trackNo} was refused.`);
      const parcel = newParcel({ trackNo, courierCode, label: null, ...extra }, addedAt, () => 0);
      all.push({
        parcel: { ...parcel, id: trackNo, registration: 'registered' },
        history: historyFormat.empty,
        shown: [],
      });
    }
  }
  // Parcels in transit at the end of the quarter arrive later.
  for (let day = days; day < days + 60; day += 1) update(start + day * dayMs);
  const delivered = all.filter(({ parcel }) => parcelStage(parcel) === 'delivered');
  const results = delivered.flatMap(({ parcel, shown }) => {
    const at = arrivedBy(parcel);
    return at === null ? [] : shown.map((to) => zone.wallTime(at) < to + dayMs);
  });
  return {
    byStats: scoreForecasts(all.flatMap(({ parcel }) => journeyOf(parcel) ?? [])),
    shown: { made: results.length, right: results.filter(Boolean).length },
  };
}
