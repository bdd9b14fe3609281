import { expect, it } from 'vitest';
import { minuteMs as minute } from '../../../src/lib/clock.ts';
import { parseFault } from '../../../src/sandbox/faults/fault-rule.ts';
import { importPath, queryPath, runSandbox, type TestSandbox, upsNumber } from '../support.ts';

const trackNo = upsNumber(1);
const query = { trackNoInfos: [{ trackNo }] };

const contentOf = async (sandbox: TestSandbox): Promise<readonly { readonly transitStatus: string }[]> =>
  (await sandbox.post(queryPath, query)).body.data.accepted.content;
const register = async (sandbox: TestSandbox) => (await sandbox.post(importPath, [{ trackNo }])).body.data;

it('accepts numbers that other calls do not find for ten minutes', async () => {
  const sandbox = await runSandbox({ speed: 1, faults: [parseFault('slow-index')] });
  expect(await register(sandbox)).toMatchObject({ accepted: [{ trackNo }], rejected: [] });
  const response = await sandbox.post(queryPath, query);
  expect(response.body).toMatchObject({
    code: '00000',
    data: {
      accepted: { content: [] },
      rejected: [{ index: 0, trackNo, error: { code: 'A0400', msg: 'trackNo not registered' } }],
    },
  });
  sandbox.clock.advance(10 * minute - 1000);
  expect(await contentOf(sandbox)).toEqual([]);
  sandbox.clock.advance(1000);
  expect(await contentOf(sandbox)).toHaveLength(1);
  expect((await register(sandbox)).rejected[0].error.msg).toBe('The order number has been imported');
});

it('accepts a waiting number again, for credit, without duplicating or delaying it', async () => {
  const sandbox = await runSandbox({ speed: 1, credit: 5, faults: [parseFault('slow-index:delay=120000')] });
  await register(sandbox);
  sandbox.clock.advance(minute);
  expect((await register(sandbox)).accepted).toHaveLength(1);
  expect((await sandbox.get('/sandbox/state')).body.creditLeft).toBe(3);
  sandbox.clock.advance(minute);
  expect(await contentOf(sandbox)).toHaveLength(1);
});

it('affects as many calls as its rule says', async () => {
  const sandbox = await runSandbox({ speed: 1, faults: [parseFault('slow-index:count=1')] });
  await register(sandbox);
  const other = upsNumber(2);
  await sandbox.post(importPath, [{ trackNo: other, courierCode: 'ups' }]);
  expect(await sandbox.records(other)).toHaveLength(1);
  expect(await contentOf(sandbox)).toEqual([]);
  expect((await sandbox.get('/sandbox/faults')).body).toEqual([{ name: 'slow-index', count: 0 }]);
});
