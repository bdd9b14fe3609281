import { stripVTControlCharacters } from 'node:util';
import { isJsonObject, type JsonValue } from '../../src/lib/json.ts';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../../src/parcels/parcel.ts';
import { accountParcel } from '../../src/parcels/parcel-factory.ts';
import { findAddressee, matchQueries, matchRegistration } from '../../src/polling/match-responses.ts';
import type {
  AccountPage,
  QueryResponse,
  RegisterResponse,
  Rejection,
  RetrackOutcome,
  TrackKey,
} from '../../src/service/port.ts';
import type { Checkpoint, TrackingRecord } from '../../src/service/record.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { requestedKeys } from './calls.ts';
import { assertInvariant, checkJson, checkValue } from './invariants.ts';

const toLowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether two numbers are the same. Only ASCII letters are folded, so that `ſ` does not match `s`. */
const isSameNumber = (a: string, b: string): boolean => toLowerAscii(a) === toLowerAscii(b);

function collectTexts(value: JsonValue, texts: Set<string>): Set<string> {
  if (typeof value === 'string') texts.add(value);
  else if (typeof value === 'number') texts.add(String(value));
  else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collectTexts(item as JsonValue, texts);
  }
  return texts;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

const zonedTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)$/i;

/** Returns how a clock with this offset may show a time with a zone: as written, or converted. */
function clockReadings(text: string, offset: string | null): readonly string[] {
  const [, day, time, seconds = ':00', zone = ''] = zonedTime.exec(text) ?? [];
  if (day === undefined) return [];
  const written = `${day} ${time}${seconds}`;
  const instant = Date.parse(`${day}T${time}${seconds}${zone.replace(/^(...)(\d\d)$/, '$1:$2')}`);
  const here = Date.parse(`1970-01-01T00:00:00${offset ?? 'Z'}`);
  const moved = new Date(instant - here);
  const shown = Number.isNaN(moved.getTime()) ? '' : moved.toISOString().replace('T', ' ');
  // A year with more than four digits would sort differently.
  return /^\d{4}-/.test(shown) ? [written, shown.slice(0, 19)] : [written];
}

function checkLocalTime({ local, offset }: Checkpoint, texts: ReadonlySet<string>): void {
  const isReported = local === null || texts.has(local);
  const isReading = (): boolean => [...texts].some((text) => clockReadings(text, offset).includes(local ?? ''));
  assertInvariant(isReported || isReading(), () => `${local} is not a time in its record`);
}

function checkCheckpoint(checkpoint: Checkpoint, texts: ReadonlySet<string>): void {
  const { at, offset, address, detail, subStatus, translation = null, courierName = null } = checkpoint;
  assertInvariant(at === null || isoTime.test(at), () => `${at} is not an instant`);
  assertInvariant(offset === null || /^[+-]\d\d:\d\d$/.test(offset), () => `${offset} is not an offset`);
  checkLocalTime(checkpoint, texts);
  for (const text of [address, detail, subStatus, translation, courierName]) {
    assertInvariant(text === null || texts.has(text), () => `${text} is not in its record`);
  }
}

/**
 * Throws unless a record's data comes from the one object that it was decoded from, and its id, with every digit, is in
 * the response.
 */
function checkRecord(record: TrackingRecord, payload: string): void {
  const { id } = record;
  assertInvariant(id === null || !/^-?\d{16,}$/.test(id) || payload.includes(id), () => `id ${id} was not sent`);
  const texts = collectTexts(record.received, new Set());
  const {
    checkpoints,
    received: _received,
    lastMile,
    courierHomePage,
    courierTrackingLink,
    expectedDelivery: expected,
    ...fields
  } = record;
  for (const [name, value] of Object.entries({ ...fields, ...lastMile })) {
    const isReported = value === null || typeof value === 'number' || texts.has(value);
    assertInvariant(isReported, () => `${name} of ${record.trackNo} is not in its record: ${value}`);
  }
  const times = expected?.kind === 'window' ? [expected.from, expected.to] : [];
  for (const time of times) assertInvariant(time === null || isoTime.test(time), () => `${time} is not an instant`);
  for (const link of [courierHomePage, courierTrackingLink]) {
    assertInvariant(link === null || /^https?:\/\/[\x21-\x7e]+$/.test(link), () => `${link} is not a web address`);
  }
  for (const checkpoint of checkpoints) checkCheckpoint(checkpoint, texts);
}

