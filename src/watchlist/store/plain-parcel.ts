import { isCleanText, isUsualAddress } from '../../service/text/clean-text.ts';
import { isJsonObject, type JsonObject } from '../../service/text/json.ts';
import { cleanJsonObject } from '../../service/text/json-fields.ts';
import { isCourierCode, isWord } from '../../service/text/word.ts';
import { idPattern } from '../model/identity.ts';
import type { Parcel, ParcelHistory } from '../model/parcel.ts';

/**
 * Whether a value of JSON is a parcel just as this program writes it: every field there, of its type and clean. Then it
 * needs no schema, which takes ten times as long. What fails here may still be a parcel; the schema decides (`schema.ts`).
 */
export function isPlainParcel(value: unknown): value is Parcel {
  return (
    isJsonObject(value) &&
    isText(value['id']) &&
    idPattern.test(value['id']) &&
    isNumberWord(value['trackNo']) &&
    isCodeOrNull(value['courierCode']) &&
    isFlag(value['courierPinned']) &&
    !(value['courierCode'] === null && value['courierPinned']) &&
    isTextOrNull(value['label']) &&
    areTexts(value['tags']) &&
    isPlainExtras(value['extras']) &&
    // Rare, and with rules of their own.
    value['merchant'] === undefined &&
    value['historyId'] === undefined &&
    value['indexing'] === undefined &&
    isRegistration(value['registration']) &&
    isInstant(value['addedAt']) &&
    isInstantOrNull(value['registeredAt']) &&
    isInstantOrNull(value['archivedAt']) &&
    (value['record'] === null || isPlainRecord(value['record'])) &&
    (value['lastEvent'] === null || isPlainCheckpoint(value['lastEvent'])) &&
    isCount(value['checkpointCount']) &&
    isInstantOrNull(value['checkedAt']) &&
    isInstantOrNull(value['nextPollAt']) &&
    isCount(value['fruitlessPolls']) &&
    isFlag(value['deliveryConfirmed']) &&
    (value['error'] === null || isPlainError(value['error']))
  );
}

/** An instant as this program writes it, but for the last days of a month: known to be one without being taken apart. */
const usualInstant = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

/** Whether a value of JSON is a history just as this program writes it; see {@link isPlainParcel}. */
export function isPlainHistory(value: unknown): value is ParcelHistory {
  if (!isJsonObject(value)) return false;
  const checkpoints: unknown = value['checkpoints'];
  return (
    value['version'] === 1 &&
    Array.isArray(checkpoints) &&
    checkpoints.every(isPlainCheckpoint) &&
    (value['received'] === null || isCleanObject(value['received']))
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && isCleanText(value);
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isNumberWord = (value: unknown): boolean => typeof value === 'string' && isWord(value);
const isWordOrNull = (value: unknown): boolean => value === null || isNumberWord(value);
const isCodeOrNull = (value: unknown): boolean => value === null || (typeof value === 'string' && isCourierCode(value));
const isAddressOrNull = (value: unknown): boolean => value === null || isUsualAddress(value);
const isCleanObject = (value: unknown): boolean => isJsonObject(value) && cleanJsonObject(value) === value;
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isNumberOrNull = (value: unknown): boolean => value === null || Number.isFinite(value);
const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && (usualInstant.test(value) || (isText(value) && Number.isFinite(Date.parse(value))));
const isInstantOrNull = (value: unknown): boolean => value === null || isInstant(value);
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isRegistration = (value: unknown): boolean =>
  value === 'registered' || value === 'pending' || value === 'rejected';

const areTextsOrNull = (object: JsonObject, names: readonly string[]): boolean =>
  names.every((name) => isTextOrNull(object[name]));

const isPlainExtras = (value: unknown): boolean =>
  isJsonObject(value) && areTextsOrNull(value, ['postalCode', 'phoneSuffix']);

const isPlainError = (value: unknown): boolean =>
  isJsonObject(value) &&
  isText(value['kind']) &&
  isText(value['message']) &&
  isTextOrNull(value['code']) &&
  isWordOrNull(value['traceId']);

function isPlainCheckpoint(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { at, certain, repeats, translation } = value;
  return (
    isInstantOrNull(at) &&
    isFlag(certain) &&
    areTextsOrNull(value, checkpointTexts) &&
    (repeats === undefined || (Number.isInteger(repeats) && Number(repeats) >= 2)) &&
    (translation === undefined || isText(translation))
  );
}

function isPlainRecord(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { id, trackNo, courierCode, courierHomePage, courierTrackingLink, transitDays, stayDays, lastMile } = value;
  const { expectedDelivery, pieces, arrival } = value;
  return (
    isWordOrNull(id) &&
    isNumberWord(trackNo) &&
    isCodeOrNull(courierCode) &&
    isAddressOrNull(courierHomePage) &&
    isAddressOrNull(courierTrackingLink) &&
    areTextsOrNull(value, recordTexts) &&
    isNumberOrNull(transitDays) &&
    isNumberOrNull(stayDays) &&
    (lastMile === undefined || isPlainLastMile(lastMile)) &&
    recordFacts.every((name) => value[name] === undefined || isText(value[name])) &&
    (pieces === undefined || (Number.isInteger(pieces) && Number(pieces) >= 1)) &&
    (expectedDelivery === undefined || isPlainExpectedDelivery(expectedDelivery)) &&
    (arrival === undefined || isPlainCheckpoint(arrival))
  );
}

const isPlainLastMile = (value: unknown): boolean =>
  isJsonObject(value) &&
  isWordOrNull(value['trackNo']) &&
  isCodeOrNull(value['courierCode']) &&
  isTextOrNull(value['courierName']);

function isPlainExpectedDelivery(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { kind, date, from, to, offset } = value;
  if (kind === 'day') return isText(date) && plainDate.test(date);
  return kind === 'window' && isInstant(from) && isInstantOrNull(to) && isText(offset) && plainOffset.test(offset);
}

const plainDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const plainOffset = /^[+-]\d{2}:\d{2}$/;

const checkpointTexts = ['local', 'offset', 'address', 'detail', 'subStatus'];
const recordFacts = ['deliveredTime', 'signedBy', 'weight', 'dimensions', 'serviceCode', 'orderNo', 'remark'];
const recordTexts = [
  'courierNameEN',
  'courierNameCN',
  'createTime',
  'nextUpdateTime',
  'shipFrom',
  'shipTo',
  'trackingStatus',
  'transitStatus',
  'transitSubStatus',
  'receiptTime',
  'lastTrackingTime',
  'shipmentType',
];
