import type { Clock, EpochMs } from '../../lib/clock.ts';
import type { JsonValue } from '../../lib/json.ts';
import type { OperationName } from '../../service/port.ts';
import { assumedServiceClock, formatServiceTime } from '../../service/service-clock.ts';
import type {
  WireCourier,
  WireData,
  WireInstantRecord,
  WireRegistrationItem,
  WireRejection,
  WireRetrackOutcome,
  WireTrackKey,
} from '../../service/wire.ts';
import { isLanguage, type Language } from '../wording.ts';
import { type Account, isRefusal } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { queryTrackings } from './query-trackings.ts';
import {
  blankedFields,
  itemProblem,
  nonEmptyBatch,
  notRegistered,
  numberRef,
  object,
  read,
  refusalMessage,
  rejection,
  rejectUnregistered,
  required,
  type TrackingItem,
  text,
  trackingItem,
  trackKey,
} from './request.ts';
import { badParameter, type Credit } from './responses.ts';

/** Takes an array or a single object. Without a courier code, all of the number's registrations are deleted. */
function deleteTrackings(account: Account, body: JsonValue): WireData<readonly WireTrackKey[]> {
  const numbers = read(nonEmptyBatch(numberRef), Array.isArray(body) ? body : [body]);
  const rejected = rejectUnregistered(account, numbers);
  const accepted = numbers.flatMap(({ trackNo, courierCode }) =>
    account.find(trackNo, courierCode).map((registration) => {
      account.remove(registration);
      return trackKey(registration);
    }),
  );
  return { accepted, rejected };
}

/** Absent and null fields keep their values. Blank strings remove merchant fields. */
function editTracking(account: Account, body: JsonValue, now: EpochMs): WireData<readonly WireRegistrationItem[]> {
  const item = read(trackingItem, body);
  const { courierCode } = read(object({ courierCode: required('courierCode') }), body);
  const problem = itemProblem(item);
  if (problem !== null) throw badParameter(problem);
  const [registration] = account.find(item.trackNo, courierCode);
  if (registration === undefined) return { accepted: [], rejected: [rejection(0, item, courierCode, notRegistered)] };
  account.edit(registration, { merchant: { ...item.merchant, ...blankedFields(body) }, extra: item.extra }, now);
  return { accepted: [item.echo], rejected: [] };
}

const courierChange = object({
  trackNo: required('trackNo'),
  courierCode: required('courierCode'),
  newCourierCode: required('newCourierCode'),
});

function changeCourier(account: Account, body: JsonValue, now: EpochMs): WireData<readonly WireTrackKey[]> {
  const { trackNo, courierCode, newCourierCode } = read(courierChange, body);
  const reject = (code: string, message: string): WireData<readonly WireTrackKey[]> => ({
    accepted: [],
    rejected: [rejection(0, { trackNo }, code, message)],
  });
  const [registration] = account.find(trackNo, courierCode);
  if (registration === undefined) return reject(courierCode, notRegistered);
  const moved = account.changeCourier(registration, newCourierCode, now);
  return isRefusal(moved)
    ? reject(newCourierCode, refusalMessage(moved))
    : { accepted: [trackKey(moved)], rejected: [] };
}

/** `zh`, `zh-CN` and `ZH_cn` mean Chinese. Returns null for an unsupported language. */
function parseLanguage(text: string | null): Language | null {
  const code = text?.toLowerCase().split(/[-_]/)[0] ?? '';
  return isLanguage(code) ? code : null;
}

/**
 * Looks up one number, registered or not. The account does not change, but every lookup uses credit. An unknown number
 * gets an empty record.
 */
function instantTracking(
  account: Account,
  credit: Credit,
  body: JsonValue,
  now: EpochMs,
): WireData<WireInstantRecord | null> {
  const item = read(trackingItem, body);
  const { lang } = read(object({ lang: text }), body);
  const reject = (message: string): WireData<WireInstantRecord | null> => ({
    accepted: null,
    rejected: [rejection(0, item, item.courierCode, message)],
  });
  const problem = itemProblem(item);
  if (problem !== null) return reject(problem);
  const result = account.lookUp(item, parseLanguage(lang), now);
  if (isRefusal(result)) return reject(refusalMessage(result));
  credit.spend(1);
  return { accepted: result, rejected: [] };
}

function refresh(account: Account, registration: Registration, now: EpochMs): WireRetrackOutcome {
  const { success, refreshedAt } = account.refresh(registration, now);
  return { success, actualRefreshTime: formatServiceTime(refreshedAt, assumedServiceClock) };
}

