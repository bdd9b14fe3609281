import { webAddressOrNull } from '../lib/clean-text.ts';
import { dayMs, type EpochMs, hourMs, minuteMs } from '../lib/clock.ts';
import { formatOffset, formatWallTime, parseOffset, parseWallTime } from '../lib/date-time.ts';
import {
  arrayField,
  cleanedTextField,
  cleanJsonObject,
  integerField,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectField,
  textField,
} from '../lib/json.ts';
import { courierCodeOrNull, isWord, wordOrNull } from '../lib/track-number.ts';
import { mergeLegs } from './merge-legs.ts';
import {
  type Checkpoint,
  type Courier,
  expectedDelivery,
  type LastMile,
  type ParcelFacts,
  type TrackingRecord,
} from './record.ts';
import { knownSpelling } from './status.ts';
import { eventSpan } from './timeline-order.ts';

const recordTexts = ['deliveredTime', 'orderNo', 'remark'] as const;
const extraTexts = ['signedBy', 'weight', 'dimensions', 'serviceCode'] as const;

function decodeFacts(record: JsonObject): ParcelFacts {
  const extraInfo = objectField(record, 'extraInfo');
  const expected = expectedDelivery(record);
  const pieces = integerField(extraInfo, 'pieces');
  return {
    ...(expected === null ? {} : { expectedDelivery: expected }),
    ...textsOf(record, recordTexts),
    ...textsOf(extraInfo, extraTexts),
    ...(pieces === null || pieces < 1 ? {} : { pieces }),
  };
}

function textsOf<Name extends string>(source: JsonObject, names: readonly Name[]): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = cleanedTextField(source, name);
    if (text !== null) texts[name] = text;
  }
  return texts;
}

const isoInstant = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

function parseUtc(text: string | null): number | null {
  if (text === null) return null;
  return writable(isoInstant.test(text) ? Date.parse(text.replace(' ', 'T')) : parseWallTime(text));
}

/** A time on the clock of where something happened. */
interface LocalTime {
  readonly text: string | null;
  readonly wallMs: number | null;
  readonly offsetMinutes: number | null;
}

