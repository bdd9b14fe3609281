import { isJsonObject, type JsonObject } from '../service/json.ts';
import { idPattern } from './identity.ts';
import type { Parcel, ParcelHistory } from './parcel.ts';

/**
 * Whether a value of JSON is a parcel just as this program writes it: every field there and of its type. Then it needs
 * no schema, which takes ten times as long. What fails here may still be a parcel; the schema decides (`schema.ts`).
 */
export function isPlainParcel(value: unknown): value is Parcel {
  return (
    isJsonObject(value) &&
    isText(value['id']) &&
    idPattern.test(value['id']) &&
    isText(value['trackNo']) &&
    value['trackNo'] !== '' &&
    isTextOrNull(value['courierCode']) &&
    isFlag(value['courierPinned']) &&
    isTextOrNull(value['label']) &&
    areTexts(value['tags']) &&
    isPlainExtras(value['extras']) &&
    // Rare, and with rules of their own.
    value['merchant'] === undefined &&
    value['historyId'] === undefined &&
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

/** Whether a value of JSON is a history just as this program writes it; see {@link isPlainParcel}. */
export function isPlainHistory(value: unknown): value is ParcelHistory {
  if (!isJsonObject(value)) return false;
  const checkpoints: unknown = value['checkpoints'];
  return (
    value['version'] === 1 &&
    Array.isArray(checkpoints) &&
    checkpoints.every(isPlainCheckpoint) &&
    (value['received'] === null || isJsonObject(value['received']))
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isNumberOrNull = (value: unknown): boolean => value === null || Number.isFinite(value);
const isInstant = (value: unknown): boolean => isText(value) && Number.isFinite(Date.parse(value));
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
  areTextsOrNull(value, ['code', 'traceId']);

function isPlainCheckpoint(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { at, certain, repeats } = value;
  return (
    isInstantOrNull(at) &&
    isFlag(certain) &&
    areTextsOrNull(value, checkpointTexts) &&
    (repeats === undefined || (Number.isInteger(repeats) && Number(repeats) >= 2))
  );
}

function isPlainRecord(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { trackNo, transitDays, stayDays, lastMile } = value;
  return (
    isText(trackNo) &&
    areTextsOrNull(value, recordTexts) &&
    isNumberOrNull(transitDays) &&
    isNumberOrNull(stayDays) &&
    (lastMile === undefined || (isJsonObject(lastMile) && areTextsOrNull(lastMile, lastMileTexts)))
  );
}

const checkpointTexts = ['local', 'offset', 'address', 'detail', 'subStatus'];
const lastMileTexts = ['trackNo', 'courierCode', 'courierName'];
const recordTexts = [
  'id',
  'courierCode',
  'courierNameEN',
  'courierNameCN',
  'courierHomePage',
  'courierTrackingLink',
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
