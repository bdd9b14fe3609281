import { stripVTControlCharacters } from 'node:util';
import { isJsonObject, type JsonValue } from '../../src/lib/json.ts';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../../src/parcels/parcel.ts';
import { accountParcel } from '../../src/parcels/parcel-factory.ts';
import { findAddressee, matchQueries, matchRegistration } from '../../src/polling/match-responses.ts';
import type {
  AccountPage,
  Checkpoint,
  QueryResponse,
  RegisterResponse,
  Rejection,
  RetrackOutcome,
  TrackingRecord,
  TrackKey,
} from '../../src/service/record.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { requestedKeys } from './calls.ts';
import { checkJson, checkValue, promise } from './invariants.ts';

const small = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether two numbers are the same. Numbers are ASCII, so that no letter of another alphabet folds into one. */
const isSameNumber = (a: string, b: string): boolean => small(a) === small(b);

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

/** A time with a zone on a clock with this offset: as written, or converted from that zone. */
function clockReadings(text: string, offset: string | null): readonly string[] {
  const [, day, time, seconds = ':00', zone = ''] = zonedTime.exec(text) ?? [];
  if (day === undefined) return [];
  const written = `${day} ${time}${seconds}`;
  const instant = Date.parse(`${day}T${time}${seconds}${zone.replace(/^(...)(\d\d)$/, '$1:$2')}`);
  const here = Date.parse(`1970-01-01T00:00:00${offset ?? 'Z'}`);
  const moved = new Date(instant - here);
  const shown = Number.isNaN(moved.getTime()) ? '' : moved.toISOString().replace('T', ' ');
  // A year with more digits would sort differently.
  return /^\d{4}-/.test(shown) ? [written, shown.slice(0, 19)] : [written];
}

function checkLocalTime({ local, offset }: Checkpoint, texts: ReadonlySet<string>): void {
  const isReported = local === null || texts.has(local);
  const isReading = (): boolean => [...texts].some((text) => clockReadings(text, offset).includes(local ?? ''));
  promise(isReported || isReading(), () => `${local} is no time of the record that it stands in`);
}

function checkCheckpoint(checkpoint: Checkpoint, texts: ReadonlySet<string>): void {
  const { at, offset, address, detail, subStatus, translation = null, courierName = null } = checkpoint;
  promise(at === null || isoTime.test(at), () => `${at} is no instant`);
  promise(offset === null || /^[+-]\d\d:\d\d$/.test(offset), () => `${offset} is no offset`);
  checkLocalTime(checkpoint, texts);
  for (const text of [address, detail, subStatus, translation, courierName]) {
    promise(text === null || texts.has(text), () => `${text} is not in the record that it stands in`);
  }
}

/**
 * Throws unless a record's data comes from the one object that it was decoded from, and its id, with every digit, is in
 * the response.
 */
function checkRecord(record: TrackingRecord, payload: string): void {
  const { id } = record;
  promise(id === null || !/^-?\d{16,}$/.test(id) || payload.includes(id), () => `id ${id} is not what was sent`);
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
    promise(isReported, () => `${name} of ${record.trackNo} comes from elsewhere: ${value}`);
  }
  const times = expected?.kind === 'window' ? [expected.from, expected.to] : [];
  for (const time of times) promise(time === null || isoTime.test(time), () => `${time} is no instant`);
  for (const link of [courierHomePage, courierTrackingLink]) {
    promise(link === null || /^https?:\/\/[\x21-\x7e]+$/.test(link), () => `${link} is no address`);
  }
  for (const checkpoint of checkpoints) checkCheckpoint(checkpoint, texts);
}

function checkRequested(trackNo: string | null, requested: readonly TrackKey[]): void {
  const isRequested = trackNo !== null && requested.some((key) => isSameNumber(key.trackNo, trackNo));
  promise(isRequested, () => `${trackNo} was not requested`);
}

const checkRejections = (entries: readonly Rejection[], requested: readonly TrackKey[]): void => {
  for (const entry of entries) checkRequested(entry.trackNo, requested);
};

/** A watchlist with each requested number. Twins are separate parcels. The service detected one courier. */
const watched: readonly Parcel[] = requestedKeys.map((key, index) =>
  parcelOf(key.trackNo, {
    id: `parcel-${index}`,
    courierCode: key.courierCode,
    courierPinned: key.courierCode !== null && index % 2 === 0,
  }),
);
const noHistory: ParcelHistory = { version: 1, checkpoints: [], received: null };
const now = Date.UTC(2026, 10, 21, 12);

const isTwins = (parcel: Parcel, courierCode: string | null): boolean =>
  courierCode !== null &&
  (parcel.courierCode === null || small(parcel.courierCode) !== small(courierCode)) &&
  watched.some(
    (other) =>
      other.id !== parcel.id &&
      isSameNumber(other.trackNo, parcel.trackNo) &&
      other.courierCode !== null &&
      small(other.courierCode) === small(courierCode),
  );

