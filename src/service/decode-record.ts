import { webAddressOrNull } from '../lib/clean-text.ts';
import { dayMs, type EpochMs, minuteMs } from '../lib/clock.ts';
import {
  formatOffset,
  formatWallTime,
  maxOffsetMs,
  parseOffset,
  parseWallTime,
  parseZonedTime,
} from '../lib/date-time.ts';
import {
  arrayField,
  cleanJsonObject,
  integerField,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectField,
  textField,
} from '../lib/json.ts';
import { courierCodeOrNull, isWord, wordOrNull } from '../lib/track-number.ts';
import type { Courier } from './port.ts';
import type { Checkpoint, LastMile, ParcelFacts, TrackingRecord } from './record.ts';
import { knownSpelling, readExpectedDelivery } from './status.ts';
import { eventSpan, mergeLegs } from './timeline-order.ts';

const recordTexts = ['deliveredTime', 'orderNo', 'remark'] as const;
const extraTexts = ['signedBy', 'weight', 'dimensions', 'serviceCode'] as const;

function decodeFacts(record: JsonObject): ParcelFacts {
  const extraInfo = objectField(record, 'extraInfo');
  const expected = readExpectedDelivery(record);
  const pieces = integerField(extraInfo, 'pieces');
  return {
    ...(expected === null ? {} : { expectedDelivery: expected }),
    ...pickTexts(record, recordTexts),
    ...pickTexts(extraInfo, extraTexts),
    ...(pieces === null || pieces < 1 ? {} : { pieces }),
  };
}

function pickTexts<Name extends string>(source: JsonObject, names: readonly Name[]): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = textField(source, name);
    if (text !== null) texts[name] = text;
  }
  return texts;
}

function parseUtc(text: string | null): number | null {
  return text === null ? null : inRangeOrNull(parseZonedTime(text) ?? parseWallTime(text));
}

interface LocalTime {
  readonly text: string | null;
  readonly wallMs: number | null;
  readonly offsetMinutes: number | null;
}

