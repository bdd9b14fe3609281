import { stripVTControlCharacters } from 'node:util';
import { findAddressee, matchQueries, matchRegistration } from '../../src/polling/answers/match-answer.ts';
import { assumedServiceClock } from '../../src/service/clock/service-clock.ts';
import type {
  AccountPage,
  Checkpoint,
  QueryAnswer,
  RegisterAnswer,
  Rejection,
  RetrackOutcome,
  TrackingRecord,
  TrackKey,
} from '../../src/service/record/record.ts';
import { isJsonObject, type JsonValue } from '../../src/service/text/json.ts';
import { heldParcel } from '../../src/watchlist/model/held-parcel.ts';
import { mergeRecord } from '../../src/watchlist/model/merge.ts';
import type { Parcel, ParcelHistory } from '../../src/watchlist/model/parcel.ts';
import { parcelOf } from '../watchlist/parcels.ts';
import { askedKeys } from './calls.ts';
import { checkJson, checkValue, promise } from './invariants.ts';

const small = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether two numbers are one: numbers are ASCII, so that no letter of another alphabet folds into one. */
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

/** What a clock at this offset shows at a time that carries a zone: as it is written, or brought over from that zone. */
function clockReadings(text: string, offset: string | null): readonly string[] {
  const [, day, time, seconds = ':00', zone = ''] = zonedTime.exec(text) ?? [];
  if (day === undefined) return [];
  const written = `${day} ${time}${seconds}`;
  const instant = Date.parse(`${day}T${time}${seconds}${zone.replace(/^(...)(\d\d)$/, '$1:$2')}`);
  const here = Date.parse(`1970-01-01T00:00:00${offset ?? 'Z'}`);
  const moved = new Date(instant - here);
  const shown = Number.isNaN(moved.getTime()) ? '' : moved.toISOString().replace('T', ' ');
  // A year of more digits would sort among others.
  return /^\d{4}-/.test(shown) ? [written, shown.slice(0, 19)] : [written];
}

function checkLocalTime({ local, offset }: Checkpoint, texts: ReadonlySet<string>): void {
  const isTold = local === null || texts.has(local);
  const isReading = (): boolean => [...texts].some((text) => clockReadings(text, offset).includes(local ?? ''));
  promise(isTold || isReading(), () => `${local} is no time of the record that it stands in`);
}

function checkCheckpoint(checkpoint: Checkpoint, texts: ReadonlySet<string>): void {
  const { at, offset, address, detail, subStatus, translation = null } = checkpoint;
  promise(at === null || isoTime.test(at), () => `${at} is no instant`);
  promise(offset === null || /^[+-]\d\d:\d\d$/.test(offset), () => `${offset} is no offset`);
  checkLocalTime(checkpoint, texts);
  for (const text of [address, detail, subStatus, translation]) {
    promise(text === null || texts.has(text), () => `${text} is not in the record that it stands in`);
  }
}

