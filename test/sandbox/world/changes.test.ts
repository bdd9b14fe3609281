import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { couriers } from '../../../src/sandbox/couriers.ts';
import type { Account } from '../../../src/sandbox/world/account.ts';
import { fingerprintAt, nextChangeAt } from '../../../src/sandbox/world/record-at.ts';
import { instantOf, type Registration } from '../../../src/sandbox/world/registration.ts';
import { assumedServiceClock, parseServiceTime } from '../../../src/service/service-clock.ts';
import type { WireRecord } from '../../../src/service/wire.ts';
import { forAllIn } from '../../support/for-all.ts';
import { rounds } from '../../support/rounds.ts';
import { checkpointsOf, noon, registerParcel, registrationRequest, testAccount } from '../support.ts';

const nextUpdateOf = (record: WireRecord): number | null =>
  parseServiceTime(record.nextUpdateTime, assumedServiceClock);
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

/** A user's action at a point in the parcel's life. */
const anyAction = fc.record({
  at: fraction,
  kind: fc.constantFrom('refresh', 'postal-code', 'phone-suffix', 'other-courier'),
  courier: fc.constantFrom(...couriers),
});

/**
 * A registration followed by some actions, at any speed, with any courier, including one that requires more details.
 */
const anyChangedLife = fc
  .record({
    seed: fc.integer({ min: 0, max: 1000 }),
    speed: fc.constantFrom(0.5, 1, 60, 360, 3600, 250_000),
    trackNo: fc.stringMatching(/^[A-Z]{2}\d{9}[A-Z]{2}$/),
    courier: fc.constantFrom(...couriers),
    registeredAt: fc.integer({ min: noon - 1_000_000_000, max: noon }),
    actions: fc.array(anyAction, { maxLength: 4 }),
  })
  .map(({ seed, speed, trackNo, courier, registeredAt, actions }) => {
    const account = testAccount(seed, speed);
    const first = registerParcel(account, registrationRequest(trackNo, courier.code), registeredAt);
    const end = instantOf(first.timeline, first.journey.endsAt);
    const span = Math.max(10_000, end - registeredAt) * 1.2;
    const timeAt = (part: number): number => Math.round(registeredAt + part * span);
    let changedAt = registeredAt;
    for (const { at, kind, courier: other } of actions.toSorted((left, right) => left.at - right.at)) {
      changedAt = timeAt(at);
      const [current] = account.all();
      if (current !== undefined) perform(account, current, kind, other.code, changedAt);
    }
    const [registration = first] = account.all();
    return { account, registration, changedAt, end: timeAt(1) };
  });

function perform(account: Account, current: Registration, kind: string, courierCode: string, at: number): void {
  const nothing = { postalCode: null, phoneSuffix: null };
  if (kind === 'refresh') account.refresh(current, at);
  else if (kind === 'other-courier') account.changeCourier(current, courierCode, at);
  else if (kind === 'postal-code')
    account.edit(current, { merchant: {}, extra: { ...nothing, postalCode: '10115' } }, at);
  else account.edit(current, { merchant: {}, extra: { ...nothing, phoneSuffix: '1234' } }, at);
}

describe('after refreshes, edits and changes of courier', () => {
  it('the record does not change before its nextUpdateTime', () =>
    forAllIn(
      rounds(400),
      anyChangedLife,
      fraction,
      fraction,
      ({ account, registration, changedAt, end }, at, between) => {
        const now = Math.round(changedAt + at * Math.max(0, end - changedAt));
        const record = account.recordAt(registration, now);
        const next = nextUpdateOf(record);
        if (next === null || next <= now) return;
        const later = Math.floor(now + between * (next - 1 - now));
        expect(account.recordAt(registration, later)).toEqual(record);
        expect(account.recordAt(registration, next - 1)).toEqual(record);
      },
    ));

  it('a parcel whose nextUpdateTime has passed without a change never changes again', () =>
    forAllIn(rounds(200), anyChangedLife, fraction, ({ account, registration, changedAt, end }, at) => {
      const now = Math.round(changedAt + at * Math.max(0, end - changedAt));
      const record = account.recordAt(registration, now);
      const next = nextUpdateOf(record);
      if (next === null || next > now) return;
      expect(account.recordAt(registration, now + 1000 * 86_400_000)).toEqual(record);
    }));

  it('the next change is predicted to the millisecond', () =>
    forAllIn(rounds(400), anyChangedLife, fraction, fraction, ({ registration, changedAt, end }, at, between) => {
      const now = Math.round(changedAt + at * Math.max(0, end - changedAt));
      const next = nextChangeAt(registration, now);
      const fingerprint = fingerprintAt(registration, now);
      if (next === null) {
        expect(fingerprintAt(registration, now + 1000 * 86_400_000)).toBe(fingerprint);
        return;
      }
      expect(next).toBeGreaterThan(now);
      expect(fingerprintAt(registration, Math.floor(now + between * (next - 1 - now)))).toBe(fingerprint);
      expect(fingerprintAt(registration, next)).not.toBe(fingerprint);
    }));
});

it('a refresh never removes anything', () =>
  forAllIn(rounds(200), anyChangedLife, fraction, ({ account, registration, changedAt, end }, at) => {
    const now = Math.round(changedAt + at * Math.max(0, end - changedAt));
    const before = checkpointsOf(account.recordAt(registration, now));
    account.refresh(registration, now);
    const [refreshed = registration] = account.all();
    const after = checkpointsOf(account.recordAt(refreshed, now));
    expect(after.slice(after.length - before.length)).toEqual(before);
  }));
