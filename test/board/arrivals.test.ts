import { expect, test } from 'vitest';
import { arrivalLines, groupArrivals } from '../../src/board/arrivals.ts';
import { lineText, lineWidth } from '../../src/lib/cells.ts';
import { aParcel, aRecord, berlin, now } from './parcels.ts';

const parcels = ['Headphones', 'Camera strap', 'Running shoes'].map((label) =>
  aParcel({ id: label, label, record: aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-21' } }) }),
);
const viewing = { now, zone: berlin };
const linesAt = (width: number) =>
  arrivalLines(groupArrivals(parcels, viewing), { ...viewing, chosen: 1, width, height: 9 });

test.each([38, 48, 58, 78, 118])('the arrivals chart fits a pane %d cells wide', (width) => {
  const lines = linesAt(width);
  expect(lines).toHaveLength(9);
  for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
  expect(lineText(lines[1] ?? [])).toMatch(/^▌ Today +━+ +3 /);
});

test('each day lists as many parcels as fit', () => {
  expect(lineText(linesAt(118)[1] ?? [])).toContain('Headphones, Camera strap, Running shoes');
  expect(lineText(linesAt(78)[1] ?? [])).toContain('Headphones, Camera strap +1');
  expect(lineText(linesAt(38)[1] ?? []).trimEnd()).toMatch(/ 3$/);
});
