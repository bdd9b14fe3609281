import type { TrackingService } from '../../service/port.ts';
import {
  type CourierDirectory,
  createCourierDirectory,
  type SharedCouriers,
} from '../../watchlist/state/courier-directory.ts';
import type { Places } from './stores.ts';

/** The couriers of Get Carriers as this machine keeps them; null for no service to fetch them, and for no other hosts to share them with. */
export function courierDirectory(
  { context, paths }: Places,
  service: Pick<TrackingService, 'couriers'> | null = null,
  shared: SharedCouriers | null = null,
): CourierDirectory {
  const { clock, processes, random } = context;
  return createCourierDirectory({ path: paths.couriers, service, clock, random, processes, shared });
}
