import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkpointTime, timeModeTitle } from '../../../src/board/time.ts';
import { Zone } from '../../../src/lib/date-time.ts';
import { forAll } from '../../support/for-all.ts';
import { aCheckpoint, berlin } from '../parcels.ts';

const shenzhen = aCheckpoint({ at: '2026-11-18T20:41:00Z', local: '2026-11-19 04:41:00', offset: '+08:00' });
const zoneless = aCheckpoint({ at: null, local: '2026-11-18 11:05:00', offset: null, certain: false });
const contradictory = aCheckpoint({
  at: '2026-11-18T12:00:00Z',
  local: '2026-11-18 20:41:00',
  offset: '+01:00',
  certain: false,
});

describe('checkpointTime', () => {
  it('shows the clock where the event happened', () => {
    expect(checkpointTime(shenzhen, 'event', berlin)).toEqual({
      date: '2026-11-19',
      clock: '04:41',
      zoneMark: '+08:00',
      remark: null,
      certainAt: Date.parse('2026-11-18T20:41:00Z'),
    });
  });

  it("shows the viewer's clock or UTC on request, with the matching day", () => {
    expect(checkpointTime(shenzhen, 'local', berlin)).toMatchObject({
      date: '2026-11-18',
      clock: '21:41',
      zoneMark: '+01:00',
    });
    expect(checkpointTime(shenzhen, 'utc', berlin)).toMatchObject({
      date: '2026-11-18',
      clock: '20:41',
      zoneMark: 'UTC',
    });
  });

  it.each([
    ['2026-03-29T00:30:00Z', berlin, '01:30', '+01:00'],
    ['2026-03-29T01:30:00Z', berlin, '03:30', '+02:00'],
    ['2026-10-25T00:30:00Z', berlin, '02:30', '+02:00'],
    ['2026-10-25T01:30:00Z', berlin, '02:30', '+01:00'],
    ['2026-03-08T06:59:00Z', new Zone('America/New_York'), '01:59', '-05:00'],
    ['2026-03-08T07:00:00Z', new Zone('America/New_York'), '03:00', '-04:00'],
    ['2026-04-04T15:15:00Z', new Zone('Australia/Lord_Howe'), '01:45', '+10:30'],
    ['2026-07-01T00:00:00Z', new Zone('Asia/Kathmandu'), '05:45', '+05:45'],
  ])('shows %s in %s as %s %s', (at, zone, clock, zoneMark) => {
    expect(checkpointTime(aCheckpoint({ at }), 'local', zone)).toMatchObject({ clock, zoneMark });
  });

  it.each(['event', 'local', 'utc'] as const)('keeps and marks a time without a zone in mode %s', (mode) => {
    expect(checkpointTime(zoneless, mode, berlin)).toEqual({
      date: '2026-11-18',
      clock: '11:05',
      zoneMark: '~',
      remark: '(zone unknown)',
      certainAt: null,
    });
  });

  it('marks a contradiction, and uses UTC except in mode event', () => {
    const marked = { zoneMark: '±', remark: '(zone uncertain)', certainAt: null };
    expect(checkpointTime(contradictory, 'event', berlin)).toMatchObject({ clock: '20:41', ...marked });
    expect(checkpointTime(contradictory, 'local', berlin)).toMatchObject({ clock: '13:00', ...marked });
    expect(checkpointTime(contradictory, 'utc', berlin)).toMatchObject({ clock: '12:00', ...marked });
  });

  it('shows UTC if there is no other time', () => {
    const checkpoint = aCheckpoint({ local: null, offset: null });
    expect(checkpointTime(checkpoint, 'event', berlin)).toMatchObject({ clock: '20:14', zoneMark: 'UTC' });
  });

  it('shows a time in an unknown format as received', () => {
    const odd = { at: null, offset: null, certain: false };
    expect(checkpointTime(aCheckpoint({ ...odd, local: '18.11.2026 mittags' }), 'event', berlin)).toMatchObject({
      date: null,
      clock: null,
      remark: '(time as received: 18.11.2026 mittags)',
    });
    expect(checkpointTime(aCheckpoint({ ...odd, local: '2026-11-18' }), 'utc', berlin)).toMatchObject({
      date: '2026-11-18',
      clock: null,
    });
    expect(checkpointTime(aCheckpoint({ ...odd, local: null }), 'event', berlin)).toMatchObject({
      date: null,
      remark: '(time unknown)',
    });
  });

  it("never depends on the viewer's zone in modes event and utc", () =>
    forAll(
      fc.constantFrom(shenzhen, zoneless, contradictory),
      fc.constantFrom('event' as const, 'utc' as const),
      fc.constantFrom(...['America/St_Johns', 'Pacific/Kiritimati', 'Asia/Tokyo'].map((name) => new Zone(name))),
      (checkpoint, mode, zone) => {
        expect(checkpointTime(checkpoint, mode, zone)).toEqual(checkpointTime(checkpoint, mode, berlin));
      },
    ));
});

it('timeModeTitle names the clock', () => {
  expect(timeModeTitle('event', berlin)).toBe('times: local to event');
  expect(timeModeTitle('local', berlin)).toBe('times: Europe/Berlin');
  expect(timeModeTitle('utc', berlin)).toBe('times: UTC');
});