function checkRequested(trackNo: string | null, requested: readonly TrackKey[]): void {
  const isRequested = trackNo !== null && requested.some((key) => isSameNumber(key.trackNo, trackNo));
  assertInvariant(isRequested, () => `${trackNo} was not requested`);
}

const checkRejections = (entries: readonly Rejection[], requested: readonly TrackKey[]): void => {
  for (const entry of entries) checkRequested(entry.trackNo, requested);
};

/** A watchlist with all requested numbers. Twins are separate parcels. */
const watched: readonly Parcel[] = requestedKeys.map((key, index) =>
  parcelOf(key.trackNo, {
    id: `parcel-${index}`,
    courierCode: key.courierCode,
    courierPinned: key.courierCode !== null && index % 2 === 0,
  }),
);
const noHistory: ParcelHistory = { version: 1, checkpoints: [], received: null };
const now = Date.UTC(2026, 10, 21, 12);

const belongsToTwin = (parcel: Parcel, courierCode: string | null): boolean =>
  courierCode !== null &&
  (parcel.courierCode === null || toLowerAscii(parcel.courierCode) !== toLowerAscii(courierCode)) &&
  watched.some(
    (other) =>
      other.id !== parcel.id &&
      isSameNumber(other.trackNo, parcel.trackNo) &&
      other.courierCode !== null &&
      toLowerAscii(other.courierCode) === toLowerAscii(courierCode),
  );

/** Throws unless each parcel gets the data of its own number, and not that of its twin under a different courier. */
function checkMatching(response: QueryResponse): void {
  matchQueries(watched, response, watched).forEach(({ match, sent: parcel }) => {
    if (match.kind === 'silent') return;
    if (match.kind !== 'record') {
      checkRequested(match.rejection.trackNo, [parcel]);
      return;
    }
    const { record } = match;
    checkRequested(record.trackNo, [parcel]);
    assertInvariant(!belongsToTwin(parcel, record.courierCode), () => `${parcel.id} got the record of its twin`);
    const merged = mergeRecord(parcel, noHistory, record, now);
    assertInvariant(
      merged.parcel.trackNo === parcel.trackNo && merged.parcel.id === parcel.id,
      () => 'a parcel changed its number or ID',
    );
    checkJson(merged.parcel, 'the parcel');
    checkJson(merged.history, 'the history');
    checkValue(merged.parcel, 'the parcel');
    const texts = collectTexts(record.received, new Set());
    for (const checkpoint of merged.history.checkpoints) checkCheckpoint(checkpoint, texts);
  });
}

/** Throws unless the response to a query is about requested numbers. */
export function checkQueryResponse(response: QueryResponse, requested: readonly TrackKey[], payload: string): void {
  for (const record of response.records) {
    checkRequested(record.trackNo, requested);
    checkRecord(record, payload);
  }
  checkRejections([...response.unregistered, ...response.rejected], requested);
  checkMatching(response);
}

/** Throws unless every record on a page of the account becomes a valid parcel. */
export function checkAccountPage({ records }: AccountPage, payload: string): void {
  for (const record of records) {
    checkRecord(record, payload);
    const parcel = accountParcel(record, { now, random: () => 0.5, serviceClock: assumedServiceClock });
    checkJson(parcel, 'the adopted parcel');
    checkValue(parcel, 'the adopted parcel');
  }
}

