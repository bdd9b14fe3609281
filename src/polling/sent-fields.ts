import type { Parcel } from '../parcels/parcel.ts';
import { completeExtras, editParcel, type MerchantChange, type ParcelEdit } from '../parcels/parcel-factory.ts';
import type { ParcelChange } from '../parcels/parcel-list.ts';
import { recordStage } from '../parcels/parcel-stage.ts';
import { missingNeed, nameOfCourier } from '../service/couriers.ts';
import { OperationMissingError, RequestRefusedError, type ServiceError } from '../service/errors.ts';
import type { AccountService } from '../service/port.ts';
import type { MerchantFields, RegistrationItem, TrackingEdit } from '../service/record.ts';
import { formatServiceTime, type ServiceClock } from '../service/service-clock.ts';
import type { MonitorCore } from './monitor-core.ts';
import type { KnownExtras } from './response-recorder.ts';

export type ExtrasChange = Pick<ParcelEdit, 'phoneSuffix' | 'postalCode'>;

export function givenExtras({
  postalCode,
  phoneSuffix,
}: ExtrasChange): Pick<TrackingEdit, 'phoneSuffix' | 'postalCode'> {
  return { ...(postalCode == null ? {} : { postalCode }), ...(phoneSuffix == null ? {} : { phoneSuffix }) };
}

interface LateExtrasParts {
  readonly core: MonitorCore;
  readonly service: Pick<AccountService, 'edit'>;
  readonly knownExtras: KnownExtras;
  /** Returns a new signal after each stop. */
  readonly signal: () => AbortSignal;
  /** Called after a parcel's extras were sent, which makes it due. */
  readonly onSent: () => void;
}

/** Sends configured extras once if the courier becomes known only after the registration. Returns a function to stop. */
export function sendLateExtras({ core, service, knownExtras, signal, onSent }: LateExtrasParts): () => void {
  /** The `checkedAt` of each parcel at our last attempt, because there is one attempt per check. */
  const tried = new Map<string, string | null>();
  const refused = new Set<string>();

  const send = async (parcel: Parcel, edit: TrackingEdit): Promise<void> => {
    try {
      await service.edit(edit, signal());
    } catch (error) {
      // The poller shows other failures, and the next check triggers another attempt.
      if (error instanceof RequestRefusedError || error instanceof OperationMissingError) {
        refused.add(parcel.id);
        core.notify(refusalText(parcel, error));
      }
      return;
    }
    const complete: ParcelChange = (current) =>
      editParcel(current, { ...givenExtras(edit), knownToService: true }, core.clock.now());
    await core.tryChange(new Map([[parcel.id, complete]]));
    onSent();
  };

  return core.state.subscribe(() => {
    // Only the process that checked the parcel sends its extras.
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

function refusalText({ courierCode, trackNo }: Parcel, { message }: ServiceError): string {
  return `${trackNo}: the service did not accept the configured postal code or phone digits for ${courierCode === null ? 'its courier' : nameOfCourier(courierCode)}. ${message} Set them with "parcel-monitor edit", or press p on the board.`;
}

export function registrationItem(parcel: Parcel, serviceClock: ServiceClock): RegistrationItem {
  const { trackNo, courierCode, extras, merchant = {} } = parcel;
  const { postalCode, phoneSuffix } = extras;
  return { trackNo, courierCode, postalCode, phoneSuffix, ...merchantFields(merchant, serviceClock) };
}

/**
 * Returns the fields in the service's format: an empty string clears a field, and the shipping time is on the service
 * clock.
 */
export function merchantFields({ shippedAt, ...texts }: MerchantChange, serviceClock: ServiceClock): MerchantFields {
  const fields = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value ?? '']));
  if (shippedAt === null) return { ...fields, shipTime: '' };
  const shipTime = shippedAt === undefined ? '' : formatServiceTime(Date.parse(shippedAt), serviceClock);
  return shipTime === '' ? fields : { ...fields, shipTime };
}
