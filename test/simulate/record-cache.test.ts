import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/lib/json.ts';
import { couriers } from '../../src/sandbox/couriers.ts';
import { type Account, openAccount } from '../../src/sandbox/world/account.ts';
import { decodeRecord } from '../../src/service/decode-record.ts';
import { rounds } from '../support/rounds.ts';
import { RecordCache } from './record-cache.ts';
import { createRepeatDecoder, RepeatAbridger } from './repeated-records.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 10, 19, 9, 0, 0);
const days = rounds(5, 1);

/** A number of every third courier, starting with one that depends on the seed. Registered at the start. */
function accountOfAThird(seed: number): Account {
  const account = openAccount({ seed, speed: 1 }, start);
  for (const [index, { code }] of couriers.entries()) {
    if (index % 3 !== seed % 3) continue;
    const extra = { postalCode: '50667', phoneSuffix: '1234' };
    account.register({ trackNo: `CACHED${index}`, courierCode: code, merchant: {}, extra }, start);
  }
  return account;
}

/** A value after a JSON round trip. */
const overTheWire = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

test('a cached record is the one that the account would make', () => {
  const account = accountOfAThird(1);
  const cache = new RecordCache(account);
  for (let at = start; at < start + days * 24 * 60 * minuteMs; at += 127 * minuteMs) {
    for (const registration of account.all()) {
      const { record, latest } = cache.recordAt(registration, at);
      expect(JSON.stringify({ ...record, ...latest })).toBe(JSON.stringify(account.recordAt(registration, at)));
    }
  }
});

test('an abridged record equals the full one', () => {
  const account = accountOfAThird(2);
  const cache = new RecordCache(account);
  const abridger = new RepeatAbridger();
  const decode = createRepeatDecoder();
  let abridged = 0;
  for (let at = start; at < start + days * 24 * 60 * minuteMs; at += 131 * minuteMs) {
    for (const registration of account.all()) {
      const sent = abridger.abridge(cache.recordAt(registration, at));
      if ('again' in sent) abridged += 1;
      const whole = decodeRecord(overTheWire(account.recordAt(registration, at)), at);
      expect(JSON.stringify(decode(overTheWire(sent), at))).toBe(JSON.stringify(whole));
    }
  }
  expect(abridged).toBeGreaterThan(6 * days * account.all().length);
});
