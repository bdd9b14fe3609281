import {
  KeyRefusedError,
  OperationMissingError,
  RequestRefusedError,
  type ServiceError,
} from '../../service/failures/errors.ts';
import { toError } from '../../service/failures/thrown.ts';
import type { AccountService } from '../../service/port.ts';
import type { RetrackOutcome, TrackingEdit, TrackKey } from '../../service/record/record.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ParcelEdit } from '../../watchlist/model/parcel-factory.ts';
import type { Monitor } from '../core/state.ts';
import { deleteAtService } from './delete-at-service.ts';

/** Extra information to set; null clears, an absent one stays. */
export type ExtrasChange = Pick<ParcelEdit, 'phoneSuffix' | 'postalCode'>;

/** How a change reached the service: as a change there, by registering again, or only here because nothing is registered. */
export type ChangePath = 'changed' | 'registered-again' | 'local';

/**
 * What can be done at the service beyond checks, kept in step with the watchlist. The service comes first: when it
 * fails, the watchlist stays as it was. All methods reject with a `ServiceError` or a `StoreError`.
 */
export interface AccountActions {
  /** Lets the service check with the courier again (once in six hours for a number), then queries the service. */
  retrack(parcelId: string): Promise<RetrackOutcome>;
  /**
   * Deletes numbers at the service, in one call, at most the operation's batch limit of them, then forgets them here. A number
   * that the service does not know counts as deleted. Answers why of those that were not deleted, by their ids.
   */
  deleteTogether(parcelIds: readonly string[]): Promise<ReadonlyMap<string, Error>>;
  /** Moves the number to another courier. */
  changeCourier(parcelId: string, courierCode: string): Promise<ChangePath>;
  setExtras(parcelId: string, extras: ExtrasChange): Promise<ChangePath>;
}

/** Those of the extras that are there, as the service takes them: it knows no way to clear one. */
export function givenExtras({
  postalCode,
  phoneSuffix,
}: ExtrasChange): Pick<TrackingEdit, 'phoneSuffix' | 'postalCode'> {
  return { ...(postalCode == null ? {} : { postalCode }), ...(phoneSuffix == null ? {} : { phoneSuffix }) };
}

const keyOf = ({ courierCode, trackNo }: Parcel): TrackKey => ({ trackNo, courierCode });

/** A parcel that the service holds under a courier that we know. */
interface HeldParcel extends Parcel {
  readonly courierCode: string;
}

const isHeld = (parcel: Parcel): parcel is HeldParcel =>
  parcel.registration === 'registered' && parcel.courierCode !== null;

/**
 * Makes the actions; without a service (no key) what can be done here only is done, the rest is refused. `onRefusal` is
 * called with the reason when the service did not take a change, so that the number is registered again.
 */
export function createAccountActions(
  monitor: Monitor,
  service: AccountService | null,
  onRefusal: (error: ServiceError) => void = () => {},
): AccountActions {
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
      if (!(error instanceof RequestRefusedError || error instanceof OperationMissingError)) throw error;
      onRefusal(error);
      return 'registered-again';
    }
  };
  const pathOfExtras = async (parcel: Parcel, given: ReturnType<typeof givenExtras>): Promise<ChangePath> => {
    if (service === null || !isHeld(parcel)) return 'local';
    if (Object.keys(given).length === 0) return 'registered-again';
    const { trackNo, courierCode } = parcel;
    return await atService(() => service.edit({ trackNo, courierCode, ...given }));
  };
  const deleteTogether: AccountActions['deleteTogether'] = async (parcelIds) => {
    const parcels = parcelIds.map(find);
    const held = service === null ? [] : parcels.filter(({ registration }) => registration === 'registered');
    const deletions = service === null ? [] : await deleteAtService(service, held.map(keyOf));
    const failures = new Map<string, Error>();
    for (const [position, { id, trackNo }] of held.entries()) {
      const deletion = deletions[position];
      if (deletion?.kind !== 'refused') continue;
      const { code, message } = deletion;
      const sentence = `The service did not delete ${trackNo}. It says: "${message}".`;
      failures.set(id, new RequestRefusedError(sentence, { code }));
    }
    const gone = parcels.filter(({ id }) => !failures.has(id));
    // Begun all at once, so that they are written at once.
    const removals = await Promise.allSettled(
      gone.map((parcel) => monitor.remove(parcel.id, { deletedAtService: held.includes(parcel) })),
    );
    for (const [position, { id }] of gone.entries()) {
      const removal = removals[position];
      if (removal?.status === 'rejected') failures.set(id, toError(removal.reason));
    }
    return failures;
  };

  return {
    async retrack(parcelId) {
      if (service === null) {
        throw new KeyRefusedError(
          'There is no API key, so a refresh at the courier cannot be requested. Set PARCEL_MONITOR_API_KEY.',
        );
      }
      const { trackNo, courierCode } = find(parcelId);
      const [outcome] = await service.retrack([{ trackNo, courierCode }]);
      if (outcome?.accepted === true) {
        const { failure } = await monitor.refresh([parcelId]);
        if (failure !== null) throw failure;
      }
      return outcome ?? { trackNo, courierCode, accepted: false, actualRefreshTime: null, message: null };
    },

    deleteTogether,

    async changeCourier(parcelId, courierCode) {
      const parcel = find(parcelId);
      const key = isHeld(parcel) ? { trackNo: parcel.trackNo, courierCode: parcel.courierCode } : null;
      const path =
        service === null || key === null || key.courierCode === courierCode
          ? 'local'
          : await atService(() => service.changeCourier(key, courierCode));
      await monitor.edit(parcelId, { courierCode, ...(path === 'changed' ? { knownToService: true } : {}) });
      return path;
    },

    async setExtras(parcelId, extras) {
      const parcel = find(parcelId);
      const path = await pathOfExtras(parcel, givenExtras(extras));
      await monitor.edit(parcelId, { ...extras, ...(path === 'changed' ? { knownToService: true } : {}) });
      return path;
    },
  };
}
