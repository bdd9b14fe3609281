import * as v from 'valibot';
import { type EpochMs, minuteMs } from '../../lib/clock.ts';
import { parseWallTime } from '../../lib/date-time.ts';
import type { JsonValue } from '../../lib/json.ts';
import { assumedServiceClock } from '../../service/service-clock.ts';
import type { WireData, WirePage } from '../../service/wire.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import {
  batch,
  batchLimit,
  batchProblem,
  type NumberRef,
  numberRef,
  object,
  read,
  rejectUnregistered,
  text,
  trimmed,
} from './request.ts';

const stringList = v.nullish(batch(v.pipe(v.string(), v.trim())), []);
const pageSizeProblem = `queryPageSize must be between 1 and ${batchLimit}`;

/** Parses a time on the service clock. */
const time = (name: string, fallback: EpochMs) =>
  v.pipe(
    text,
    v.check((value) => value === null || parseWallTime(value) !== null, `${name} must be yyyy-MM-dd HH:mm:ss`),
    v.transform((value) => {
      const wall = parseWallTime(value);
      return wall === null ? fallback : wall - assumedServiceClock.offsetMinutes * minuteMs;
    }),
  );

/**
 * Version 2 accepts both `trackNoInfos` and `trackNos`. We assume that version 2.1 also accepts `trackNos`: clients send
 * it, but no response was captured.
 */
const querySchema = v.pipe(
  object({
    trackNoInfos: v.nullish(batch(numberRef), []),
    trackNos: stringList,
    orderNos: stringList,
    /** Bounds of `createTime`, inclusive. */
    createTimeStart: time('createTimeStart', Number.NEGATIVE_INFINITY),
    createTimeEnd: time('createTimeEnd', Number.POSITIVE_INFINITY),
    /** Starts at 1. */
    cursor: v.pipe(
      trimmed,
      v.regex(/^(?:[1-9]\d{0,8})?$/, 'cursor is invalid'),
      v.transform((page) => (page === '' ? 1 : Number(page))),
    ),
    queryPageSize: v.pipe(
      v.nullish(v.custom<number>(Number.isInteger), batchLimit),
      v.minValue(1, pageSizeProblem),
      v.maxValue(batchLimit, pageSizeProblem),
    ),
  }),
  v.transform(({ trackNoInfos, trackNos, ...query }) => ({
    ...query,
    numbers: [...trackNos.map((trackNo) => ({ trackNo, courierCode: null })), ...trackNoInfos],
  })),
  v.check(({ numbers }) => numbers.length <= batchLimit, batchProblem),
);
type Query = v.InferOutput<typeof querySchema>;

/** Returns the registrations oldest first. */
function select(
  account: Account,
  { numbers, orderNos, createTimeStart: from, createTimeEnd: to }: Query,
): readonly Registration[] {
  const isFiltered = numbers.length > 0 || orderNos.length > 0;
  const candidates = isFiltered ? findNamed(account, numbers, orderNos) : account.all();
  if (from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) return candidates;
  return candidates.filter(({ registeredAt }) => {
    const createdAt = Math.floor(registeredAt / 1000) * 1000;
    return createdAt >= from && createdAt <= to;
  });
}

function findNamed(
  account: Account,
  numbers: readonly NumberRef[],
  orderNos: readonly string[],
): readonly Registration[] {
  const hasListedOrder = ({ merchant: { orderNo } }: Registration): boolean =>
    orderNo !== undefined && orderNos.includes(orderNo);
  const found = new Set([
    ...numbers.flatMap(({ trackNo, courierCode }) => account.find(trackNo, courierCode)),
    ...(orderNos.length === 0 ? [] : account.all().filter(hasListedOrder)),
  ]);
  return [...found].sort((left, right) => left.sequence - right.sequence);
}

/**
 * Without filters, lists the whole account. As in the public service, `totalElements` and `totalPages` count the whole
 * account, and `cursor` names the next page even on the last page.
 */
export function queryTrackings(account: Account, body: JsonValue, now: EpochMs): WireData<WirePage> {
  const query = read(querySchema, body);
  const { cursor: page, queryPageSize: pageSize } = query;
  const start = (page - 1) * pageSize;
  const content = select(account, query).slice(start, start + pageSize);
  return {
    accepted: {
      content: content.map((registration) => account.recordAt(registration, now)),
      totalElements: String(account.size),
      totalPages: String(Math.ceil(account.size / pageSize)),
      currentPage: String(page),
      cursor: String(page + 1),
    },
    rejected: page === 1 ? rejectUnregistered(account, query.numbers) : [],
  };
}
