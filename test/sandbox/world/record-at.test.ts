import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatWallTime, parseOffset } from '../../../src/lib/date-time.ts';
import { couriers } from '../../../src/sandbox/couriers.ts';
import type { Account } from '../../../src/sandbox/world/account.ts';
import { instantOf, type Registration } from '../../../src/sandbox/world/registration.ts';
import { courierNeeds } from '../../../src/service/couriers.ts';
import { assumedServiceClock, parseServiceTime } from '../../../src/service/service-clock.ts';
import { coreStatuses, subStatusTexts } from '../../../src/service/status.ts';
import type { WireRecord } from '../../../src/service/wire.ts';
import { forAll, forAllIn } from '../../support/for-all.ts';
import { rounds } from '../../support/rounds.ts';
import { checkpointsOf, noon, registerParcel, registrationRequest, testAccount, upsNumber } from '../support.ts';

const dayMs = 86_400_000;
const hourMs = dayMs / 24;
const eventsOf = checkpointsOf;
const nextUpdateOf = (record: WireRecord): number | null =>
  parseServiceTime(record.nextUpdateTime, assumedServiceClock);

/** Any registration, at any time and speed. */
const anyLife = fc
  .record({
    seed: fc.integer({ min: 0, max: 1000 }),
    speed: fc.constantFrom(0.5, 1, 60, 360, 3600, 250_000),
    trackNo: fc.stringMatching(/^[A-Z]{2}\d{9}[A-Z]{2}$/),
    courier: fc.constantFrom(...couriers.filter(({ code }) => courierNeeds(code) === null)),
    registeredAt: fc.integer({ min: noon - 400 * dayMs, max: noon }),
  })
  .map(({ seed, speed, trackNo, courier, registeredAt }) => {
    const account = testAccount(seed, speed);
    return {
      account,
      registration: registerParcel(account, registrationRequest(trackNo, courier.code), registeredAt),
      speed,
    };
  });

/** Returns an instant from the registration to well past the end of the journey. */
const timeIn = ({ registration }: { registration: Registration }, fraction: number): number => {
  const end = instantOf(registration.timeline, registration.journey.endsAt);
  const span = Math.max(10_000, end - registration.registeredAt) * 1.2;
  return Math.round(registration.registeredAt + fraction * span);
};

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

describe('nextUpdateTime', () => {
  it('is missing until the first lookup, one to three seconds after registration', () =>
    forAll(anyLife, ({ account, registration }) => {
      const at = (afterMs: number): WireRecord => account.recordAt(registration, registration.registeredAt + afterMs);
      expect(at(0)).toMatchObject({ transitStatus: 'INIT', nextUpdateTime: null });
      expect(at(1000 - 1).transitStatus).toBe('INIT');
      expect(at(3000).transitStatus).not.toBe('INIT');
      expect(at(3000).nextUpdateTime).not.toBeNull();
    }));

  it('is one and a half to three hours after each lookup at natural speed', () => {
    const account = testAccount(7, 1);
    const waits = Array.from({ length: 50 }, (_, index) =>
      registerParcel(account, registrationRequest(upsNumber(index))),
    )
      .map((registration) => nextUpdateOf(account.recordAt(registration, noon + 3000)) ?? 0)
      // If the parcel arrived before its registration, no update is planned.
      .filter((next) => next > noon + 3000)
      .map((next) => (next - noon) / 3_600_000);
    expect(waits.length).toBeGreaterThan(30);
    expect(Math.min(...waits)).toBeGreaterThan(1.49);
    expect(Math.max(...waits)).toBeLessThan(3.01);
  });
});

