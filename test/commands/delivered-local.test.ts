import { expect, test } from 'vitest';
import { renderRecord, serviceRecord } from '../support/render-record.ts';

const delivered = { transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' };
const noEvents = { localLogisticsInfo: { courierCode: 'yanwen', trackingDetails: [] } };

test.each(['deliveredTime', 'lastTrackingTime'])('dates a delivery without events by %s', (field) => {
  const seen = renderRecord(serviceRecord({ ...delivered, ...noEvents, [field]: '2026-11-15 14:05:00' }));
  expect(seen.head.join('\n')).toContain('delivered Sun 15 Nov');
  expect(seen.head.join('\n')).not.toContain('14:05');
  expect(seen.json).toMatchObject({ deliveredAt: null, deliveredLocal: '2026-11-15 14:05:00' });
});

test('prints the same local time for a delivery without a zone in the header and in JSON', () => {
  const event = { timezone: null, eventTimeZeroUTC: null, transitSubStatus: 'DELIVERED_01' };
  const seen = renderRecord(serviceRecord(delivered, event));
  expect(seen.head.join('\n')).toContain('delivered Fri 20 Nov 21:14 ~');
  expect(seen.json).toMatchObject({ deliveredAt: null, deliveredLocal: '2026-11-20 21:14:00' });
});
