import { type ChangePath, createAccountActions } from '../../polling/account/account-actions.ts';
import type { Monitor } from '../../polling/core/state.ts';
import type { ServiceError } from '../../service/failures/errors.ts';
import type { AccountService } from '../../service/port.ts';
import { sameCourier } from '../../watchlist/model/identity.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ParcelEdit } from '../../watchlist/model/parcel-factory.ts';
import type { CommandContext } from '../session/context.ts';
import { withTraceId } from '../session/failure.ts';
import { say } from '../session/session.ts';

/** Where an edit is made. */
interface EditPlaces {
  readonly monitor: Monitor;
  /** Null when it is not configured, or when the edit does not concern it. */
  readonly service: AccountService | null;
}

/**
 * Makes an edit, at the service first; answers in words what the service took. Standard error says why it did not take
 * a change. Rejects with a `ServiceError` when the service fails; then the rest of the edit has not been made.
 */
export async function applyEdit(
  context: Pick<CommandContext, 'stderr'>,
  { monitor, service }: EditPlaces,
  parcel: Parcel,
  { courierCode, label, postalCode, phoneSuffix, addTags, removeTags }: ParcelEdit,
): Promise<readonly string[]> {
  const reportRefusal = ({ message, traceId }: ServiceError): void => {
    say(context, withTraceId(`${parcel.trackNo} is registered again instead. ${message}`, traceId));
  };
  const actions = createAccountActions(monitor, service, reportRefusal);
  const done: string[] = [];
  if (courierCode !== undefined) {
    const isAnother = courierCode !== null && !sameCourier(courierCode, parcel.courierCode);
    if (isAnother) done.push(...courierWords(await actions.changeCourier(parcel.id, courierCode), parcel, courierCode));
    else await monitor.edit(parcel.id, { courierCode });
  }
  const extras = {
    ...(postalCode === undefined ? {} : { postalCode }),
    ...(phoneSuffix === undefined ? {} : { phoneSuffix }),
  };
  if (Object.keys(extras).length > 0) done.push(...extrasWords(await actions.setExtras(parcel.id, extras)));
  const own = {
    ...(label === undefined ? {} : { label }),
    ...(addTags === undefined ? {} : { addTags }),
    ...(removeTags === undefined ? {} : { removeTags }),
  };
  if (Object.keys(own).length > 0) await monitor.edit(parcel.id, own);
  return done;
}

function courierWords(path: ChangePath, parcel: Parcel, courierCode: string): readonly string[] {
  switch (path) {
    case 'changed':
      return [`moved to ${courierCode} at the service`];
    case 'registered-again':
      return [
        `to be registered again under ${courierCode} (the service keeps it under ${parcel.courierCode ?? 'none'}, too)`,
      ];
    case 'local':
      return [];
  }
}

function extrasWords(path: ChangePath): readonly string[] {
  switch (path) {
    case 'changed':
      return ['the service has it'];
    case 'registered-again':
      return ['goes to the service with a new registration'];
    case 'local':
      return [];
  }
}
