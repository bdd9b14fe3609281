import type { EpochMs } from '../../service/clock/clock.ts';
import { assumedServiceClock, parseServiceTime } from '../../service/clock/service-clock.ts';
import type { WireQueryData } from '../../service/record/wire.ts';
import type { JsonObject, JsonValue } from '../../service/text/json.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { badFormat, badParameter } from './answers.ts';
import { batchField, batchLimit, checkBatch, objectOf, textField } from './fields.ts';
import { type NamedNumber, readNamedNumber, rejectUnregistered } from './named-numbers.ts';

interface Query {
  readonly numbers: readonly NamedNumber[];
  readonly orderNos: readonly string[];
  /** Bounds of `createTime`, both inclusive. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

function textOf(value: JsonValue): string {
  if (typeof value !== 'string') throw badFormat();
  return value.trim();
}

/**
 * Version 2 is known to take both ways of naming numbers. That version 2.1 takes `trackNos` as well is an assumption:
 * several clients send it and read the answer by number, but no answer was captured.
 */
function readNumbers(source: JsonObject): readonly NamedNumber[] {
  const infos = batchField(source, 'trackNoInfos').map(readNamedNumber);
  const plain = batchField(source, 'trackNos').map((value) => ({ trackNo: textOf(value), courierCode: null }));
  return checkBatch([...plain, ...infos]);
}

function readTime(source: JsonObject, name: string, missing: EpochMs): EpochMs {
  const text = textField(source, name);
  if (text === null) return missing;
  const at = parseServiceTime(text, assumedServiceClock);
  if (at === null) throw badParameter(`${name} must be yyyy-MM-dd HH:mm:ss`);
  return at;
}

function readPage(source: JsonObject): number {
  const cursor = textField(source, 'cursor');
  if (cursor === null) return 1;
  if (!/^[1-9]\d{0,8}$/.test(cursor)) throw badParameter('cursor is invalid');
  return Number(cursor);
}

function readPageSize(source: JsonObject): number {
  const size = source['queryPageSize'];
  if (size === undefined || size === null) return batchLimit;
  if (typeof size !== 'number' || !Number.isInteger(size)) throw badFormat();
  if (size < 1 || size > batchLimit) throw badParameter(`queryPageSize must be between 1 and ${batchLimit}`);
  return size;
}

function readQuery(body: JsonValue): Query {
  const source = objectOf(body);
  return {
    numbers: readNumbers(source),
    orderNos: batchField(source, 'orderNos').map(textOf),
    from: readTime(source, 'createTimeStart', Number.NEGATIVE_INFINITY),
    to: readTime(source, 'createTimeEnd', Number.POSITIVE_INFINITY),
    page: readPage(source),
    pageSize: readPageSize(source),
  };
}

/** What is wanted, in the order of registration, which need not be the order of the request. */
function select(account: Account, { numbers, orderNos, from, to }: Query): readonly Registration[] {
  const isFiltered = numbers.length > 0 || orderNos.length > 0;
  const candidates = isFiltered ? named(account, numbers, orderNos) : account.all();
  if (from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) return candidates;
  return candidates.filter(({ registeredAt }) => {
    const createdAt = Math.floor(registeredAt / 1000) * 1000;
    return createdAt >= from && createdAt <= to;
  });
}

function named(
  account: Account,
  numbers: readonly NamedNumber[],
  orderNos: readonly string[],
): readonly Registration[] {
  const found = new Set([
    ...numbers.flatMap(({ trackNo, courierCode }) => account.find(trackNo, courierCode)),
    ...orderNos.flatMap((orderNo) => account.findByOrderNo(orderNo)),
  ]);
  return [...found].sort((left, right) => left.sequence - right.sequence);
}

/**
 * Query trackings, both versions. A query without numbers lists the account. As the public service
 * does, `totalElements` and `totalPages` count the account, not what was wanted, and `cursor` names the next page
 * even on the last one. Throws a `RefusedCallError` when the body is not of the operation's shape.
 */
export function queryTrackings(account: Account, body: JsonValue, now: EpochMs): WireQueryData {
  const query = readQuery(body);
  const start = (query.page - 1) * query.pageSize;
  const content = select(account, query).slice(start, start + query.pageSize);
  return {
    accepted: {
      content: content.map((registration) => account.recordAt(registration, now)),
      totalElements: String(account.size),
      totalPages: String(Math.ceil(account.size / query.pageSize)),
      currentPage: String(query.page),
      cursor: String(query.page + 1),
    },
    rejected: query.page === 1 ? rejectUnregistered(account, query.numbers) : [],
  };
}