/** Throws unless the response to a registration is about requested numbers. */
export function checkRegisterResponse(response: RegisterResponse, requested: readonly TrackKey[]): void {
  for (const key of [...response.accepted, ...response.known]) checkRequested(key.trackNo, requested);
  checkRejections(response.rejected, requested);
  watched.forEach((parcel, position) => {
    const match = matchRegistration(parcel, position, response, watched);
    if (match.kind === 'silent') return;
    if (match.kind === 'rejected') {
      checkRequested(match.rejection.trackNo, [parcel]);
      return;
    }
    checkRequested(match.key.trackNo, [parcel]);
    assertInvariant(!belongsToTwin(parcel, match.key.courierCode), () => `${parcel.id} got the courier of its twin`);
  });
}

/** Throws unless all numbers that were not deleted were requested. */
export function checkDeleteResponse(response: readonly Rejection[], requested: readonly TrackKey[]): void {
  checkRejections(response, requested);
}

/** Throws unless the instant tracking record or rejection is about the requested number. */
export function checkInstantResponse(
  response: { readonly record?: TrackingRecord; readonly rejection?: Rejection },
  requested: readonly TrackKey[],
  payload: string,
): void {
  if (response.record !== undefined) {
    checkRequested(response.record.trackNo, requested);
    checkRecord(response.record, payload);
  }
  if (response.rejection !== undefined) checkRejections([response.rejection], requested);
}

/** Throws unless a pushed record is unchanged, and belongs to a parcel with its number and courier. */
export function checkPushedRecord(record: TrackingRecord, payload: string): void {
  checkRecord(record, payload);
  const addressee = findAddressee(record, watched);
  if (addressee === null) return;
  checkRequested(record.trackNo, [addressee]);
  assertInvariant(
    !belongsToTwin(addressee, record.courierCode),
    () => `${addressee.id} got a record that was pushed for its twin`,
  );
}

/** Throws unless each time of a retrack comes from an entry with its number, or from one without a number. */
export function checkRetrackResponse(
  outcomes: readonly RetrackOutcome[],
  requested: readonly TrackKey[],
  payload: string,
): void {
  const keysOf = (keys: readonly TrackKey[]): string =>
    JSON.stringify(keys.map((key) => [key.trackNo, key.courierCode]));
  assertInvariant(
    keysOf(outcomes) === keysOf(requested),
    () => 'a retrack returned keys that were not requested, or omitted some',
  );
  const sent = JSON.parse(payload.replace(/^\ufeff/, '')) as JsonValue;
  for (const { actualRefreshTime, trackNo } of outcomes) {
    const isReported =
      actualRefreshTime === null || sources(sent, actualRefreshTime).some((source) => mayBelongTo(source, trackNo));
    assertInvariant(isReported, () => `${trackNo} got the time of a different number: ${actualRefreshTime}`);
  }
}

function mayBelongTo(source: { readonly [key: string]: JsonValue }, trackNo: string): boolean {
  const number = source['trackNo'];
  if (typeof number !== 'string') return true;
  // Invisible characters do not count.
  const visible = stripVTControlCharacters(number).replace(/[^\x21-\x7e]/g, '');
  return visible === '' || isSameNumber(visible, trackNo);
}

/** Returns all objects in a payload whose refresh time is this text, or may have become it. */
function sources(payload: JsonValue, text: string): readonly { readonly [key: string]: JsonValue }[] {
  const found: { readonly [key: string]: JsonValue }[] = [];
  const rest: JsonValue[] = [payload];
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonObject(value) && Object.hasOwn(value, 'actualRefreshTime')) {
      const reported = value['actualRefreshTime'];
      const isPlain = reported === text;
      const isCleaned =
        typeof reported === 'number' || (typeof reported === 'string' && reported !== text && !/for /.test(reported));
      if (isPlain || isCleaned) found.push(value);
    }
    rest.push(...(Object.values(value) as JsonValue[]));
  }
  return found;
}
