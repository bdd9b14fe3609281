import { describe, expect, test } from 'vitest';
import { findMilestones } from '../../../src/board/status/expected-delivery.ts';
import { calendarText } from '../../../src/commands/export-calendar.ts';
import { parcelTable } from '../../../src/commands/list.ts';
import { Zone } from '../../../src/lib/date-time.ts';
import { isLate } from '../../../src/parcels/delivery.ts';
import { fixture, renderedAt, renderRecord } from '../../support/render-record.ts';

/** Everything that the program shows about an expected delivery. */
function showExpected(name: string, { now = renderedAt, zone = new Zone('Europe/Berlin') } = {}) {
  const seen = renderRecord(fixture(name), {}, { now, zone });
  const cell = parcelTable([seen.parcel], { now, zone, isPaused: false }).rows[0]?.[6];
  const calendar = calendarText([{ parcel: seen.parcel, milestones: findMilestones(seen.parcel, seen.history) }], now);
  return {
    head: seen.head.find((line) => line.includes('expected')),
    cell: cell?.text,
    json: seen.json.expectedDelivery,
    dates: calendar.match(/^DT(?:START|END).*$/gm)?.map((line) => line.trim()),
    isLate: isLate(seen.parcel, { now, zone }),
  };
}

const zones = ['Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles'];

describe('an expected delivery', () => {
  test.each(zones)('keeps both days of a span without a zone, and is late after the second, in %s', (name) => {
    const zone = new Zone(name);
    const payload = 'record-expected-window-of-two-days-without-a-zone';
    expect(showExpected(payload, { zone })).toEqual({
      head: 'expected Wed 25 Nov – Thu 26 Nov',
      cell: 'Wed 25 Nov – Thu 26 Nov',
      json: { from: '2026-11-25', to: '2026-11-26' },
      dates: ['DTSTART;VALUE=DATE:20261125', 'DTEND;VALUE=DATE:20261127'],
      isLate: false,
    });
    const at = (wall: string): number => Date.parse(wall) - zone.offsetAt(Date.parse(wall));
    expect(showExpected(payload, { zone, now: at('2026-11-26T23:59:00Z') })).toMatchObject({ isLate: false });
    expect(showExpected(payload, { zone, now: at('2026-11-27T00:01:00Z') })).toMatchObject({
      head: 'expected yesterday',
      isLate: true,
    });
  });

  test('reads "by" if only its end is known, and is late at that time', () => {
    const payload = 'record-expected-until-an-end-without-a-start';
    expect(showExpected(payload)).toEqual({
      head: 'expected today by 18:30',
      cell: 'today by 18:30',
      json: { from: null, to: '2026-11-21T17:30:00Z' },
      dates: ['DTSTART:20261121T173000Z'],
      isLate: false,
    });
    expect(showExpected(payload, { now: Date.parse('2026-11-21T17:30:00Z') })).toMatchObject({ isLate: true });
  });

  test('has the same start and end in JSON for a point in time', () => {
    const at = '2026-11-21T17:30:00Z';
    expect(showExpected('record-expected-at-a-point-in-time')).toMatchObject({
      head: 'expected today 18:30',
      json: { from: at, to: at },
      dates: ['DTSTART:20261121T173000Z'],
    });
  });
});