/** Throws unless each parcel gets the data of its own number, and not the data of its twin under another courier. */
function checkMerging(answer: QueryResponse): void {
  matchQueries(watched, answer, watched).forEach(({ match, sent: parcel }) => {
    if (match.kind === 'silent') return;
    if (match.kind !== 'record') {
      checkRequested(match.rejection.trackNo, [parcel]);
      return;
    }
    const { record } = match;
    checkRequested(record.trackNo, [parcel]);
    promise(!isTwins(parcel, record.courierCode), () => `${parcel.id} got the record of its twin`);
    const merged = mergeRecord(parcel, noHistory, record, now);
    promise(
      merged.parcel.trackNo === parcel.trackNo && merged.parcel.id === parcel.id,
      () => 'a parcel changed its name',
    );
    checkJson(merged.parcel, 'the parcel');
    checkJson(merged.history, 'the history');
    checkValue(merged.parcel, 'the parcel');
    const texts = collectTexts(record.received, new Set());
    for (const checkpoint of merged.history.checkpoints) checkCheckpoint(checkpoint, texts);
  });
}

/** Throws unless the response to a query is about requested numbers. */
export function checkQueryAnswer(answer: QueryResponse, requested: readonly TrackKey[], payload: string): void {
  for (const record of answer.records) {
    checkRequested(record.trackNo, requested);
    checkRecord(record, payload);
  }
  checkRejections([...answer.unregistered, ...answer.rejected], requested);
  checkMerging(answer);
}

/** Throws unless every record of a page of the account can be watched unchanged. */
export function checkAccountPage({ records }: AccountPage, payload: string): void {
  for (const record of records) {
    checkRecord(record, payload);
    const parcel = accountParcel(record, { now, random: () => 0.5, serviceClock: assumedServiceClock });
    checkJson(parcel, 'the parcel taken over');
    checkValue(parcel, 'the parcel taken over');
  }
}

/** Throws unless the response to a registration is about requested numbers. */
export function checkRegisterAnswer(answer: RegisterResponse, requested: readonly TrackKey[]): void {
  for (const key of [...answer.accepted, ...answer.known]) checkRequested(key.trackNo, requested);
  checkRejections(answer.rejected, requested);
  watched.forEach((parcel, position) => {
    const match = matchRegistration(parcel, position, answer, watched);
    if (match.kind === 'silent') return;
    if (match.kind === 'rejected') {
      checkRequested(match.rejection.trackNo, [parcel]);
      return;
    }
    checkRequested(match.key.trackNo, [parcel]);
    promise(!isTwins(parcel, match.key.courierCode), () => `${parcel.id} got the courier of its twin`);
  });
}

/** Throws unless all numbers that were not deleted were requested. */
export function checkDeleteAnswer(answer: readonly Rejection[], requested: readonly TrackKey[]): void {
  checkRejections(answer, requested);
}

/** Throws unless the record of instant tracking, or its rejection, is about the requested number. */
export function checkInstantAnswer(
  answer: { readonly record?: TrackingRecord; readonly rejection?: Rejection },
  requested: readonly TrackKey[],
  payload: string,
): void {
  if (answer.record !== undefined) {
    checkRequested(answer.record.trackNo, requested);
    checkRecord(answer.record, payload);
  }
  if (answer.rejection !== undefined) checkRejections([answer.rejection], requested);
}

/** Throws unless a pushed record is unchanged, and belongs to a parcel with its number and courier. */
export function checkPushedRecord(record: TrackingRecord, payload: string): void {
  checkRecord(record, payload);
  const addressee = findAddressee(record, watched);
  if (addressee === null) return;
  checkRequested(record.trackNo, [addressee]);
  promise(!isTwins(addressee, record.courierCode), () => `${addressee.id} got what was pushed for its twin`);
}

/** Throws unless the times of a retrack come from entries with its number, or without one. */
export function checkRetrackAnswer(
  outcomes: readonly RetrackOutcome[],
  requested: readonly TrackKey[],
  payload: string,
): void {
  const keysOf = (keys: readonly TrackKey[]): string =>
    JSON.stringify(keys.map((key) => [key.trackNo, key.courierCode]));
  promise(
    keysOf(outcomes) === keysOf(requested),
    () => 'a retrack returns keys that were not requested, or omits some',
  );
  const sent = JSON.parse(payload.replace(/^\ufeff/, '')) as JsonValue;
  for (const { actualRefreshTime, trackNo } of outcomes) {
    const isReported =
      actualRefreshTime === null || sources(sent, actualRefreshTime).some((source) => mayName(source, trackNo));
    promise(isReported, () => `${trackNo} got the time of another number: ${actualRefreshTime}`);
  }
}

function mayName(source: { readonly [key: string]: JsonValue }, trackNo: string): boolean {
  const named = source['trackNo'];
  if (typeof named !== 'string') return true;
  // A name with invisible characters is compared without them.
  const visible = stripVTControlCharacters(named).replace(/[^\x21-\x7e]/g, '');
  return visible === '' || isSameNumber(visible, trackNo);
}

/** All objects of a payload that contain a string, or a value that may have become it. */
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
