import type { EpochMs } from '../../service/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../service/json.ts';
import type { WireRegisterData, WireRegistrationItem, WireRejection } from '../../service/wire.ts';
import type { Account, RegistrationRefusal } from '../world/account.ts';
import { badFormat, missingParameter } from './answers.ts';
import { batchOf, objectOf, textField } from './fields.ts';

const longestNumber = 50;
const numberPattern = /^[0-9A-Za-z][0-9A-Za-z ._/-]*$/;
const postalCodePattern = /^[0-9A-Za-z+\- ]{1,15}$/;
const phoneSuffixPattern = /^\d{4}$/;

/** Fields that the public service sends back; it leaves out `custom1` and `custom2`. */
const echoed = ['courierCode', 'orderNo', 'country', 'shipTime', 'customerEmail', 'postalCode', 'remark'] as const;

interface Item {
  readonly trackNo: string;
  readonly courierCode: string | null;
  readonly orderNo: string | null;
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
  readonly echo: WireRegistrationItem;
}

function extendFieldMapOf(source: JsonObject): JsonObject {
  const value = source['extendFieldMap'];
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) throw badFormat();
  return value;
}

function readItem(value: JsonValue): Item {
  const source = objectOf(value);
  const trackNo = textField(source, 'trackNo') ?? '';
  const phoneSuffix = textField(extendFieldMapOf(source), 'phoneSuffix');
  const texts = echoed.map((name) => [name, textField(source, name)] as const).filter(([, text]) => text !== null);
  return {
    trackNo,
    courierCode: textField(source, 'courierCode'),
    orderNo: textField(source, 'orderNo'),
    postalCode: textField(source, 'postalCode'),
    phoneSuffix,
    echo: {
      trackNo,
      ...Object.fromEntries(texts),
      ...(phoneSuffix === null ? {} : { extendFieldMap: { phoneSuffix } }),
    },
  };
}

/** What is wrong with an item by itself; null when it is fine. */
function flawOf(item: Item): string | null {
  if (item.trackNo === '') return 'trackNo cannot be empty';
  if (item.trackNo.length > longestNumber || !numberPattern.test(item.trackNo)) return 'trackNo format error';
  if (item.postalCode !== null && !postalCodePattern.test(item.postalCode)) return 'postalCode format error';
  if (item.phoneSuffix !== null && !phoneSuffixPattern.test(item.phoneSuffix)) return 'phoneSuffix format error';
  return null;
}

function wordsFor(refusal: RegistrationRefusal): string {
  switch (refusal.kind) {
    case 'duplicate':
      return 'The order number has been imported';
    case 'unsupported-courier':
      return 'unsupported logistics supplier code';
    case 'undetectable':
      return 'The courier could not be detected, please provide the courierCode';
  }
}

function rejection(index: number, item: Item, courierCode: string | null, message: string): WireRejection {
  return {
    index,
    trackNo: item.trackNo,
    ...(courierCode === null ? {} : { courierCode }),
    error: { code: 'A0400', msg: message },
  };
}

/**
 * Register trackings (interface section 4.1). `accepted` is a plain array that echoes the items; every number that is
 * not taken stands in `rejected`, told apart by the words alone, and the call still is a success.
 * Throws a `RefusedCallError` when the body is no array of items, empty, or longer than a batch.
 */
export function registerTrackings(account: Account, body: JsonValue, now: EpochMs): WireRegisterData {
  const items = batchOf(body).map(readItem);
  if (items.length === 0) throw missingParameter('at least one tracking number is required');
  const accepted: WireRegistrationItem[] = [];
  const rejected: WireRejection[] = [];
  items.forEach((item, index) => {
    const flaw = flawOf(item);
    if (flaw !== null) {
      rejected.push(rejection(index, item, item.courierCode, flaw));
      return;
    }
    const outcome = account.register(item, now);
    if (outcome.kind === 'registered') accepted.push(item.echo);
    else {
      const courierCode = outcome.kind === 'duplicate' ? outcome.courierCode : item.courierCode;
      rejected.push(rejection(index, item, courierCode, wordsFor(outcome)));
    }
  });
  return { accepted, rejected };
}