describe('the history', () => {
  it('only grows, and never changes its events', () =>
    forAllIn(rounds(400), anyLife, fraction, fraction, (life, first, second) => {
      const [earlier = 0, later = 0] = [timeIn(life, first), timeIn(life, second)].sort((left, right) => left - right);
      const before = eventsOf(life.account.recordAt(life.registration, earlier));
      const now = eventsOf(life.account.recordAt(life.registration, later));
      expect(now.slice(now.length - before.length)).toEqual(before);
    }));

  it('lists events newest first, never in the future, with consistent local time, offset and UTC time', () =>
    forAllIn(rounds(300), anyLife, fraction, (life, at) => {
      const now = timeIn(life, at);
      const record = life.account.recordAt(life.registration, now);
      const instants = eventsOf(record).map((event) => Date.parse(event.eventTimeZeroUTC));
      expect(instants.every((instant) => instant <= now)).toBe(true);
      expect(instants).toEqual([...instants].sort((left, right) => right - left));
      for (const event of eventsOf(record)) {
        const offsetMinutes = parseOffset(event.timezone) ?? Number.NaN;
        expect(event.eventTimeZeroUTC).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(event.timezone).toMatch(/^[+-]\d\d:\d\d$/);
        expect(event.eventTime).toBe(formatWallTime(Date.parse(event.eventTimeZeroUTC) + offsetMinutes * 60_000));
        expect(event.eventDetail).not.toBe('');
      }
      expect(record.lastTrackingTime ?? null).toBe(eventsOf(record)[0]?.eventTime ?? null);
      expect(
        record.receiptTime == null || eventsOf(record).some((event) => event.eventTime === record.receiptTime),
      ).toBe(true);
    }));

  it('runs at natural speed before the registration and faster after it', () => {
    const account = testAccount(7, 360);
    const registrations = Array.from({ length: 60 }, (_, index) =>
      registerParcel(account, registrationRequest(upsNumber(index))),
    );
    for (const registration of registrations) {
      const { events } = registration.journey;
      events.slice(1).forEach((event, index) => {
        const previous = events[index];
        if (previous === undefined) return;
        const gap = event.position - previous.position;
        const [from, to] = [
          instantOf(registration.timeline, previous.position),
          instantOf(registration.timeline, event.position),
        ];
        if (to <= noon) expect(to - from).toBe(gap);
        else if (from >= noon) expect(to - from).toBeCloseTo(gap / 360, 0);
        else expect(to - from).toBeLessThanOrEqual(gap);
      });
    }
    expect(
      registrations.filter(({ registeredAt, journey, timeline }) => {
        const [first] = journey.events;
        return first !== undefined && instantOf(timeline, first.position) < registeredAt - dayMs;
      }).length,
    ).toBeGreaterThan(20);
  });
});

/** Returns the records of a parcel's whole life: some time after each event, and after the end. */
function recordsOfLife(account: Account, registration: Registration): readonly WireRecord[] {
  const { timeline, lookups, journey } = registration;
  const instants = [...journey.events.map(({ position }) => position), journey.endsAt].map((position) =>
    instantOf(timeline, position),
  );
  return [registration.registeredAt, ...instants.flatMap((at) => [at + lookups.everyMs, at + 4 * lookups.everyMs])].map(
    (at) => account.recordAt(registration, at),
  );
}

it.each([1, 60, 360])('counts days on the clock of the events in a sandbox that runs %d times as fast', (speed) => {
  const account = testAccount(7, speed);
  let counted = 0;
  for (let index = 0; index < 40; index += 1) {
    const life = registerParcel(account, registrationRequest(`RX${String(index).padStart(9, '0')}ZZ`, 'ups'));
    for (const at of life.journey.events.map(({ position }) => instantOf(life.timeline, position) + 6 * hourMs)) {
      const record = account.recordAt(life, at);
      const received = eventsOf(record).find(({ eventTime }) => eventTime === record.receiptTime);
      if (received === undefined || record.transitDays == null) continue;
      const daysSince = Math.floor((at - Date.parse(received.eventTimeZeroUTC ?? '')) / dayMs);
      // The courier is queried only from time to time, so the record may be some hours old.
      expect(record.transitDays).toBeLessThanOrEqual(daysSince);
      expect(record.transitDays).toBe(record.deliveredDays ?? Math.max(record.transitDays, daysSince - 1));
      counted += 1;
    }
  }
  expect(counted).toBeGreaterThan(50);
});

