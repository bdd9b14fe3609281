import { expect, it } from 'vitest';
import { parseWallTime } from '../../../src/lib/date-time.ts';
import { instantOf } from '../../../src/sandbox/world/registration.ts';
import { checkpointsOf, registerParcel, registrationRequest, testAccount, upsNumber } from '../support.ts';

const account = testAccount(7, 1);
const stories = Array.from({ length: 150 }, (_, index) =>
  registerParcel(account, registrationRequest(upsNumber(index))),
).map((registration) => ({
  registration,
  records: registration.journey.events.map(({ position }) =>
    account.recordAt(registration, instantOf(registration.timeline, position) + 4 * registration.lookups.everyMs),
  ),
}));
const records = stories.flatMap((story) => story.records);

it('copies the order and delivery times from the checkpoints', () => {
  for (const record of records) {
    const timeOf = (subStatus: RegExp): string | null =>
      checkpointsOf(record).find(({ transitSubStatus }) => subStatus.test(transitSubStatus))?.eventTime ?? null;
    expect(record.orderTime ?? null).toBe(timeOf(/^INFO_RECEIVED_01$/));
    expect(record.deliveredTime ?? null).toBe(timeOf(/^DELIVERED_/));
    expect(record.deliveredDays == null).toBe(record.deliveredTime == null);
  }
  const delivered = records.filter(({ deliveredTime }) => deliveredTime != null);
  expect(delivered.length).toBeGreaterThan(20);
  for (const { deliveredDays, transitDays } of delivered) {
    expect(Number.isInteger(deliveredDays)).toBe(true);
    expect(deliveredDays ?? -1).toBeGreaterThanOrEqual(0);
    expect(deliveredDays ?? 0).toBeLessThanOrEqual(transitDays ?? 0);
  }
});

it('reports a constant weight and size from pick-up on, and the signer if there is one', () => {
  for (const { records: story } of stories) {
    const reported = story.flatMap(({ extraInfo }) => extraInfo ?? []);
    expect(
      new Set(reported.map(({ weight, dimensions, pieces }) => `${weight} ${dimensions} ${pieces}`)).size,
    ).toBeLessThan(2);
  }
  for (const { extraInfo, receiptTime } of records) expect(extraInfo === undefined).toBe(receiptTime == null);
  const signed = records.filter(({ extraInfo }) => extraInfo?.signedBy !== undefined);
  expect(signed.length).toBeGreaterThan(0);
  expect(signed.every(({ deliveredTime }) => deliveredTime != null)).toBe(true);
});

it('reports the expected delivery time of some parcels, with its own offset', () => {
  const expected = records.filter(({ expectedDelivery }) => expectedDelivery !== undefined);
  expect(expected.length).toBeGreaterThan(20);
  expect(expected.length).toBeLessThan(records.length);
  for (const { expectedDelivery, expectedDeliveryTime } of expected) {
    const { start = '', end = '', timezone = '' } = expectedDeliveryTime ?? {};
    expect(start.slice(0, 10)).toBe(expectedDelivery);
    expect(parseWallTime(end) ?? 0).toBeGreaterThan(parseWallTime(start) ?? 0);
    expect(timezone).toMatch(/^[+-]\d\d:\d\d$/);
  }
});
