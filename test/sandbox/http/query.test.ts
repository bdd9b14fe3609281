import { expect, it } from 'vitest';
import { importPath, queryPath, queryV2Path, runSandbox, type TestSandbox, upsNumber } from '../support.ts';

async function withNumbers(count: number): Promise<TestSandbox> {
  const sandbox = await runSandbox();
  for (let start = 0; start < count; start += 100) {
    const items = Array.from({ length: Math.min(100, count - start) }, (_, index) => ({
      trackNo: upsNumber(start + index),
      orderNo: `order-${start + index}`,
    }));
    await sandbox.post(importPath, items);
    sandbox.clock.advance(10_000);
  }
  return sandbox;
}

const numbersOf = (response: { body: { data: { accepted: { content: { trackNo: string }[] } } } }): string[] =>
  response.body.data.accepted.content.map((record) => record.trackNo);

it('returns INIT without events and without a next update right after registration', async () => {
  const sandbox = await runSandbox();
  await sandbox.post(importPath, [{ trackNo: upsNumber(1) }]);
  const response = await sandbox.post(queryPath, { trackNoInfos: [{ trackNo: upsNumber(1) }] });
  expect(response.body.data.accepted.content).toMatchObject([
    { transitStatus: 'INIT', nextUpdateTime: null, localLogisticsInfo: { courierCode: 'ups', trackingDetails: [] } },
  ]);
  expect(response.body.data.accepted.content[0]).not.toHaveProperty('transitSubStatus');
});

it('finds a number in any letter case, and under all couriers unless one is given', async () => {
  const sandbox = await runSandbox();
  await sandbox.post(importPath, [
    { trackNo: 'ab123456789012', courierCode: 'fedex' },
    { trackNo: 'AB123456789012', courierCode: 'yamato' },
  ]);
  const both = await sandbox.post(queryPath, { trackNoInfos: [{ trackNo: 'Ab123456789012', courierCode: '' }] });
  expect(numbersOf(both)).toEqual(['ab123456789012', 'AB123456789012']);
  const single = await sandbox.post(queryPath, {
    trackNoInfos: [{ trackNo: 'Ab123456789012', courierCode: 'yamato' }],
  });
  expect(numbersOf(single)).toEqual(['AB123456789012']);
});

it('limits a response to the page size and reports the totals of the account, not of the request', async () => {
  const sandbox = await withNumbers(7);
  const infos = [0, 1, 2].map((index) => ({ trackNo: upsNumber(index) }));
  const first = await sandbox.post(queryPath, { trackNoInfos: [...infos, { trackNo: 'GHOST1' }], queryPageSize: 2 });
  const second = await sandbox.post(queryPath, {
    trackNoInfos: [...infos, { trackNo: 'GHOST1' }],
    queryPageSize: 2,
    cursor: first.body.data.accepted.cursor,
  });
  expect([numbersOf(first), numbersOf(second)]).toEqual([[upsNumber(0), upsNumber(1)], [upsNumber(2)]]);
  expect(first.body.data.accepted).toMatchObject({ totalElements: '7', totalPages: '4' });
  expect([first.body.data.rejected.length, second.body.data.rejected.length]).toEqual([1, 0]);
});

it('selects by order number and by registration time on the service clock', async () => {
  const sandbox = await withNumbers(101);
  expect(numbersOf(await sandbox.post(queryPath, { orderNos: ['order-100', 'order-3', 'no-such-order'] }))).toEqual([
    upsNumber(3),
    upsNumber(100),
  ]);
  const late = await sandbox.post(queryPath, {
    createTimeStart: '2026-11-21 20:00:10',
    createTimeEnd: '2026-11-21 20:00:10',
  });
  expect(numbersOf(late)).toEqual([upsNumber(100)]);
  expect(numbersOf(await sandbox.post(queryV2Path, { createTimeStart: '2026-11-21 20:00:11' }))).toEqual([]);
});

it.each([
  ['a page size of 0', { queryPageSize: 0 }],
  ['a page size of 101', { queryPageSize: 101 }],
  ['an invalid cursor', { cursor: 'next' }],
  ['a time in a different format', { createTimeStart: '2026-11-21T20:00:00Z' }],
  ['101 numbers', { trackNoInfos: Array.from({ length: 101 }, (_, index) => ({ trackNo: upsNumber(index) })) }],
])('rejects %s', async (_, body) => {
  const sandbox = await runSandbox();
  const response = await sandbox.post(queryPath, body);
  expect([response.status, response.body.code]).toEqual([400, 'A0400']);
  expect(response.body).not.toHaveProperty('data');
});

it('counts the numbers in both fields of a v2 query together', async () => {
  const sandbox = await runSandbox();
  const numbers = Array.from({ length: 51 }, (_, index) => upsNumber(index));
  const response = await sandbox.post(queryV2Path, {
    trackNos: numbers,
    trackNoInfos: numbers.map((trackNo) => ({ trackNo })),
  });
  expect([response.status, response.body.code]).toEqual([400, 'A0400']);
});
