import { expect, test } from 'vitest';
import { couriers } from '../../src/sandbox/data/couriers.ts';
import { openAccount } from '../../src/sandbox/world/account.ts';
import { ToldRecords } from './told-records.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 10, 19, 9, 0, 0);

test('what is told out of memory is what the account tells', () => {
  const account = openAccount({ seed: 1, speed: 1 }, start);
  for (const [index, { code }] of couriers.entries()) {
    const extra = { postalCode: '50667', phoneSuffix: '1234' };
    account.register({ trackNo: `TOLD${index}`, courierCode: code, merchant: {}, extra }, start);
  }
  const told = new ToldRecords(account);
  for (let at = start; at < start + 6 * 24 * 60 * minuteMs; at += 97 * minuteMs) {
    for (const registration of account.all()) {
      const json = Buffer.concat(told.jsonOf(told.recordAt(registration, at))).toString();
      expect(json).toBe(JSON.stringify(account.recordAt(registration, at)));
    }
  }
});