/** The response contains no tracking data. */
function refreshTracking(
  account: Account,
  body: JsonValue,
  now: EpochMs,
): WireRetrackOutcome | WireData<readonly never[]> {
  const number = read(object({ trackNo: required('trackNo'), courierCode: text }), body);
  const [registration] = account.find(number.trackNo, number.courierCode);
  return registration === undefined
    ? { accepted: [], rejected: rejectUnregistered(account, [number]) }
    : refresh(account, registration, now);
}

/** Without a courier code, all of the number's registrations are refreshed. */
function refreshTrackings(
  account: Account,
  body: JsonValue,
  now: EpochMs,
): WireData<readonly (WireTrackKey & WireRetrackOutcome)[]> {
  const numbers = read(nonEmptyBatch(numberRef), body);
  return {
    accepted: numbers.flatMap(({ trackNo, courierCode }) =>
      account
        .find(trackNo, courierCode)
        .map((registration) => ({ ...trackKey(registration), ...refresh(account, registration, now) })),
    ),
    rejected: rejectUnregistered(account, numbers),
  };
}

function countNew(account: Account, items: readonly TrackingItem[]): number {
  const newKeys = items.flatMap((item) => {
    const courier = account.resolveCourier(item.trackNo, item.courierCode);
    return itemProblem(item) !== null || isRefusal(courier) ? [] : [`${courier.code}/${item.trackNo.toUpperCase()}`];
  });
  return new Set(newKeys).size;
}

/**
 * All rejections have the same code and differ only in their message. The call still succeeds. If the credit does not
 * cover all numbers, none is registered.
 */
function registerTrackings(
  account: Account,
  credit: Credit,
  body: JsonValue,
  now: EpochMs,
): WireData<readonly WireRegistrationItem[]> {
  const items = read(nonEmptyBatch(trackingItem), body);
  credit.spend(countNew(account, items));
  const accepted: WireRegistrationItem[] = [];
  const rejected: WireRejection[] = [];
  items.forEach((item, index) => {
    const identity = { trackNo: item.trackNo, orderNo: item.merchant.orderNo };
    const problem = itemProblem(item);
    if (problem !== null) {
      rejected.push(rejection(index, identity, item.courierCode, problem));
      return;
    }
    const outcome = account.register(item, now);
    if (!isRefusal(outcome)) accepted.push(item.echo);
    else {
      const courierCode = outcome.kind === 'duplicate' ? outcome.courierCode : item.courierCode;
      rejected.push(rejection(index, identity, courierCode, refusalMessage(outcome)));
    }
  });
  return { accepted, rejected };
}

export interface OperationSources {
  readonly account: Account;
  readonly credit: Credit;
  readonly clock: Clock;
  /** The response to Get Carriers. */
  readonly courierRows: readonly WireCourier[];
}

export interface ServedOperation {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly callsPerSecond: number;
  /** Returns `data`. The body is null for GET. Throws a `RefusedCallError` if the call fails as a whole. */
  readonly handle: (body: JsonValue) => unknown;
}

const callsPerSecond = 5;

/** The paths are not shared with the client, so that tests detect differences. */
export function operationsOf({ account, credit, clock, courierRows }: OperationSources): readonly ServedOperation[] {
  const post = (
    name: OperationName,
    path: string,
    handle: (body: JsonValue, now: number) => unknown,
  ): ServedOperation => ({
    name,
    method: 'POST',
    path,
    callsPerSecond: name === 'instant' ? 1 : callsPerSecond,
    handle: (body) => handle(body, clock.now()),
  });
  const couriers = (path: string): ServedOperation => ({
    name: 'couriers',
    method: 'GET',
    path,
    callsPerSecond,
    handle: () => courierRows,
  });
  const register = (body: JsonValue, now: number): unknown => registerTrackings(account, credit, body, now);
  return [
    post('register', '/tk/v2/track/import', register),
    post('registerV21', '/tk/v2.1/track/import', register),
    post('queryV2', '/tk/v2/track/query', (body, now) => queryTrackings(account, body, now)),
    post('query', '/tk/v2.1/track/query', (body, now) => queryTrackings(account, body, now)),
    couriers('/tk/v2/courier/list'),
    couriers('/tk/v2.1/courier/list'),
    post('delete', '/tk/v2.1/track/delete', (body) => deleteTrackings(account, body)),
    post('edit', '/tk/v2.1/track/update', (body, now) => editTracking(account, body, now)),
    post('changeCourier', '/tk/v2.1/track/update-courier', (body, now) => changeCourier(account, body, now)),
    post('refresh', '/tk/v2.1/track/refresh', (body, now) => refreshTracking(account, body, now)),
    post('refreshBatch', '/tk/v2.1/track/refresh-batch', (body, now) => refreshTrackings(account, body, now)),
    post('instant', '/tk/v2.1/track/query-realtime', (body, now) => instantTracking(account, credit, body, now)),
  ];
}
