import { KeyRefusedError, OperationMissingError, RequestRefusedError } from '../service/errors.ts';
import type { AccountService } from '../service/port.ts';
import type { RetrackOutcome } from '../service/record.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import type { Monitor } from './state.ts';

/** Extra information to set; null clears, an absent one stays. */
export interface ExtrasChange {
  readonly postalCode?: string | null;
  readonly phoneSuffix?: string | null;
}

/** How a change reached the service: as a change there, by registering anew, or only here because nothing is registered. */
export type ChangePath = 'changed' | 'registered-anew' | 'local';

/**
 * What can be done at the service beyond asking, kept in step with the watchlist. The service comes first: when it
 * fails, the watchlist stays as it was. All methods reject with a `ServiceError` or a `StoreError`.
 */
export interface AccountActions {
  /** Lets the service ask the courier anew (once in six hours for a number), then asks the service. */
  retrack(parcelId: string): Promise<RetrackOutcome>;
  /** Deletes the number at the service, then forgets it here. A number that the service does not know counts as deleted. */
  deleteEverywhere(parcelId: string): Promise<void>;
  /** Moves the number to another courier. */
  changeCourier(parcelId: string, courierCode: string): Promise<ChangePath>;
  setExtras(parcelId: string, extras: ExtrasChange): Promise<ChangePath>;
}

/** A parcel that the service holds under a courier that we know. */
interface HeldParcel extends Parcel {
  readonly courierCode: string;
}

const isHeld = (parcel: Parcel): parcel is HeldParcel =>
  parcel.registration === 'registered' && parcel.courierCode !== null;

/** Makes the actions; without a service (no key) what can be done here only is done, the rest is refused. */
export function createAccountActions(monitor: Monitor, service: AccountService | null): AccountActions {
  const find = (parcelId: string): Parcel => {
    const parcel = monitor.getState().parcels.find((candidate) => candidate.id === parcelId);
    if (parcel === undefined) throw new RequestRefusedError('This parcel is not watched any more.');
    return parcel;
  };
  /** Tries a change at the service; one that it does not take or does not know is left to a new registration. */
  const atService = async (change: () => Promise<void>): Promise<ChangePath> => {
    try {
      await change();
      return 'changed';
    } catch (error) {
      if (error instanceof RequestRefusedError || error instanceof OperationMissingError) return 'registered-anew';
      throw error;
    }
  };

  return {
    async retrack(parcelId) {
      if (service === null) {
        throw new KeyRefusedError('There is no API key, so the courier cannot be asked. Set PARCEL_MONITOR_API_KEY.');
      }
      const { trackNo, courierCode } = find(parcelId);
      const [outcome] = await service.retrack([{ trackNo, courierCode }]);
      if (outcome?.accepted === true) await monitor.refresh([parcelId]);
      return outcome ?? { trackNo, courierCode, accepted: false, actualRefreshTime: null, message: null };
    },

    async deleteEverywhere(parcelId) {
      const { trackNo, courierCode, registration } = find(parcelId);
      if (service !== null && registration === 'registered') {
        const [rejection] = await service.delete([{ trackNo, courierCode }]);
        if (rejection !== undefined && !/not registered/i.test(rejection.message)) {
          throw new RequestRefusedError(`The service did not delete ${trackNo}. It says: "${rejection.message}".`, {
            code: rejection.code,
          });
        }
      }
      await monitor.remove(parcelId);
    },

    async changeCourier(parcelId, courierCode) {
      const parcel = find(parcelId);
      const key = isHeld(parcel) ? { trackNo: parcel.trackNo, courierCode: parcel.courierCode } : null;
      const path =
        service === null || key === null || key.courierCode === courierCode
          ? 'local'
          : await atService(() => service.changeCourier(key, courierCode));
      // Registering what the service has moved already is answered with "registered already", which is a success.
      await monitor.edit(parcelId, { courierCode });
      return path;
    },

    async setExtras(parcelId, extras) {
      const parcel = find(parcelId);
      const path =
        service === null || !isHeld(parcel)
          ? 'local'
          : await atService(() =>
              service.edit({
                trackNo: parcel.trackNo,
                courierCode: parcel.courierCode,
                ...(extras.postalCode == null ? {} : { postalCode: extras.postalCode }),
                ...(extras.phoneSuffix == null ? {} : { phoneSuffix: extras.phoneSuffix }),
              }),
            );
      await monitor.edit(parcelId, extras);
      return path;
    },
  };
}
