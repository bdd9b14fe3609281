import { CancelledError } from '../../service/failures/errors.ts';
import type { TrackingService } from '../../service/port.ts';

/** The call was not sent, because another process holds the lease. */
export class LeaseLostError extends CancelledError {}

/** The same service, which sends nothing that `mayCall` denies: such a call rejects with a {@link LeaseLostError}. */
export function leasedService(
  service: TrackingService,
  mayCall: (signal: AbortSignal | undefined) => boolean,
): TrackingService {
  const check = (signal: AbortSignal | undefined): void => {
    if (!mayCall(signal)) throw new LeaseLostError('Another parcel-monitor asks the service now.');
  };
  return {
    batchLimits: service.batchLimits,
    couriers: (signal) => service.couriers(signal),
    async register(items, signal) {
      check(signal);
      return await service.register(items, signal);
    },
    async query(keys, signal) {
      check(signal);
      return await service.query(keys, signal);
    },
  };
}
