import { expect, test } from 'vitest';
import { computeStatistics, statisticsLines } from '../../src/board/statistics.ts';
import { lineText, lineWidth } from '../../src/lib/cells.ts';
import { aCheckpoint, ago, aParcel, aRecord, berlin, day, now } from './parcels.ts';

const parcels = ['Yanwen', 'DHL Germany', 'Correos de España'].flatMap((courierNameEN, index) =>
  Array.from({ length: 4 - index }, (_, at) =>
    aParcel({
      id: `${courierNameEN}-${at}`,
      addedAt: ago(day),
      courierCode: courierNameEN.toLowerCase(),
      record: aRecord({ courierNameEN }),
    }),
  ),
);
const statistics = computeStatistics(parcels, { by: 'courier', since: null, now, zone: berlin });
const linesAt = (width: number) =>
  statisticsLines(statistics, { chosen: 1, width, height: 12, glyphs: 'symbols' }).lines;

test.each([38, 58, 78, 118, 158])('the statistics fit a pane %d cells wide without truncating a number', (width) => {
  const lines = linesAt(width);
  const [head, ...rows] = lines.slice(0, 5).map(lineText);
  for (const line of lines.slice(0, 5)) expect(lineWidth(line)).toBeLessThanOrEqual(width);
  expect(head).toMatch(/^ {2}Courier .*median {2}9 of 10/);
  expect(rows.map((row) => row.slice(0, 2))).toEqual(['  ', '▌ ', '  ', '  ']);
  expect([head, ...rows.map((row) => row.slice(14))].join('')).not.toContain('…');
});

test.each([60, 80, 90, 96, 98, 110, 120, 140])('the chart of days is complete or omitted at %d cells', (width) => {
  const delivered = [3, 9].map((transitDays) =>
    aParcel({
      id: `took-${transitDays}`,
      courierCode: 'yanwen',
      record: aRecord({ courierNameEN: 'Yanwen', transitStatus: 'DELIVERED', transitDays }),
      lastEvent: aCheckpoint({ subStatus: 'DELIVERED_01', at: ago(day) }),
    }),
  );
  const spread = computeStatistics(delivered, { by: 'courier', since: null, now, zone: berlin });
  const [head, row] = statisticsLines(spread, { chosen: 0, width, height: 12, glyphs: 'symbols' }).lines.map(lineText);
  expect(row).not.toContain('…');
  expect(head?.includes('0 to 9 days')).toBe(row?.includes('━'));
});

test('a narrow pane drops the deliveries before the courier and the days, and a wide one shows every column', () => {
  expect(lineText(linesAt(38)[0] ?? [])).toMatch(/^ {2}Courier +median {2}9 of 10$/);
  expect(lineText(linesAt(46)[0] ?? [])).toMatch(/^ {2}Courier +delivered {2}median {2}9 of 10$/);
  const columns = ['parcels', 'delivered', 'median', '9 of 10', '0 to 1 days', 'slowest', 'late', 'problems'];
  expect(
    lineText(linesAt(158)[0] ?? [])
      .trim()
      .split(/ {2,}/),
  ).toEqual(['Courier', ...columns]);
});
