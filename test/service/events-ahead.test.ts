import { expect, it } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { createTrackingService } from '../../src/service/client.ts';
import { realClock } from '../support/real-clock.ts';
import { json, startScriptedServer } from '../support/scripted-server.ts';

const day = 24 * 3_600_000;

/** Whether an event is taken for one in the future that was so long ago, by a machine whose clock is so far off. */
async function isFuture(eventAgoMs: number, clockOffMs: number): Promise<boolean> {
  const eventTimeZeroUTC = new Date(realClock.now() - eventAgoMs).toISOString();
  const record = { trackNo: 'LX1', localLogisticsInfo: { trackingDetails: [{ eventTimeZeroUTC, eventDetail: 'x' }] } };
  const data = { accepted: { content: [record] }, rejected: [] };
  // Answers carry a Date header by the right clock.
  const server = await startScriptedServer(json({ code: '00000', msg: 'Success', traceId: 'a'.repeat(32), data }));
  const clock: Clock = {
    now: () => realClock.now() + clockOffMs,
    setTimer: (delay, task) => realClock.setTimer(delay, task),
  };
  const service = createTrackingService({
    baseUrl: server.baseUrl,
    apiKey: 'k',
    header: 'Service-Api-Secret',
    clock,
    timeoutMs: 60_000,
  });
  try {
    const { records } = await service.query([{ trackNo: 'LX1', courierCode: null }]);
    return records[0]?.checkpoints[0]?.future === true;
  } finally {
    await service.close();
    await server.close();
  }
}

it.each([
  ['40 days ahead', -40 * day, 0, true],
  ['20 hours ahead', -20 * 3_600_000, 0, false],
  ['an hour ago, by a clock of ours that was reset', 3_600_000, -9_000 * day, false],
  ['40 days ahead, by such a clock', -40 * day, -9_000 * day, true],
])('an event %s', async (_, eventAgoMs, clockOffMs, expected) => {
  expect(await isFuture(eventAgoMs, clockOffMs)).toBe(expected);
});