describe('over many numbers', () => {
  const account = testAccount(7, 1);
  const free = couriers.filter(({ code }) => courierNeeds(code) === null);
  const lives = Array.from({ length: rounds(1_000, 300) }, (_, index) => {
    const courier = free[index % free.length];
    return registerParcel(
      account,
      registrationRequest(`RX${String(index).padStart(9, '0')}ZZ`, courier?.code ?? 'ups'),
    );
  }).map((registration) => recordsOfLife(account, registration));
  const records = lives.flat();
  /** A history only grows, so a parcel's last record contains all of it. */
  const checkpoints = lives.flatMap((lifeRecords) => lifeRecords.slice(-1)).flatMap(eventsOf);

  it('every core status occurs, with both spellings of out for delivery', () => {
    expect(new Set(records.map(({ transitStatus }) => transitStatus))).toEqual(new Set(Object.keys(coreStatuses)));
  });

  it('all 28 sub-statuses occur, on records and on checkpoints', () => {
    const all = new Set(Object.keys(subStatusTexts));
    expect(all.size).toBe(28);
    expect(new Set(checkpoints.map(({ transitSubStatus }) => transitSubStatus))).toEqual(all);
    expect(new Set(records.flatMap(({ transitSubStatus }) => transitSubStatus ?? []))).toEqual(all);
  });

  it('some records have a sub-status that differs from the newest checkpoint', () => {
    const differing = records.filter((record) => {
      const [newest] = eventsOf(record);
      return record.transitSubStatus && newest !== undefined && newest.transitSubStatus !== record.transitSubStatus;
    });
    expect(differing.length).toBeGreaterThan(0);
    expect(differing.length).toBeLessThan(records.length / 4);
  });

  it('INIT, NO_RECORD and EXPIRED come without a sub-status', () => {
    const bare = records.filter(({ transitStatus }) => ['INIT', 'NO_RECORD', 'EXPIRED'].includes(transitStatus));
    expect(bare.length).toBeGreaterThan(0);
    expect(bare.filter(({ transitSubStatus }) => transitSubStatus != null)).toEqual([]);
  });

  it('an expired record has stayed for a month or has no events', () => {
    const expired = records.filter(({ transitStatus }) => transitStatus === 'EXPIRED');
    expect(expired.some((record) => eventsOf(record).length > 0)).toBe(true);
    expect(expired.some((record) => eventsOf(record).length === 0)).toBe(true);
    expect(expired.every((record) => eventsOf(record).length === 0 || (record.stayDays ?? 0) >= 30)).toBe(true);
  });

  it('some lookups fail and return the last known record', () => {
    expect(new Set(records.map(({ trackingStatus }) => trackingStatus))).toEqual(
      new Set(['001', '002', '003', '004', '005', '006']),
    );
  });

  it('days are whole and never negative, and transit starts at pick-up', () => {
    const isNoneOrWhole = (days: number | null | undefined): boolean =>
      days == null || (Number.isInteger(days) && days >= 0);
    const odd = records.filter(
      ({ receiptTime, stayDays, transitDays }) =>
        !isNoneOrWhole(transitDays) || !isNoneOrWhole(stayDays) || (transitDays == null) !== (receiptTime == null),
    );
    expect(odd).toEqual([]);
  });
});

describe('a number that the courier does not know', () => {
  // PostNL finds nothing without a postal code.
  const account = testAccount();
  const records = Array.from({ length: 40 }, (_, index) =>
    account.recordAt(registerParcel(account, registrationRequest(`3SABCD${1_000_000 + index}`)), noon + 5000),
  );

  it('is reported as a failed lookup, or as a successful one without a list of events', () => {
    expect(new Set(records.map(({ transitStatus }) => transitStatus))).toEqual(new Set(['NO_RECORD']));
    const reported = records.map(({ trackingStatus, localLogisticsInfo }) =>
      JSON.stringify([trackingStatus, localLogisticsInfo?.trackingDetails ?? null]),
    );
    expect(new Set(reported)).toEqual(new Set(['["002",[]]', '["001",null]']));
  });

  it('has no place, day or sub-status, and no events field if the lookup was successful', () => {
    for (const record of records) {
      for (const field of ['transitSubStatus', 'shipFrom', 'shipTo', 'transitDays', 'shipmentType']) {
        expect(record).not.toHaveProperty(field);
      }
      expect('trackingDetails' in (record.localLogisticsInfo ?? {})).toBe(record.trackingStatus === '002');
    }
  });
});
