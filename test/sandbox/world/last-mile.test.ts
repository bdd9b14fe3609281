import fc from 'fast-check';
import { expect, it } from 'vitest';
import { couriers, couriersByCode } from '../../../src/sandbox/couriers.ts';
import { instantOf, type Registration } from '../../../src/sandbox/world/registration.ts';
import type { WireRecord } from '../../../src/service/wire.ts';
import { decodeRecord } from '../../support/decoded-record.ts';
import { forAll } from '../../support/for-all.ts';
import { checkpointsOf, registerParcel, registrationRequest, testAccount } from '../support.ts';

const account = testAccount(7, 1);

/** Returns the record after each event, as of a lookup that follows it. */
function recordsOf(registration: Registration): readonly WireRecord[] {
  return registration.journey.events.map(({ position }) =>
    account.recordAt(registration, instantOf(registration.timeline, position) + 4 * registration.lookups.everyMs),
  );
}

const localOf = (record: WireRecord) => record.lastMileInfo?.openApiWayBillInfo.trackingDetails ?? [];
const mainOf = (record: WireRecord) => record.localLogisticsInfo?.trackingDetails ?? [];

const crossing = Array.from({ length: 60 }, (_, index) =>
  registerParcel(account, registrationRequest(`UH${String(index).padStart(9, '0')}YP`, 'yanwen')),
).filter(({ journey }) => journey.lastMile !== null);

it('is empty before the hand-over; after it, overlaps with the other list, which is no longer updated', () => {
  expect(crossing.length).toBeGreaterThan(20);
  let stale = 0;
  for (const registration of crossing) {
    const records = recordsOf(registration).filter(({ lastMileInfo }) => lastMileInfo !== undefined);
    const before = records.filter((record) => localOf(record).length === 0);
    const after = records.filter((record) => localOf(record).length > 0);
    for (const { lastMileInfo } of before) {
      expect(lastMileInfo).toEqual({ lmTrackNo: null, openApiWayBillInfo: { trackingDetails: [] } });
    }
    for (const record of after) {
      const local = localOf(record);
      const oldest = local.at(-1);
      const matching = mainOf(record).find(({ eventTimeZeroUTC }) => eventTimeZeroUTC === oldest?.eventTimeZeroUTC);
      expect(matching).toMatchObject({ eventDetail: oldest?.eventDetail, transitSubStatus: oldest?.transitSubStatus });
      expect(record.lastMileInfo?.lmTrackNo).toMatch(/^[A-Z]{2}\d{9}[A-Z]{2}$/);
      const newestLocal = local[0]?.eventTimeZeroUTC ?? '';
      stale += newestLocal > (mainOf(record)[0]?.eventTimeZeroUTC ?? '') ? 1 : 0;
    }
  }
  expect(stale).toBeGreaterThan(20);
});

it('includes every event, and lastTrackingTime is that of the newest event in either list', () => {
  for (const registration of crossing) {
    for (const record of recordsOf(registration)) {
      const reported = checkpointsOf(record);
      const until = Date.parse(reported[0]?.eventTimeZeroUTC ?? '');
      const pastEvents = registration.journey.events.filter(
        ({ position }) => Math.floor(instantOf(registration.timeline, position) / 1000) * 1000 <= until,
      );
      expect([registration.trackNo, reported.length]).toEqual([registration.trackNo, pastEvents.length]);
      expect(record.lastTrackingTime ?? null).toBe(reported[0]?.eventTime ?? null);
    }
  }
});

it('gives the client one timeline without repeated events', () => {
  for (const registration of crossing.slice(0, 15)) {
    const record = recordsOf(registration).at(-1);
    const decoded = record === undefined ? null : decodeRecord(JSON.parse(JSON.stringify(record)));
    expect(decoded?.checkpoints.length).toBe(record && checkpointsOf(record).length);
    expect(decoded?.lastMile?.courierName).toBe(registration.journey.lastMile?.courier.nameEN);
  }
});

it('exists only for parcels that cross a border and are handed over', () => {
  forAll(fc.constantFrom(...couriers), fc.stringMatching(/^[A-Z]{2}\d{9}[A-Z]{2}$/), (courier, trackNo) => {
    const { journey } = registerParcel(testAccount(3), registrationRequest(trackNo, courier.code));
    if (journey.lastMile === null) return;
    expect(['export', 'post']).toContain(courier.reach);
    expect(journey.from).not.toBe(journey.to);
    expect(journey.lastMile.courier).toBe(
      couriers.find(({ reach, country }) => reach === 'post' && country === journey.to),
    );
    expect(journey.lastMile.trackNo).toBe(trackNo);
  });
  expect(couriersByCode.get('yanwen')?.reach).toBe('export');
});
