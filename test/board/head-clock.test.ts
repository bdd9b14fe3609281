import { expect, test } from 'vitest';
import { timelineHead } from '../../src/board/timeline-head.ts';
import { lineText } from '../../src/lib/cells.ts';
import { Zone } from '../../src/lib/date-time.ts';
import { renderRecord, serviceRecord } from '../support/render-record.ts';

const event = {
  eventTime: '2026-11-20 22:28:00',
  eventTimeZeroUTC: '2026-11-21T06:28:00Z',
  timezone: '-08:00',
  transitSubStatus: 'DELIVERED_01',
};
const delivered = serviceRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' }, event);
const expectedDeliveryTime = { start: '2026-11-21 19:00:00', end: '2026-11-21 21:00:00', timezone: '-08:00' };
const expected = serviceRecord({ expectedDeliveryTime });

test.each([
  ['event', 'Europe/Berlin', 'delivered Fri 20 Nov 22:28 -08:00', 'expected today 19:00–21:00 -08:00'],
  ['local', 'Europe/Berlin', 'delivered Sat 21 Nov 07:28 +01:00', 'expected tomorrow 04:00–06:00'],
  ['local', 'Pacific/Auckland', 'delivered Sat 21 Nov 19:28 +13:00', 'expected today 16:00–18:00'],
  ['utc', 'Europe/Berlin', 'delivered Sat 21 Nov 06:28 UTC', 'expected tomorrow 03:00–05:00 +00:00'],
] as const)('the lines above a timeline use its clock: %s in %s', (mode, zone, deliveredText, expectedText) => {
  const viewing = { zone: new Zone(zone), mode };
  expect(renderRecord(delivered, {}, viewing).head.join('\n')).toContain(deliveredText);
  const head = renderRecord(expected, {}, viewing).head;
  expect(head).toContain(expectedText);
});

// The delivery window ended an hour and a half ago: yesterday in Chicago, today in Los Angeles.
test.each(['America/Chicago', 'America/Los_Angeles'])(
  'a single line above a timeline shows the same lateness as the row, in %s',
  (zoneName) => {
    const viewing = { now: Date.parse('2026-11-22T06:30:00Z'), zone: new Zone(zoneName) };
    const { parcel, row } = renderRecord(expected, {}, viewing);
    const [line = []] = timelineHead({ ...viewing, parcel, width: 100, checking: false, isCompact: true });
    const [late = ''] = /late today|\d d late/.exec(lineText(line)) ?? [];
    expect(late).not.toBe('');
    expect(row).toContain(late);
  },
);
