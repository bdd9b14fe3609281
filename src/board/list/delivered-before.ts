import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import type { Viewing } from '../status/status-now.ts';
import { dateInZone } from '../time/zone-time.ts';
import { lastEventDay } from './groups.ts';

/** Watched parcels that were delivered before the viewer's day: those that the list has not under today's deliveries. */
export function deliveredBeforeToday(parcels: readonly Parcel[], { now, zone }: Viewing): readonly Parcel[] {
  const today = dateInZone(now, zone);
  const isOver = (parcel: Parcel): boolean => (lastEventDay(parcel, zone) ?? '') < today;
  return parcels.filter(
    (parcel) => parcel.archivedAt === null && parcelStage(parcel) === 'delivered' && isOver(parcel),
  );
}
