import { expect, test } from 'vitest';
import { couriers } from '../../src/sandbox/data/couriers.ts';
import { openAccount } from '../../src/sandbox/world/account.ts';
import { RecordCache } from './record-cache.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 10, 19, 9, 0, 0);

test('a cached record is the one that the account would make', () => {
  const account = openAccount({ seed: 1, speed: 1 }, start);
  for (const [index, { code }] of couriers.entries()) {
    const extra = { postalCode: '50667', phoneSuffix: '1234' };
    account.register({ trackNo: `CACHED${index}`, courierCode: code, merchant: {}, extra }, start);
  }
  const cache = new RecordCache(account);
  for (let at = start; at < start + 6 * 24 * 60 * minuteMs; at += 97 * minuteMs) {
    for (const registration of account.all()) {
      const json = Buffer.concat(cache.jsonOf(cache.recordAt(registration, at))).toString();
      expect(json).toBe(JSON.stringify(account.recordAt(registration, at)));
    }
  }
});
