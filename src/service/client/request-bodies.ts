import { BadAnswerError } from '../failures/errors.ts';
import { type Envelope, partsOf } from '../http/envelope.ts';
import type { Operation } from '../operations.ts';
import type { InstantItem, MerchantFields, RegistrationItem, TrackKey } from '../record/record.ts';
import type { JsonObject } from '../text/json.ts';

/** The error for a success that carries nothing. */
export function emptyAnswer(operation: Operation, { traceId }: Envelope): BadAnswerError {
  return new BadAnswerError(
    `The answer to "${operation.title}" reports success but carries no data. The last good data stays; try again later.`,
    { traceId },
  );
}

/** The parts of `data`; an answer of success without data is a bad answer, since it says nothing about any number. */
export function requireParts(operation: Operation, envelope: Envelope) {
  const parts = partsOf(envelope.data);
  if (parts.accepted === undefined && parts.rejected === undefined) throw emptyAnswer(operation, envelope);
  return parts;
}

const merchantFields = ['orderNo', 'country', 'shipTime', 'customerEmail', 'remark', 'custom1', 'custom2'] as const;

/** A number with its courier, which is left out while unknown. */
export function keyBody({ trackNo, courierCode }: TrackKey): JsonObject {
  return courierCode === null ? { trackNo } : { trackNo, courierCode };
}

/** The fields of a merchant that are given. */
export function merchantBody(fields: MerchantFields): JsonObject {
  return Object.fromEntries(
    merchantFields.flatMap((name): [string, string][] => {
      const value = fields[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Extra information that some couriers need (`service/README.md`, "Couriers that need more"). */
export function extrasBody(postalCode: string | null | undefined, phoneSuffix: string | null | undefined): JsonObject {
  return {
    ...(postalCode == null ? {} : { postalCode }),
    ...(phoneSuffix == null ? {} : { extendFieldMap: { phoneSuffix } }),
  };
}

/** A registration item. */
export function registrationBody(item: RegistrationItem): JsonObject {
  return { ...keyBody(item), ...merchantBody(item), ...extrasBody(item.postalCode, item.phoneSuffix) };
}

/** What instant tracking takes: an item, and the language of its translations. */
export function instantBody({ lang, ...item }: InstantItem): JsonObject {
  return { ...registrationBody(item), ...(lang === undefined ? {} : { lang }) };
}
