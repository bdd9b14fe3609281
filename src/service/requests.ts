import { integerField, isJsonObject, type JsonObject, type JsonValue, objectField, textField } from '../lib/json.ts';
import { foldNumber, reasonText } from '../lib/text.ts';
import { courierCodeOrNull } from '../lib/track-number.ts';
import { arrayOrEmpty, decodeEach } from './decode-record.ts';
import { dataKeptClause, type Envelope, partsOf } from './failures.ts';
import {
  BadResponseError,
  type InstantItem,
  type MerchantFields,
  type Operation,
  type RegistrationItem,
  type Rejection,
  type TrackKey,
} from './port.ts';

export function emptyResponse(operation: Operation, { traceId }: Envelope): BadResponseError {
  return new BadResponseError(
    {
      what: `The response to "${operation.title}" reports success but contains no data.`,
      advice: null,
      consequence: dataKeptClause,
    },
    { traceId },
  );
}

/** Returns the parts of the data. Throws a {@link BadResponseError} if the response reports success but has no data. */
export function requireParts(operation: Operation, envelope: Envelope) {
  const parts = partsOf(envelope.data);
  if (parts.accepted === undefined && parts.rejected === undefined) throw emptyResponse(operation, envelope);
  return parts;
}

const merchantFields = ['orderNo', 'country', 'shipTime', 'customerEmail', 'remark', 'custom1', 'custom2'] as const;

export function keyBody({ trackNo, courierCode }: TrackKey): JsonObject {
  return courierCode === null ? { trackNo } : { trackNo, courierCode };
}

export function merchantBody(fields: MerchantFields): JsonObject {
  return Object.fromEntries(
    merchantFields.flatMap((name): [string, string][] => {
      const value = fields[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the additional data that some couriers require (`service/README.md`, "Couriers that need more"). */
export function extrasBody(postalCode: string | null | undefined, phoneSuffix: string | null | undefined): JsonObject {
  return {
    ...(postalCode == null ? {} : { postalCode }),
    ...(phoneSuffix == null ? {} : { extendFieldMap: { phoneSuffix } }),
  };
}

export function registrationBody(item: RegistrationItem): JsonObject {
  return { ...keyBody(item), ...merchantBody(item), ...extrasBody(item.postalCode, item.phoneSuffix) };
}

export function instantBody({ lang, ...item }: InstantItem): JsonObject {
  return { ...registrationBody(item), ...(lang === undefined ? {} : { lang }) };
}

/** Decodes an entry of `data.rejected` (`service/README.md`, "Rejections"). */
function decodeRejection(value: JsonValue): Rejection | null {
  if (typeof value === 'string') return decodeRejection({ trackNo: value });
  if (!isJsonObject(value)) return null;
  const error = objectField(value, 'error');
  const plainError = textField(value, 'error');
  return {
    index: integerField(value, 'index'),
    trackNo: textField(value, 'trackNo'),
    courierCode: courierCodeOrNull(textField(value, 'courierCode')),
    code: textField(error, 'code') ?? textField(value, 'code') ?? textField(value, 'errorCode'),
    message: reasonText(
      textField(error, 'msg') ??
        textField(error, 'message') ??
        plainError ??
        textField(value, 'msg') ??
        textField(value, 'message') ??
        textField(value, 'errorMsg') ??
        'The service gave no reason.',
    ),
  };
}

/** Fills in missing numbers by the entry's position. Drops entries about numbers that we did not send. */
export function decodeRejections(
  rejected: JsonValue | undefined,
  requested: readonly TrackKey[],
): readonly Rejection[] {
  const numbers = new Set(requested.map((key) => foldNumber(key.trackNo)));
  return decodeEach(arrayOrEmpty(rejected), decodeRejection)
    .map((entry) => ({
      ...entry,
      trackNo: entry.trackNo ?? (entry.index === null ? null : (requested[entry.index]?.trackNo ?? null)),
    }))
    .filter((entry) => entry.trackNo !== null && numbers.has(foldNumber(entry.trackNo)));
}

export function isAlreadyRegistered(rejection: Rejection): boolean {
  return /has been (?:imported|registered)|already (?:been )?(?:registered|imported|exists?)\b/i.test(
    rejection.message,
  );
}

const unregisteredPattern = /\b(?:not (?:yet )?(?:been )?(?:registered|imported)|unregistered)\b/i;
const unknownNumberPattern = /\b(?:number|trackNo) (?:is )?(?:does not exist|not found)\b/i;

/** Whether a call was rejected because the number is not registered in the account. */
export function isNotRegistered(rejection: Pick<Rejection, 'message'>): boolean {
  return unregisteredPattern.test(rejection.message) || unknownNumberPattern.test(rejection.message);
}

/**
 * Whether a registration was rejected because the service could not detect the courier. The public service also says
 * "not registered" in this case.
 */
export function isCourierUndetected(rejection: Pick<Rejection, 'message'>): boolean {
  return unregisteredPattern.test(rejection.message) || undetectedPattern.test(rejection.message);
}

export function isUnknownCourier({ message }: Pick<Rejection, 'message'>): boolean {
  return /(?:unsupported|unknown) (?:logistics|courier|carrier)/i.test(message);
}

const undetectedPattern =
  /(?:courier|carrier|supplier)\b.{0,40}\b(?:not|cannot|unable to) (?:be )?(?:detect|identif|recogni[sz])/i;
