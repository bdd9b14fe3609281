import { expect, test } from 'vitest';
import { exportMarkdown } from '../../../src/commands/export.ts';
import { parcelTable } from '../../../src/commands/list.ts';
import { Zone } from '../../../src/lib/date-time.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { isLate } from '../../../src/parcels/delivery.ts';
import { renderedAt, renderRecord, serviceRecord } from '../../support/render-record.ts';

/** How the row, the table and Markdown show an expected delivery. */
function showIn(zoneName: string, expectedDeliveryTime: JsonObject, now = renderedAt) {
  const zone = new Zone(zoneName);
  const { parcel, row } = renderRecord(serviceRecord({ expectedDeliveryTime }), {}, { now, zone });
  const markdown = exportMarkdown([parcel], { now, zone });
  return {
    row: row.split(/ {2,}/),
    cell: parcelTable([parcel], { now, zone, isPaused: false }).rows[0]?.[6]?.text,
    markdown: markdown
      .split('\n')
      .find((line) => line.includes('LX123456789CN'))
      ?.split(' | ')[5],
    isLate: isLate(parcel, { now, zone }),
  };
}

const evening = { start: '2026-11-21 19:00:00', end: '2026-11-21 21:00:00', timezone: '-08:00' };
const wholeDay = { start: '2026-11-22 00:00:00', end: '2026-11-22 23:59:00', timezone: '-08:00' };

// It is 13:42 in Berlin, 04:42 in Los Angeles and 01:42 of the next day in Auckland.
test.each([
  ['Europe/Berlin', evening, 'tomorrow', 'tomorrow 04:00–06:00'],
  ['America/Los_Angeles', evening, 'by 21:00', 'today 19:00–21:00'],
  ['Pacific/Auckland', evening, 'by 18:00', 'today 16:00–18:00'],
  ['Europe/Berlin', wholeDay, 'tomorrow', 'tomorrow'],
  ['Pacific/Auckland', wholeDay, 'today', 'today'],
  ['America/Los_Angeles', wholeDay, 'tomorrow', 'tomorrow'],
])("an expected window in a list uses the viewer's clock: %s, %o", (zone, window, short, full) => {
  const { cell, markdown, row } = showIn(zone, window);
  expect(row).toContain(short);
  expect([cell, markdown]).toEqual([full, full]);
});

test.each([
  // 01:00 of the next day in Berlin: at the destination, the expected day is not over yet.
  ['Europe/Berlin', '2026-11-23T00:00:00Z', 'Sun 22 Nov', false],
  ['Europe/Berlin', '2026-11-23T07:58:59Z', 'Sun 22 Nov', false],
  ['Europe/Berlin', '2026-11-23T08:00:00Z', 'yesterday', true],
  ['Pacific/Honolulu', '2026-11-23T08:00:00Z', 'was expected today', true],
])(
  "a day with a zone is worded for the viewer's clock in %s, but becomes late on the destination's clock, at %s",
  (zone, now, cell, late) => {
    expect(showIn(zone, wholeDay, Date.parse(now))).toMatchObject({ cell, isLate: late });
  },
);

test("a window without an end becomes late on the destination's clock, for every viewer", () => {
  const from = { start: '2026-11-21 19:00:00', timezone: '-08:00' };
  expect(showIn('Europe/Berlin', from, Date.parse('2026-11-22T07:59:00Z'))).toMatchObject({
    cell: 'today from 04:00',
    isLate: false,
  });
  // 10:00 in Berlin, an hour past midnight at the destination.
  expect(showIn('Europe/Berlin', from, Date.parse('2026-11-22T09:00:00Z'))).toMatchObject({
    cell: 'was expected today',
    isLate: true,
  });
});

test("a point in time that is midnight on the viewer's clock keeps its time", () => {
  const point = { start: '2026-11-21 15:00:00', end: '2026-11-21 15:00:00', timezone: '-08:00' };
  expect(showIn('Europe/Berlin', point).cell).toBe('today 15:00 -08:00');
});