/**
 * Throws unless all that a record tells stands in the one object that it was read from, and its id, every digit of it, in
 * the answer.
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
    const isTold = value === null || typeof value === 'number' || texts.has(value);
    promise(isTold, () => `${name} of ${record.trackNo} comes from elsewhere: ${value}`);
  }
  const times = expected?.kind === 'window' ? [expected.from, expected.to] : [];
  for (const time of times) promise(time === null || isoTime.test(time), () => `${time} is no instant`);
  for (const link of [courierHomePage, courierTrackingLink]) {
    promise(link === null || /^https?:\/\/[\x21-\x7e]+$/.test(link), () => `${link} is no address`);
  }
  for (const checkpoint of checkpoints) checkCheckpoint(checkpoint, texts);
}

function checkAsked(trackNo: string | null, asked: readonly TrackKey[]): void {
  const isAsked = trackNo !== null && asked.some((key) => isSameNumber(key.trackNo, trackNo));
  promise(isAsked, () => `${trackNo} was not asked for`);
}

const checkRejections = (entries: readonly Rejection[], asked: readonly TrackKey[]): void => {
  for (const entry of entries) checkAsked(entry.trackNo, asked);
};

/** A watchlist in which each asked number stands, the twins apart; one courier is the service's guess. */
const watched: readonly Parcel[] = askedKeys.map((key, index) =>
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

/** Throws unless each parcel gets what is told of its own number, and not what belongs to its twin at another courier. */
function checkMerging(answer: QueryAnswer): void {
  const matches = matchQueries(watched, answer, watched);
  watched.forEach((parcel, position) => {
    const match = matches[position];
    if (match === undefined || match.kind === 'silent') return;
    if (match.kind !== 'record') {
      checkAsked(match.rejection.trackNo, [parcel]);
      return;
    }
    const { record } = match;
    checkAsked(record.trackNo, [parcel]);
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

/** Throws unless an answer to a query is about what was asked. */
export function checkQueryAnswer(answer: QueryAnswer, asked: readonly TrackKey[], payload: string): void {
  for (const record of answer.records) {
    checkAsked(record.trackNo, asked);
    checkRecord(record, payload);
  }
  checkRejections([...answer.unregistered, ...answer.rejected], asked);
  checkMerging(answer);
}

/** Throws unless every record of a page of the account can be watched as it is. */
export function checkAccountPage({ records }: AccountPage, payload: string): void {
  for (const record of records) {
    checkRecord(record, payload);
    const parcel = heldParcel(record, { now, random: () => 0.5, serviceClock: assumedServiceClock });
    checkJson(parcel, 'the parcel taken over');
    checkValue(parcel, 'the parcel taken over');
  }
}

/** Throws unless an answer to a registration is about what was asked. */
export function checkRegisterAnswer(answer: RegisterAnswer, asked: readonly TrackKey[]): void {
  for (const key of [...answer.accepted, ...answer.known]) checkAsked(key.trackNo, asked);
  checkRejections(answer.rejected, asked);
  watched.forEach((parcel, position) => {
    const match = matchRegistration(parcel, position, answer, watched);
    if (match.kind === 'silent') return;
    if (match.kind === 'rejected') {
      checkAsked(match.rejection.trackNo, [parcel]);
      return;
    }
    checkAsked(match.key.trackNo, [parcel]);
    promise(!isTwins(parcel, match.key.courierCode), () => `${parcel.id} got the courier of its twin`);
  });
}

/** Throws unless what was not deleted was asked for. */
export function checkDeleteAnswer(answer: readonly Rejection[], asked: readonly TrackKey[]): void {
  checkRejections(answer, asked);
}

/** Throws unless the record of instant tracking, or its rejection, is of the number that was asked. */
export function checkInstantAnswer(
  answer: { readonly record?: TrackingRecord; readonly rejection?: Rejection },
  asked: readonly TrackKey[],
  payload: string,
): void {
  if (answer.record !== undefined) {
    checkAsked(answer.record.trackNo, asked);
    checkRecord(answer.record, payload);
  }
  if (answer.rejection !== undefined) checkRejections([answer.rejection], asked);
}

/** Throws unless a pushed record is what was sent, and goes to a parcel of its own number and courier. */
export function checkPushedRecord(record: TrackingRecord, payload: string): void {
  checkRecord(record, payload);
  const addressee = findAddressee(record, watched);
  if (addressee === null) return;
  checkAsked(record.trackNo, [addressee]);
  promise(!isTwins(addressee, record.courierCode), () => `${addressee.id} got what was pushed for its twin`);
}

/** Throws unless the times of a retrack come from entries that name its number, or none. */
export function checkRetrackAnswer(
  outcomes: readonly RetrackOutcome[],
  asked: readonly TrackKey[],
  payload: string,
): void {
  const keysOf = (keys: readonly TrackKey[]): string =>
    JSON.stringify(keys.map((key) => [key.trackNo, key.courierCode]));
  promise(keysOf(outcomes) === keysOf(asked), () => 'a retrack answers other keys than it was asked for');
  const sent = JSON.parse(payload.replace(/^\ufeff/, '')) as JsonValue;
  for (const { actualRefreshTime, trackNo } of outcomes) {
    const isTold =
      actualRefreshTime === null || tellers(sent, actualRefreshTime).some((teller) => mayName(teller, trackNo));
    promise(isTold, () => `${trackNo} got the time of another number: ${actualRefreshTime}`);
  }
}

function mayName(teller: { readonly [key: string]: JsonValue }, trackNo: string): boolean {
  const named = teller['trackNo'];
  if (typeof named !== 'string') return true;
  // A name with something invisible in it is judged by what is left of it.
  const visible = stripVTControlCharacters(named).replace(/[^\x21-\x7e]/g, '');
  return visible === '' || isSameNumber(visible, trackNo);
}

/** All objects of a payload that hold a text, or one that may have become it. */
function tellers(payload: JsonValue, text: string): readonly { readonly [key: string]: JsonValue }[] {
  const found: { readonly [key: string]: JsonValue }[] = [];
  const rest: JsonValue[] = [payload];
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonObject(value) && Object.hasOwn(value, 'actualRefreshTime')) {
      const told = value['actualRefreshTime'];
      const isPlain = told === text;
      const isCleaned = typeof told === 'number' || (typeof told === 'string' && told !== text && !/for /.test(told));
      if (isPlain || isCleaned) found.push(value);
    }
    rest.push(...(Object.values(value) as JsonValue[]));
  }
  return found;
}
