import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import type { Viewing } from '../status/status-now.ts';
import { instantOf } from '../status/view-stage.ts';
import { dateInZone } from '../time/zone-time.ts';

/** Watched parcels that were delivered before the viewer's day: those that the list has not under today's deliveries. */
export function deliveredBeforeToday(parcels: readonly Parcel[], { now, zone }: Viewing): readonly Parcel[] {
  const today = dateInZone(now, zone);
  return parcels.filter(
    (parcel) => parcel.archivedAt === null && parcelStage(parcel) === 'delivered' && lastDayOf(parcel, zone) < today,
  );
}

/** The day of the last event, `YYYY-MM-DD`: the viewer's, or without a zone the courier's; empty where there is none. */
function lastDayOf({ lastEvent }: Parcel, zone: Zone): string {
  const at = instantOf(lastEvent?.at ?? null);
  return at === null ? (lastEvent?.local?.slice(0, 10) ?? '') : dateInZone(at, zone);
}
