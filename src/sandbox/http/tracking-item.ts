import type { MerchantFields } from '../../service/record/record.ts';
import type { WireRegistrationItem, WireRejection } from '../../service/record/wire.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../service/text/json.ts';
import type { RegistrationRefusal, RegistrationRequest } from '../world/account.ts';
import { badFormat } from './answers.ts';
import { objectOf, textField } from './fields.ts';

const longestNumber = 50;
const numberPattern = /^[0-9A-Za-z][0-9A-Za-z ._/-]*$/;
const postalCodePattern = /^[0-9A-Za-z+\- ]{1,15}$/;
const phoneSuffixPattern = /^\d{4}$/;

const merchantNames = ['orderNo', 'country', 'shipTime', 'customerEmail', 'remark', 'custom1', 'custom2'] as const;

/** A number with everything that may come along with it. */
export interface TrackingItem extends RegistrationRequest {
  /** The item as the public service sends it back: without blank fields, and without `custom1` and `custom2`. */
  readonly echo: WireRegistrationItem;
}

function phoneSuffixOf(source: JsonObject): string | null {
  const value = source['extendFieldMap'];
  if (value === undefined || value === null) return null;
  if (!isJsonObject(value)) throw badFormat();
  return textField(value, 'phoneSuffix');
}

/** Reads an item. Throws a `RefusedCallError` when it is no object or a field is no text. */
export function readTrackingItem(value: JsonValue): TrackingItem {
  const source = objectOf(value);
  const trackNo = textField(source, 'trackNo') ?? '';
  const courierCode = textField(source, 'courierCode');
  const postalCode = textField(source, 'postalCode');
  const phoneSuffix = phoneSuffixOf(source);
  const merchant: MerchantFields = Object.fromEntries(
    merchantNames.flatMap((name): (readonly [string, string])[] => {
      const text = textField(source, name);
      return text === null ? [] : [[name, text]];
    }),
  );
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
}

/** The texts of a merchant that an item takes away: those that it holds blank. */
export function blankedFields(value: JsonValue): MerchantFields {
  const source = objectOf(value);
  return Object.fromEntries(
    merchantNames.flatMap((name) => {
      const text = source[name];
      return typeof text === 'string' && text.trim() === '' ? [[name, '']] : [];
    }),
  );
}

/** What is wrong with an item by itself, in the service's words; null when it is fine. */
export function flawOf({ trackNo, extra: { postalCode, phoneSuffix } }: TrackingItem): string | null {
  if (trackNo === '') return 'trackNo cannot be empty';
  if (trackNo.length > longestNumber || !numberPattern.test(trackNo)) return 'trackNo format error';
  if (postalCode !== null && !postalCodePattern.test(postalCode)) return 'postalCode format error';
  if (phoneSuffix !== null && !phoneSuffixPattern.test(phoneSuffix)) return 'phoneSuffix format error';
  return null;
}

/** A number that the account does not hold, in the public service's words. */
export const notRegistered = 'trackNo not registered';

/** Why a number was refused, in the public service's words where they are known. */
export function wordsFor(refusal: RegistrationRefusal): string {
  switch (refusal.kind) {
    case 'duplicate':
      return 'The order number has been imported';
    case 'unsupported-courier':
      return 'unsupported logistics supplier code';
    case 'undetectable':
      return 'The courier could not be detected, please provide the courierCode';
  }
}

/** An entry of `data.rejected`; the code is the same for every reason, only the words differ. */
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
