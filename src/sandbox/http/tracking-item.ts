import * as v from 'valibot';
import { isJsonObject, type JsonValue } from '../../lib/json.ts';
import type { MerchantFields } from '../../service/port.ts';
import type { WireRegistrationItem, WireRejection, WireTrackKey } from '../../service/wire.ts';
import type { Account, RegistrationRefusal, RegistrationRequest } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { type NamedNumber, object, text, trimmed } from './request.ts';

const maxNumberLength = 50;
const numberPattern = /^[0-9A-Za-z][0-9A-Za-z ._/-]*$/;
const postalCodePattern = /^[0-9A-Za-z+\- ]{1,15}$/;
const phoneSuffixPattern = /^\d{4}$/;

const merchantTexts = {
  orderNo: text,
  country: text,
  shipTime: text,
  customerEmail: text,
  remark: text,
  custom1: text,
  custom2: text,
};

export interface TrackingItem extends RegistrationRequest {
  /** The form that the public service returns: without blank fields, `custom1` and `custom2`. */
  readonly echo: WireRegistrationItem;
}

export const trackingItem = v.pipe(
  object({
    trackNo: trimmed,
    courierCode: text,
    postalCode: text,
    extendFieldMap: v.nullish(object({ phoneSuffix: text })),
    ...merchantTexts,
  }),
  v.transform(({ trackNo, courierCode, postalCode, extendFieldMap, ...texts }): TrackingItem => {
    const phoneSuffix = extendFieldMap?.phoneSuffix ?? null;
    const merchant: MerchantFields = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null));
    const { custom1: _custom1, custom2: _custom2, ...echoed } = merchant;
    return {
      trackNo,
      courierCode,
      merchant,
      extra: { postalCode, phoneSuffix },
      echo: {
        trackNo,
        ...(courierCode === null ? {} : { courierCode }),
        ...echoed,
        ...(postalCode === null ? {} : { postalCode }),
        ...(phoneSuffix === null ? {} : { extendFieldMap: { phoneSuffix } }),
      },
    };
  }),
);

export function blankedFields(value: JsonValue): MerchantFields {
  const given = isJsonObject(value) ? value : {};
  const isBlank = (field: unknown): boolean => typeof field === 'string' && field.trim() === '';
  const names = Object.keys(merchantTexts).filter((name) => isBlank(given[name]));
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** Returns what is wrong with an item, in the service's words, or null. */
export function itemProblem({ trackNo, extra: { postalCode, phoneSuffix } }: TrackingItem): string | null {
  if (trackNo === '') return 'trackNo cannot be empty';
  if (trackNo.length > maxNumberLength || !numberPattern.test(trackNo)) return 'trackNo format error';
  if (postalCode !== null && !postalCodePattern.test(postalCode)) return 'postalCode format error';
  if (phoneSuffix !== null && !phoneSuffixPattern.test(phoneSuffix)) return 'phoneSuffix format error';
  return null;
}

/** The public service also uses these words for a number whose courier it does not detect. */
export const notRegistered = 'trackNo not registered';

export function wordsFor(refusal: RegistrationRefusal): string {
  switch (refusal.kind) {
    case 'duplicate':
      return 'The order number has been imported';
    case 'unsupported-courier':
      return 'unsupported logistics supplier code';
    case 'undetectable':
      return notRegistered;
  }
}

/** The code is the same for every reason. */
export function rejection(
  index: number,
  { trackNo, orderNo }: { readonly trackNo: string; readonly orderNo?: string | undefined },
  courierCode: string | null,
  message: string,
): WireRejection {
  return {
    index,
    trackNo,
    ...(orderNo === undefined ? {} : { orderNo }),
    ...(courierCode === null ? {} : { courierCode }),
    error: { code: 'A0400', msg: message },
  };
}

export function keyOf({ trackNo, courier }: Registration): WireTrackKey {
  return { trackNo, courierCode: courier.code };
}

export function rejectUnregistered(account: Account, numbers: readonly NamedNumber[]): readonly WireRejection[] {
  return numbers.flatMap(({ trackNo, courierCode }, index) =>
    account.find(trackNo, courierCode).length > 0 ? [] : [rejection(index, { trackNo }, null, notRegistered)],
  );
}
