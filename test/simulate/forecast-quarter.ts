import { forecastsOf } from '../../src/board/status/forecast.ts';
import { dayMs, type EpochMs, hourMs } from '../../src/lib/clock.ts';
import { parseJson } from '../../src/lib/json.ts';
import { Zone } from '../../src/lib/zone.ts';
import { type ForecastScore, journeyOf, scoreForecasts } from '../../src/parcels/days-in-transit.ts';
import { arrivedBy } from '../../src/parcels/delivery.ts';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { hasEnded, parcelStage } from '../../src/parcels/parcel-stage.ts';
import { isRefusal, openAccount } from '../../src/sandbox/world/account.ts';
import { decodeRecord } from '../../src/service/decode-record.ts';
import { historyFormat } from '../../src/store/watchlist-format.ts';

/** A shop that sends parcels each day and looks at its list each morning. */
interface Quarter {
  readonly seed: number;
  readonly parcelsADay: number;
}

interface QuarterScores {
  /** Of the forecasts as `stats` scores them: whole days, each parcel on its first day. */
  readonly byStats: ForecastScore;
  /** Of the days that were shown each morning, for parcels that have arrived since. */
  readonly shown: ForecastScore;
}

const start: EpochMs = Date.UTC(2026, 6, 1, 7, 0, 0);
const days = 91;
const zone = new Zone('Europe/Berlin');
const courierCodes = ['dhl', 'ups', 'fedex', 'yanwen', 'china-post', 'royal-mail'];

interface Followed {
  parcel: Parcel;
  history: ParcelHistory;
  /** Last days of the displayed forecasts. */
  readonly shown: EpochMs[];
}

/** Runs the sandbox's world and compares each forecast with the delivery. */
export function forecastQuarter({ parcelsADay, seed }: Quarter): QuarterScores {
  const account = openAccount({ seed, speed: 1 }, start);
  const all: Followed[] = [];
  const look = (now: EpochMs): void => {
    for (const one of all) {
      if (hasEnded(one.parcel)) continue;
      const [registration] = account.find(one.parcel.trackNo, null);
      if (registration === undefined) continue;
      const record = decodeRecord(parseJson(JSON.stringify(account.recordAt(registration, now))), now);
      if (record !== null) Object.assign(one, mergeRecord(one.parcel, one.history, record, now));
    }
  };
  for (let day = 0; day < days; day += 1) {
    const now = start + day * dayMs;
    look(now);
    const forecast = forecastsOf(
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
  for (let day = days; day < days + 60; day += 1) look(start + day * dayMs);
  const came = all.filter(({ parcel }) => parcelStage(parcel) === 'delivered');
  const results = came.flatMap(({ parcel, shown }) => {
    const at = arrivedBy(parcel);
    return at === null ? [] : shown.map((to) => zone.wallTime(at) < to + dayMs);
  });
  return {
    byStats: scoreForecasts(all.flatMap(({ parcel }) => journeyOf(parcel) ?? [])),
    shown: { made: results.length, right: results.filter(Boolean).length },
  };
}
