import { toError } from '../lib/error-text.ts';
import { isSameNumber } from '../lib/text.ts';
import { sameCourier } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { completeExtras, editParcel, type MerchantChange, type ParcelEdit } from '../parcels/parcel-factory.ts';
import type { ParcelChange } from '../parcels/parcel-list.ts';
import { recordStage } from '../parcels/parcel-stage.ts';
import { missingNeed, nameOfCourier } from '../service/couriers.ts';
import { KeyRefusedError, OperationMissingError, RequestRefusedError, type ServiceError } from '../service/errors.ts';
import type { AccountService } from '../service/port.ts';
import type {
  MerchantFields,
  RegistrationItem,
  Rejection,
  RetrackOutcome,
  TrackingEdit,
  TrackKey,
} from '../service/record.ts';
import { isNotRegistered } from '../service/requests.ts';
import { formatServiceTime, type ServiceClock } from '../service/service-clock.ts';
import type { MonitorCore } from './monitor-core.ts';
import type { KnownExtras } from './response-recorder.ts';
import type { Monitor } from './state.ts';

type Deletion =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly message: string; readonly code: string | null };

/** Deletes at most one batch. If the service refuses it, deletes number by number. Throws a `ServiceError`. */
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
  const namesAnother = courierCode !== null && key.courierCode !== null && !sameCourier(courierCode, key.courierCode);
  return trackNo !== null && isSameNumber(trackNo, key.trackNo) && !namesAnother;
}

function deletionOf(rejection: Pick<Rejection, 'message' | 'code'> | undefined): Deletion {
  if (rejection === undefined) return { kind: 'deleted' };
  const { message, code } = rejection;
  return isNotRegistered(rejection) ? { kind: 'unknown' } : { kind: 'refused', message, code };
}

export type ExtrasChange = Pick<ParcelEdit, 'phoneSuffix' | 'postalCode'>;

/** `local`: changed only here, because nothing is registered. */
export type ChangePath = 'changed' | 'registered-again' | 'local';

/** Changes parcels at the service first, then here. All methods throw a `ServiceError` or a `StoreError`. */
export interface AccountActions {
  /** Asks the service to query the courier again (once in six hours per number), then queries the service. */
  retrack(parcelId: string): Promise<RetrackOutcome>;
  /** Deletes at most one batch. An unknown number counts as deleted. Returns failures by id. */
  deleteTogether(parcelIds: readonly string[]): Promise<ReadonlyMap<string, Error>>;
  changeCourier(parcelId: string, courierCode: string): Promise<ChangePath>;
  setExtras(parcelId: string, extras: ExtrasChange): Promise<ChangePath>;
}

function givenExtras({ postalCode, phoneSuffix }: ExtrasChange): Pick<TrackingEdit, 'phoneSuffix' | 'postalCode'> {
  return { ...(postalCode == null ? {} : { postalCode }), ...(phoneSuffix == null ? {} : { phoneSuffix }) };
}

const keyOf = ({ courierCode, trackNo }: Parcel): TrackKey => ({ trackNo, courierCode });

const isHeld = (parcel: Parcel): parcel is Parcel & { readonly courierCode: string } =>
  parcel.registration === 'registered' && parcel.courierCode !== null;

/**
 * Creates the actions of the account. Without a service, all changes are local. Calls `onRefusal` with the reason if a
 * number is registered again instead.
 */
export function createAccountActions(
  monitor: Monitor,
  service: AccountService | null,
  onRefusal: (error: ServiceError) => void = () => {},
): AccountActions {
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
    // All at once, so that they are written together.
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
        throw new KeyRefusedError({
          what: 'There is no API key, so the courier cannot be asked for an update.',
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

interface LateExtrasParts {
  readonly core: MonitorCore;
  readonly service: Pick<AccountService, 'edit'>;
  readonly knownExtras: KnownExtras;
  /** Returns a new signal after each stop. */
  readonly signal: () => AbortSignal;
  /** Called when a parcel has received its extras and is due. */
  readonly onSent: () => void;
}

/** Sends configured extras once if the courier becomes known after the registration. Returns a function to stop. */
export function sendLateExtras({ core, service, knownExtras, signal, onSent }: LateExtrasParts): () => void {
  /** The last answer about a parcel that lacks an extra, because each answer allows one try. */
  const tried = new Map<string, string | null>();
  const refused = new Set<string>();

  const send = async (parcel: Parcel, edit: TrackingEdit): Promise<void> => {
    try {
      await service.edit(edit, signal());
    } catch (error) {
      // The poller shows other failures. The next answer triggers another try.
      if (error instanceof RequestRefusedError || error instanceof OperationMissingError) {
        refused.add(parcel.id);
        core.notify(refusalOf(parcel, error));
      }
      return;
    }
    const complete: ParcelChange = (current) =>
      editParcel(current, { ...givenExtras(edit), knownToService: true }, core.clock.now());
    await core.changeTolerantly(new Map([[parcel.id, complete]]));
    onSent();
  };

  return core.state.subscribe(() => {
    // Only the process that has checked the parcel sends its extras.
    for (const id of core.state.get().checking) {
      const parcel = core.log.find(id);
      if (parcel === null || parcel.checkedAt === null) continue;
      if (tried.get(id) === parcel.checkedAt || refused.has(id)) continue;
      const edit = editFor(parcel, knownExtras);
      if (edit === null) continue;
      tried.set(id, parcel.checkedAt);
      void core.busy.during(() => send(parcel, edit));
    }
  });
}

function editFor(parcel: Parcel, knownExtras: KnownExtras): TrackingEdit | null {
  const { archivedAt, courierCode, extras, registration, trackNo } = parcel;
  if (courierCode === null || registration !== 'registered' || archivedAt !== null) return null;
  if (recordStage(parcel) !== 'no-record') return null;
  if (missingNeed(courierCode, extras) === null) return null;
  const complete = completeExtras(parcel, knownExtras(courierCode)).extras;
  if (missingNeed(courierCode, complete) !== null) return null;
  return { trackNo, courierCode, ...givenExtras(complete) };
}

function refusalOf({ courierCode, trackNo }: Parcel, { message }: ServiceError): string {
  return `${trackNo}: the service did not accept the configured postal code or phone digits for ${courierCode === null ? 'its courier' : nameOfCourier(courierCode)}. ${message} Set them with "parcel-monitor edit", or press p on the board.`;
}

export function registrationItem(parcel: Parcel, serviceClock: ServiceClock): RegistrationItem {
  const { trackNo, courierCode, extras, merchant = {} } = parcel;
  const { postalCode, phoneSuffix } = extras;
  return { trackNo, courierCode, postalCode, phoneSuffix, ...merchantFields(merchant, serviceClock) };
}

/**
 * Returns the fields as the service expects them: an empty text clears a field, the shipping time is on the service
 * clock.
 */
export function merchantFields({ shippedAt, ...texts }: MerchantChange, serviceClock: ServiceClock): MerchantFields {
  const fields = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value ?? '']));
  if (shippedAt === null) return { ...fields, shipTime: '' };
  const shipTime = shippedAt === undefined ? '' : formatServiceTime(Date.parse(shippedAt), serviceClock);
  return shipTime === '' ? fields : { ...fields, shipTime };
}
