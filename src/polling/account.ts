import { toError } from '../lib/error-text.ts';
import { isSameNumber } from '../lib/text.ts';
import { sameCourier } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { KeyRefusedError, OperationMissingError, RequestRefusedError, type ServiceError } from '../service/errors.ts';
import type { AccountService } from '../service/port.ts';
import type { Rejection, RetrackOutcome, TrackKey } from '../service/record.ts';
import { isNotRegistered } from '../service/requests.ts';
import type { Monitor } from './monitor.ts';
import { type ExtrasChange, givenExtras } from './sent-fields.ts';

type Deletion =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly message: string; readonly code: string | null };

/** Deletes up to one batch. If the service refuses the batch, deletes the numbers one by one. Throws a `ServiceError`. */
export async function deleteAtService(
  service: Pick<AccountService, 'delete'>,
  keys: readonly TrackKey[],
  signal?: AbortSignal,
): Promise<readonly Deletion[]> {
  if (keys.length === 0) return [];
  try {
    const rejections = await service.delete(keys, signal);
    return keys.map((key) => deletionOf(rejections.find((rejection) => isAbout(rejection, key))));
  } catch (error) {
    if (!(error instanceof RequestRefusedError)) throw error;
    if (keys.length === 1) return [deletionOf({ message: error.message, code: error.code })];
    const deletions: Deletion[] = [];
    for (const key of keys) deletions.push(...(await deleteAtService(service, [key], signal)));
    return deletions;
  }
}

function isAbout({ trackNo, courierCode }: Rejection, key: TrackKey): boolean {
  const isOtherCourier = courierCode !== null && key.courierCode !== null && !sameCourier(courierCode, key.courierCode);
  return trackNo !== null && isSameNumber(trackNo, key.trackNo) && !isOtherCourier;
}

function deletionOf(rejection: Pick<Rejection, 'message' | 'code'> | undefined): Deletion {
  if (rejection === undefined) return { kind: 'deleted' };
  const { message, code } = rejection;
  return isNotRegistered(rejection) ? { kind: 'unknown' } : { kind: 'refused', message, code };
}

/** `local`: changed only here, because the number is not registered or there is no service. */
export type ChangePath = 'changed' | 'registered-again' | 'local';

const keyOf = ({ courierCode, trackNo }: Parcel): TrackKey => ({ trackNo, courierCode });

const isHeld = (parcel: Parcel): parcel is Parcel & { readonly courierCode: string } =>
  parcel.registration === 'registered' && parcel.courierCode !== null;

/** Actions that change a parcel first at the service and then here. All throw a `ServiceError` or a `StoreError`. */
export type AccountActions = ReturnType<typeof createAccountActions>;

/**
 * Creates the account's actions. Without a service, all changes are local. If the service refuses a change, the number
 * is registered again instead, and `onRefusal` is called with the reason.
 */
export function createAccountActions(
  monitor: Monitor,
  service: AccountService | null,
  onRefusal: (error: ServiceError) => void = () => {},
) {
  const find = (parcelId: string): Parcel => {
    const parcel = monitor.getState().parcels.find((candidate) => candidate.id === parcelId);
    if (parcel === undefined) throw new RequestRefusedError('This parcel is no longer on the list.');
    return parcel;
  };
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
  const deleteTogether = async (parcelIds: readonly string[]): Promise<ReadonlyMap<string, Error>> => {
    const parcels = parcelIds.map(find);
    const registered = service === null ? [] : parcels.filter(({ registration }) => registration === 'registered');
    const deletions = service === null ? [] : await deleteAtService(service, registered.map(keyOf));
    const failures = new Map<string, Error>();
    for (const [position, { id, trackNo }] of registered.entries()) {
      const deletion = deletions[position];
      if (deletion?.kind !== 'refused') continue;
      const { code, message } = deletion;
      const sentence = `The service did not delete ${trackNo}: "${message}".`;
      failures.set(id, new RequestRefusedError(sentence, { code }));
    }
    const deleted = parcels.filter(({ id }) => !failures.has(id));
    // Removed in parallel, so that they are written together.
    const removals = await Promise.allSettled(
      deleted.map((parcel) => monitor.remove(parcel.id, { deletedAtService: registered.includes(parcel) })),
    );
    for (const [position, { id }] of deleted.entries()) {
      const removal = removals[position];
      if (removal?.status === 'rejected') failures.set(id, toError(removal.reason));
    }
    return failures;
  };

  return {
    /** Makes the service query the courier again (once in six hours per number), then queries the service. */
    async retrack(parcelId: string): Promise<RetrackOutcome> {
      if (service === null) {
        throw new KeyRefusedError({
          what: 'No API key is set, so the courier cannot be asked for an update.',
          advice: 'Set PARCEL_MONITOR_API_KEY.',
        });
      }
      const { trackNo, courierCode } = find(parcelId);
      const [outcome] = await service.retrack([{ trackNo, courierCode }]);
      if (outcome?.accepted === true) {
        const { failure } = await monitor.refresh([parcelId]);
        if (failure !== null) throw failure;
      }
      return outcome ?? { trackNo, courierCode, accepted: false, actualRefreshTime: null, message: null };
    },

    /** Deletes up to one batch. A number that the service does not know counts as deleted. Returns the failures by id. */
    deleteTogether,

    async changeCourier(parcelId: string, courierCode: string): Promise<ChangePath> {
      const parcel = find(parcelId);
      const key = isHeld(parcel) ? { trackNo: parcel.trackNo, courierCode: parcel.courierCode } : null;
      const path =
        service === null || key === null || key.courierCode === courierCode
          ? 'local'
          : await atService(() => service.changeCourier(key, courierCode));
      await monitor.edit(parcelId, { courierCode, ...(path === 'changed' ? { knownToService: true } : {}) });
      return path;
    },

    async setExtras(parcelId: string, extras: ExtrasChange): Promise<ChangePath> {
      const parcel = find(parcelId);
      const path = await pathOfExtras(parcel, givenExtras(extras));
      await monitor.edit(parcelId, { ...extras, ...(path === 'changed' ? { knownToService: true } : {}) });
      return path;
    },
  };
}