const zonedTime = /^(.{16,29}?) ?(Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Returns the local time in `timezone`. A time with its own zone is converted, unless it agrees with the UTC time only
 * if that zone is ignored: some couriers append a Z to local times.
 */
function readLocalTime(text: string | null, timezone: number | null, utcMs: number | null): LocalTime {
  const wallMs = parseWallTime(text);
  const match = wallMs === null ? zonedTime.exec(text ?? '') : null;
  const statedMs = parseWallTime(match?.[1] ?? null);
  const statedOffset = parseOffset(match?.[2] ?? null);
  if (statedMs === null || statedOffset === null) return { text, wallMs, offsetMinutes: timezone };
  const isLocal = timezone !== null && utcMs !== null && Math.abs(statedMs - timezone * minuteMs - utcMs) <= minuteMs;
  const offsetMinutes = timezone ?? statedOffset;
  const local = inRangeOrNull(isLocal ? statedMs : statedMs + (offsetMinutes - statedOffset) * minuteMs);
  // The converted time is out of range.
  if (local === null) return { text, wallMs, offsetMinutes: timezone };
  return { text: formatWallTime(local), wallMs: local, offsetMinutes };
}

/** Only four-digit years, because we compare ISO 8601 times as strings. */
const minInstant = Date.parse('0000-01-01T00:00:00Z');
const maxInstant = Date.parse('9999-12-31T23:59:59.999Z');

function inRangeOrNull(at: number | null): number | null {
  return at !== null && at >= minInstant && at <= maxInstant ? at : null;
}

/** A year before 2000 is a placeholder for an unknown time. */
const placeholderYear = /^[01]\d{3}-/;

function withoutPlaceholder(text: string | null): string | null {
  return text !== null && placeholderYear.test(text) ? null : text;
}

/** Whether no time zone can explain the difference between the UTC time and the local time. */
function isBeyondZones(utcMs: number, { offsetMinutes, wallMs }: LocalTime): boolean {
  if (wallMs === null) return false;
  const gap = utcMs - wallMs;
  return Math.min(Math.abs(gap), Math.abs(gap + (offsetMinutes ?? 0) * minuteMs)) > maxOffsetMs;
}

interface ResolvedTime extends LocalTime {
  readonly at: number | null;
  readonly certain: boolean;
}

/** Determines the instant of an event (`service/README.md`, "Clocks"). */
function resolveTime(value: JsonObject): ResolvedTime {
  const utcText = textField(value, 'eventTimeZeroUTC');
  const localText = textField(value, 'eventTime');
  const statedUtcMs = parseUtc(withoutPlaceholder(utcText));
  const timezone = parseOffset(textField(value, 'timezone'));
  const local = readLocalTime(withoutPlaceholder(localText), timezone, statedUtcMs);
  const { offsetMinutes, wallMs } = local;
  const derivedMs = inRangeOrNull(wallMs === null || offsetMinutes === null ? null : wallMs - offsetMinutes * minuteMs);
  const utcMs = statedUtcMs !== null && isBeyondZones(statedUtcMs, local) ? null : statedUtcMs;
  const at = utcMs ?? derivedMs;
  const hasPlaceholder =
    utcMs !== statedUtcMs || utcText !== withoutPlaceholder(utcText) || localText !== withoutPlaceholder(localText);
  const isContradictory = utcMs !== null && derivedMs !== null && Math.abs(utcMs - derivedMs) > minuteMs;
  return { ...local, at, certain: at !== null && !hasPlaceholder && !isContradictory };
}

/** @param now when the response arrived; events more than a day later are marked as wrong */
function decodeCheckpoint(value: JsonValue, now: EpochMs): Checkpoint | null {
  if (!isJsonObject(value)) return null;
  const { at, certain, offsetMinutes, text: local } = resolveTime(value);
  const address = textField(value, 'address');
  const detail = textField(value, 'eventDetail');
  const translation = textField(value, 'eventDetailTranslation');
  if (local === null && at === null && address === null && detail === null) return null;
  const time = {
    at: at === null ? null : instantText(at),
    local,
    offset: offsetMinutes === null ? null : formatOffset(offsetMinutes),
  };
  return {
    ...time,
    certain,
    address,
    detail,
    subStatus: knownSpelling(textField(value, 'transitSubStatus')),
    ...(translation === null || translation === detail ? {} : { translation }),
    ...(isFuture(time, now) ? { future: true } : {}),
  };
}

/** In milliseconds. A smaller difference could be due to a wrong time zone. */
const maxAheadMs = dayMs;

function isFuture(time: Pick<Checkpoint, 'at' | 'local' | 'offset'>, now: EpochMs): boolean {
  const span = eventSpan(time);
  return span !== null && span.earliest - now > maxAheadMs;
}

/** Returns the instant as ISO 8601 in UTC, without `.000`. */
function instantText(at: number): string {
  const iso = new Date(at).toISOString();
  return iso.endsWith('.000Z') ? `${iso.slice(0, -5)}Z` : iso;
}

const isPresent = <Item>(item: Item | null): item is Item => item !== null;

/** More than any real parcel has. With a hundred thousand, the program would be busy for minutes. */
const maxCheckpoints = 500;

export type RecordDecoder = (received: JsonValue, now: EpochMs) => TrackingRecord | null;

/**
 * Decodes a record. Any field may be missing, null, empty or of the wrong type (`service/README.md`, "The record").
 * Returns null if there is no tracking number.
 * @param now when the record was received: the later of our time and the service's
 */
export function decodeRecord(received: JsonValue, now: EpochMs): TrackingRecord | null {
  if (!isJsonObject(received)) return null;
  const value = cleanJsonObject(received);
  const trackNo = textField(value, 'trackNo');
  if (trackNo === null || !isWord(trackNo)) return null;
  const logistics = objectField(value, 'localLogisticsInfo');
  const lastMileInfo = objectField(value, 'lastMileInfo');
  const decodeEvent = (event: JsonValue): Checkpoint | null => decodeCheckpoint(event, now);
  const lastMileEvents = decodeEach(lastMileDetails(lastMileInfo), decodeEvent);
  const events = decodeEach(arrayField(logistics, 'trackingDetails'), decodeEvent);
  const lastMile = decodeLastMile(lastMileInfo, lastMileEvents.length > 0);
  return {
    id: wordOrNull(textField(value, 'id')),
    trackNo,
    courierCode: courierCodeField(logistics) ?? courierCodeField(value),
    courierNameEN: textField(logistics, 'courierNameEN'),
    courierNameCN: textField(logistics, 'courierNameCN'),
    courierHomePage: webAddressOrNull(logistics['courierHomePage']),
    courierTrackingLink: webAddressOrNull(logistics['courierTrackingLink']),
    createTime: textField(value, 'createTime'),
    nextUpdateTime: textField(value, 'nextUpdateTime'),
    shipFrom: textField(value, 'shipFrom'),
    shipTo: textField(value, 'shipTo'),
    trackingStatus: textField(value, 'trackingStatus'),
    transitStatus: knownSpelling(textField(value, 'transitStatus')),
    transitSubStatus: knownSpelling(textField(value, 'transitSubStatus')),
    receiptTime: textField(value, 'receiptTime'),
    lastTrackingTime: textField(value, 'lastTrackingTime'),
    transitDays: integerField(value, 'transitDays'),
    stayDays: integerField(value, 'stayDays'),
    shipmentType: textField(value, 'shipmentType'),
    ...(lastMile === null ? {} : { lastMile }),
    ...decodeFacts(value),
    checkpoints: mergeLegs(
      lastMileEvents.length === 0 ? events : assignOwner(ownerOf(logistics), events),
      assignOwner(lastMileOwner(lastMile), lastMileEvents),
    ).slice(0, maxCheckpoints),
    received: value,
  };
}

const lastMileParts = (info: JsonObject): readonly JsonObject[] => [objectField(info, 'openApiWayBillInfo'), info];

const lastMileDetails = (info: JsonObject): readonly JsonValue[] =>
  lastMileParts(info).flatMap((part) => arrayField(part, 'trackingDetails'));

type Owner = Pick<Checkpoint, 'courierCode' | 'courierName'>;

function ownerOf(logistics: JsonObject): Owner {
  const code = courierCodeField(logistics);
  const name = textField(logistics, 'courierNameEN') ?? textField(logistics, 'courierNameCN');
  return { ...(code === null ? {} : { courierCode: code }), ...(name === null ? {} : { courierName: name }) };
}

const lastMileOwner = (lastMile: LastMile | null): Owner => ({
  ...(lastMile?.courierCode == null ? {} : { courierCode: lastMile.courierCode }),
  ...(lastMile?.courierName == null ? {} : { courierName: lastMile.courierName }),
});

const assignOwner = (owner: Owner, events: readonly Checkpoint[]): readonly Checkpoint[] =>
  events.map((event) => ({ ...event, ...owner }));

function decodeLastMile(info: JsonObject, hasParcel: boolean): LastMile | null {
  const findFirst = (read: (part: JsonObject) => string | null): string | null =>
    lastMileParts(info).map(read).find(isPresent) ?? null;
  const trackNo = wordOrNull(textField(info, 'lmTrackNo'));
  const courierCode = findFirst(courierCodeField);
  const courierName = findFirst((part) => textField(part, 'courierNameEN') ?? textField(part, 'courierNameCN'));
  const page = (name: 'courierHomePage' | 'courierTrackingLink'): Partial<LastMile> => {
    const address = hasParcel ? findFirst((part) => webAddressOrNull(part[name])) : null;
    return address === null ? {} : { [name]: address };
  };
  const pages = { ...page('courierHomePage'), ...page('courierTrackingLink') };
  return trackNo === null && courierCode === null && courierName === null && Object.keys(pages).length === 0
    ? null
    : { trackNo, courierCode, courierName, ...pages };
}

const courierCodeField = (source: JsonObject): string | null => courierCodeOrNull(textField(source, 'courierCode'));

export function decodeCourier(value: JsonValue): Courier | null {
  if (!isJsonObject(value)) return null;
  const code = courierCodeOrNull(textField(value, 'courierCode'));
  if (code === null) return null;
  return {
    code,
    nameEN: textField(value, 'courierNameEN'),
    nameCN: textField(value, 'courierNameCN'),
    homePage: webAddressOrNull(value['courierHomePage']),
  };
}

export function decodeEach<Item>(
  values: readonly JsonValue[],
  decode: (value: JsonValue) => Item | null,
): readonly Item[] {
  return values.map((value) => decode(value)).filter(isPresent);
}

export function arrayOrEmpty(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  if (!isJsonObject(value)) return [];
  const object: JsonObject = value;
  if ('content' in object) return arrayField(object, 'content');
  return Object.keys(object).length === 0 ? [] : [object];
}
