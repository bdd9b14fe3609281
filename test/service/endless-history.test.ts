import { expect, test } from 'vitest';
import { decodeRecord } from '../support/decoded-record.ts';

test('decodes only the newest of too many checkpoints, but keeps all in the raw record', () => {
  const trackingDetails = Array.from({ length: 20_000 }, (_, second) => ({
    eventTimeZeroUTC: new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString(),
    eventDetail: 'Arrived at the sorting centre',
  }));
  const record = decodeRecord({ trackNo: 'A1', localLogisticsInfo: { trackingDetails } });
  expect(record?.checkpoints).toHaveLength(500);
  expect(record?.checkpoints[0]?.at).toBe('2026-11-20T05:33:19Z');
  expect(record?.checkpoints.at(-1)?.at).toBe('2026-11-20T05:25:00Z');
  expect(record?.received).toEqual({ trackNo: 'A1', localLogisticsInfo: { trackingDetails } });
});
