import { expect, test } from 'vitest';
import { expectedWording } from '../../../src/board/status/expected-delivery.ts';
import { Zone } from '../../../src/lib/zone.ts';
import { expectedDelivery } from '../../../src/service/record.ts';

const zone = new Zone('Europe/Berlin');

/** An expected delivery as received, with the same start and end. */
function wordingAt(time: string, now: string) {
  const received = { expectedDeliveryTime: { start: time, end: time, timezone: '+01:00' } };
  const expected = expectedDelivery(received);
  return expected === null ? null : { expected, ...expectedWording(expected, { now: Date.parse(now), zone }) };
}

test('an estimate whose start is its end is a point in time, and late an hour after it', () => {
  const point = { kind: 'window', from: '2026-11-23T17:30:00Z', to: '2026-11-23T17:30:00Z', offset: '+01:00' };
  const before = wordingAt('2026-11-23 18:30:00', '2026-11-23T12:00:00Z');
  expect(before).toMatchObject({ expected: point, full: 'expected today 18:30', short: '18:30', when: 'today' });
  expect(wordingAt('2026-11-23 18:30:00', '2026-11-23T18:29:59Z')).toMatchObject({ when: 'today' });
  expect(wordingAt('2026-11-23 18:30:00', '2026-11-23T18:30:00Z')).toMatchObject({
    full: 'was expected today 18:30',
    when: 'late',
  });
});

test('a point at midnight is a day without a time', () => {
  expect(wordingAt('2026-11-23 00:00:00', '2026-11-23T12:00:00Z')).toMatchObject({
    full: 'expected today',
    when: 'today',
  });
});