const zonedTime = /^(.{16,29}?) ?(Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Local time of `timezone`. One with a zone is an instant, unless it agrees with the UTC time only without it: some
 * write local time with a Z.
 */
function readLocalTime(text: string | null, timezone: number | null, utcMs: number | null): LocalTime {
  const wallMs = parseWallTime(text);
  const match = wallMs === null ? zonedTime.exec(text ?? '') : null;
  const ownMs = parseWallTime(match?.[1] ?? null);
  const ownOffset = parseOffset(match?.[2] ?? null);
  if (ownMs === null || ownOffset === null) return { text, wallMs, offsetMinutes: timezone };
  const isLocal = timezone !== null && utcMs !== null && Math.abs(ownMs - timezone * minuteMs - utcMs) <= minuteMs;
  const offsetMinutes = timezone ?? ownOffset;
  const local = writable(isLocal ? ownMs : ownMs + (offsetMinutes - ownOffset) * minuteMs);
  // On the other clock it would be a year beyond 9999.
  if (local === null) return { text, wallMs, offsetMinutes: timezone };
  return { text: formatWallTime(local), wallMs: local, offsetMinutes };
}

/** First and last instant whose ISO 8601 text has a year of four digits; such texts sort as time does. */
const earliest = Date.parse('0000-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

function writable(at: number | null): number | null {
  return at !== null && at >= earliest && at <= latest ? at : null;
}

/** A year before this service and its couriers; such a time means that none is known. */
const placeholderYear = /^[01]\d{3}-/;

function believed(text: string | null): string | null {
  return text !== null && placeholderYear.test(text) ? null : text;
}

/** No zone is further from UTC. */
const furthestZoneMs = 14 * hourMs;

/** Whether a UTC time and a local one are further apart than a zone explains, the given one or any other. */
function isBeyondZones(utcMs: number, { offsetMinutes, wallMs }: LocalTime): boolean {
  if (wallMs === null) return false;
  const gap = utcMs - wallMs;
  return Math.min(Math.abs(gap), Math.abs(gap + (offsetMinutes ?? 0) * minuteMs)) > furthestZoneMs;
}

interface SettledTime extends LocalTime {
  readonly utcMs: number | null;
  readonly at: number | null;
  readonly certain: boolean;
}

/**
 * `eventTimeZeroUTC`, else `eventTime` with `timezone`, else unknown. If they differ by more than a minute UTC wins,
 * unless no zone explains the difference: then UTC is a placeholder.
 */
function settleTime(value: JsonObject): SettledTime {
  const utcText = cleanedTextField(value, 'eventTimeZeroUTC');
  const localText = cleanedTextField(value, 'eventTime');
  const givenMs = parseUtc(believed(utcText));
  const timezone = parseOffset(cleanedTextField(value, 'timezone'));
  const local = readLocalTime(believed(localText), timezone, givenMs);
  const { offsetMinutes, wallMs } = local;
  const derivedMs = writable(wallMs === null || offsetMinutes === null ? null : wallMs - offsetMinutes * minuteMs);
  const utcMs = givenMs !== null && isBeyondZones(givenMs, local) ? null : givenMs;
  const at = utcMs ?? derivedMs;
  const hasPlaceholder = utcMs !== givenMs || utcText !== believed(utcText) || localText !== believed(localText);
  const contradictory = utcMs !== null && derivedMs !== null && Math.abs(utcMs - derivedMs) > minuteMs;
  return { ...local, utcMs, at, certain: at !== null && !hasPlaceholder && !contradictory };
}

/** @param now when the answer came: what is more than a day ahead of that has not happened */
function decodeCheckpoint(value: JsonValue, now: EpochMs): Checkpoint | null {
  if (!isJsonObject(value)) return null;
  const { at, certain, offsetMinutes, text: local, utcMs } = settleTime(value);
  const utcText = cleanedTextField(value, 'eventTimeZeroUTC');
  const address = cleanedTextField(value, 'address');
  const detail = cleanedTextField(value, 'eventDetail');
  const translation = cleanedTextField(value, 'eventDetailTranslation');
  if (local === null && at === null && address === null && detail === null) return null;
  const when = {
    at: at === null ? null : utcMs !== null && utcText !== null && asWeWrite.test(utcText) ? utcText : instantText(at),
    local,
    offset: offsetMinutes === null ? null : formatOffset(offsetMinutes),
  };
  return {
    ...when,
    certain,
    address,
    detail,
    subStatus: knownSpelling(cleanedTextField(value, 'transitSubStatus')),
    ...(translation === null || translation === detail ? {} : { translation }),
    ...(isFuture(when, now) ? { future: true } : {}),
  };
}

/** A wrong zone explains a time that is ahead by less. */
const plausiblyAheadMs = dayMs;

function isFuture(when: Pick<Checkpoint, 'at' | 'local' | 'offset'>, now: EpochMs): boolean {
  const span = eventSpan(when);
  return span !== null && span.earliest - now > plausiblyAheadMs;
}

/** What {@link instantText} would answer for its own instant, but for the last days of a month. */
const asWeWrite = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** ISO 8601 in UTC; without parts of a second where there are none. */
function instantText(at: number): string {
  const iso = new Date(at).toISOString();
  return iso.endsWith('.000Z') ? `${iso.slice(0, -5)}Z` : iso;
}

const isPresent = <Item>(item: Item | null): item is Item => item !== null;

/** More than any parcel has: an answer may have a hundred thousand, which would keep the program busy for minutes. */
const mostCheckpoints = 500;

export type RecordDecoder = (received: JsonValue, now: EpochMs) => TrackingRecord | null;

/**
 * Any field may be missing, null, empty or of another type (`service/README.md`, "The record"); null without a number.
 * @param now when it was received, by the clock that is ahead
 */
export function decodeRecord(received: JsonValue, now: EpochMs): TrackingRecord | null {
  if (!isJsonObject(received)) return null;
  const value = cleanJsonObject(received);
  const trackNo = cleanedTextField(value, 'trackNo');
  if (trackNo === null || !isWord(trackNo)) return null;
  const logistics = objectField(value, 'localLogisticsInfo');
  const lastMileInfo = objectField(value, 'lastMileInfo');
  const decodeEvent = (event: JsonValue): Checkpoint | null => decodeCheckpoint(event, now);
  const lastMileEvents = decodeEach(lastMileDetails(lastMileInfo), decodeEvent);
  const events = decodeEach(arrayField(logistics, 'trackingDetails'), decodeEvent);
  const lastMile = decodeLastMile(lastMileInfo, lastMileEvents.length > 0);
  return {
    id: wordOrNull(cleanedTextField(value, 'id')),
    trackNo,
    courierCode: courierCodeField(logistics) ?? courierCodeField(value),
    courierNameEN: cleanedTextField(logistics, 'courierNameEN'),
    courierNameCN: cleanedTextField(logistics, 'courierNameCN'),
    courierHomePage: webAddressOrNull(logistics['courierHomePage']),
    courierTrackingLink: webAddressOrNull(logistics['courierTrackingLink']),
    createTime: cleanedTextField(value, 'createTime'),
    nextUpdateTime: cleanedTextField(value, 'nextUpdateTime'),
    shipFrom: cleanedTextField(value, 'shipFrom'),
    shipTo: cleanedTextField(value, 'shipTo'),
    trackingStatus: cleanedTextField(value, 'trackingStatus'),
    transitStatus: knownSpelling(cleanedTextField(value, 'transitStatus')),
    transitSubStatus: knownSpelling(cleanedTextField(value, 'transitSubStatus')),
    receiptTime: cleanedTextField(value, 'receiptTime'),
    lastTrackingTime: cleanedTextField(value, 'lastTrackingTime'),
    transitDays: integerField(value, 'transitDays'),
    stayDays: integerField(value, 'stayDays'),
    shipmentType: cleanedTextField(value, 'shipmentType'),
    ...(lastMile === null ? {} : { lastMile }),
    ...decodeFacts(value),
    checkpoints: mergeLegs(
      lastMileEvents.length === 0 ? events : reportedBy(ownerOf(logistics), events),
      reportedBy(lastMileOwner(lastMile), lastMileEvents),
    ).slice(0, mostCheckpoints),
    received: value,
  };
}

const lastMileParts = (info: JsonObject): readonly JsonObject[] => [objectField(info, 'openApiWayBillInfo'), info];

const lastMileDetails = (info: JsonObject): readonly JsonValue[] =>
  lastMileParts(info).flatMap((part) => arrayField(part, 'trackingDetails'));

type Owner = Pick<Checkpoint, 'courierCode' | 'courierName'>;

function ownerOf(logistics: JsonObject): Owner {
  const code = courierCodeField(logistics);
  const name = cleanedTextField(logistics, 'courierNameEN') ?? cleanedTextField(logistics, 'courierNameCN');
  return { ...(code === null ? {} : { courierCode: code }), ...(name === null ? {} : { courierName: name }) };
}

const lastMileOwner = (lastMile: LastMile | null): Owner => ({
  ...(lastMile?.courierCode == null ? {} : { courierCode: lastMile.courierCode }),
  ...(lastMile?.courierName == null ? {} : { courierName: lastMile.courierName }),
});

const reportedBy = (owner: Owner, events: readonly Checkpoint[]): readonly Checkpoint[] =>
  events.map((event) => ({ ...event, ...owner }));

function decodeLastMile(info: JsonObject, hasParcel: boolean): LastMile | null {
  const first = (read: (part: JsonObject) => string | null): string | null =>
    lastMileParts(info).map(read).find(isPresent) ?? null;
  const trackNo = wordOrNull(cleanedTextField(info, 'lmTrackNo'));
  const courierCode = first(courierCodeField);
  const courierName = first(
    (part) => cleanedTextField(part, 'courierNameEN') ?? cleanedTextField(part, 'courierNameCN'),
  );
  const page = (name: 'courierHomePage' | 'courierTrackingLink'): Partial<LastMile> => {
    const address = hasParcel ? first((part) => webAddressOrNull(part[name])) : null;
    return address === null ? {} : { [name]: address };
  };
  const pages = { ...page('courierHomePage'), ...page('courierTrackingLink') };
  return trackNo === null && courierCode === null && courierName === null && Object.keys(pages).length === 0
    ? null
    : { trackNo, courierCode, courierName, ...pages };
}

const courierCodeField = (source: JsonObject): string | null =>
  courierCodeOrNull(cleanedTextField(source, 'courierCode'));

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

export function elementsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  if (!isJsonObject(value)) return [];
  const object: JsonObject = value;
  if ('content' in object) return arrayField(object, 'content');
  return Object.keys(object).length === 0 ? [] : [object];
}
