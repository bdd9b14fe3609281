import { describe, expect, it } from 'vitest';
import { parseFault } from '../../../src/sandbox/faults/fault-rule.ts';
import { faultsPath, importPath, queryPath, queryV2Path, runSandbox, type TestSandbox, upsNumber } from '../support.ts';

const [poison, well, alsoWell] = [upsNumber(0), upsNumber(1), upsNumber(2)];

/** Starts a sandbox with three registered numbers, and with these faults. */
const startWithFaults = (...faultTexts: readonly string[]): Promise<TestSandbox> =>
  runSandbox({
    registered: [poison, well, alsoWell].map((trackNo) => ({
      trackNo,
      courierCode: 'ups',
      registeredAgoMs: 5 * 86_400_000,
    })),
    faults: faultTexts.map(parseFault),
  });

const queryFor = (...trackNos: readonly string[]) => ({ trackNoInfos: trackNos.map((trackNo) => ({ trackNo })) });
const numbersOf = async (sandbox: TestSandbox, ...trackNos: readonly string[]): Promise<readonly string[]> =>
  (await sandbox.records(...trackNos)).map(({ trackNo }) => trackNo);

describe('a fault for one number', () => {
  it.each([
    ['error-500', 500, 'B0001'],
    ['error-200', 200, 'D0000'],
    ['bad-format-400', 400, 'A0400'],
    ['rate-limit-429', 429, 'A0706'],
    ['unauthorized-401', 401, 'A0301'],
    ['out-of-credit', 200, '101107'],
  ])('%s', async (name, status, code) => {
    const sandbox = await startWithFaults(`${name}:number=${poison}`);
    for (const body of [queryFor(well, poison.toLowerCase()), { trackNos: [poison] }]) {
      const refused = await sandbox.post(queryPath, body);
      expect([refused.status, refused.body.code]).toEqual([status, code]);
    }
    expect((await sandbox.post(importPath, [{ trackNo: well }, { trackNo: ` ${poison}` }])).status).toBe(status);
    expect(await numbersOf(sandbox, well, alsoWell)).toEqual([well, alsoWell]);
    // A query without numbers lists the whole account.
    expect((await sandbox.post(queryPath, {})).body.data.accepted.content).toHaveLength(3);
  });

  it('cuts off or delays the responses to batches with that number', async () => {
    const sandbox = await startWithFaults(`truncated-json:number=${poison}`, `reset:number=${alsoWell}`);
    const cut = await sandbox.raw(queryPath, queryFor(well, poison));
    expect(() => JSON.parse(cut.text)).toThrow(SyntaxError);
    await expect(sandbox.raw(queryPath, queryFor(well, alsoWell))).rejects.toThrow();
    await sandbox.put(faultsPath, [`hang:number=${poison}`]);
    const hanging = expect(sandbox.raw(queryPath, queryFor(well, poison))).rejects.toThrow();
    expect(await numbersOf(sandbox, well)).toEqual([well]);
    await sandbox.close();
    await hanging;
  });

  it('affects only registrations if it names that operation, and only that version', async () => {
    const sandbox = await startWithFaults(`error-500:register:number=${upsNumber(9)}`);
    const batch = [{ trackNo: upsNumber(8) }, { trackNo: upsNumber(9) }];
    expect((await sandbox.post(importPath, batch)).status).toBe(500);
    expect((await sandbox.get('/sandbox/state')).body.registeredCount).toBe(3);
    expect((await sandbox.post('/tk/v2.1/track/import', batch)).body.data.accepted).toHaveLength(2);
    expect(await numbersOf(sandbox, upsNumber(9))).toEqual([upsNumber(9)]);
  });

  it('counts only the calls with that number', async () => {
    const sandbox = await startWithFaults(`error-500:count=1:number=${poison}`);
    expect((await sandbox.post(queryPath, queryFor(well))).status).toBe(200);
    expect((await sandbox.post(queryPath, queryFor(poison))).status).toBe(500);
    expect((await sandbox.post(queryPath, queryFor(poison))).status).toBe(200);
  });

  it('ignores an unreadable body, which the operation rejects', async () => {
    const sandbox = await startWithFaults(`error-500:number=${poison}`);
    const headers = { 'Service-Api-Secret': sandbox.apiKey, 'Content-Type': 'application/json' };
    expect((await sandbox.call(queryPath, { headers, body: `{"trackNos": ["${poison}"` })).status).toBe(400);
  });
});

describe('faults in the records of one number', () => {
  it.each([queryPath, queryV2Path])('missing-record omits it, both in a batch and alone: %s', async (path) => {
    const sandbox = await startWithFaults(`missing-record:number=${poison}`);
    const contentOf = async (...trackNos: readonly string[]): Promise<readonly { readonly trackNo: string }[]> => {
      const { body } = await sandbox.post(path, { trackNos });
      expect(body.data.rejected).toEqual([]);
      return body.data.accepted.content;
    };
    expect((await contentOf(poison, well)).map(({ trackNo }) => trackNo)).toEqual([well]);
    expect(await contentOf(poison)).toEqual([]);
    expect(await contentOf(well)).toHaveLength(1);
  });

  it('no-record leaves neither events nor a next update in its record', async () => {
    const sandbox = await startWithFaults(`no-record:number=${poison}`);
    for (const body of [queryFor(poison, well), {}]) {
      const content: readonly Record<string, unknown>[] = (await sandbox.post(queryPath, body)).body.data.accepted
        .content;
      const silent = content.find(({ trackNo }) => trackNo === poison);
      expect(silent).toEqual({
        id: expect.any(String),
        createTime: expect.any(String),
        trackNo: poison,
        trackingStatus: '001',
        transitStatus: 'NO_RECORD',
        localLogisticsInfo: { courierCode: 'ups' },
      });
      expect(content.find(({ trackNo }) => trackNo === well)).toHaveProperty('nextUpdateTime');
    }
  });

  it('unknown-status, blank-record and slow-index do not affect other numbers', async () => {
    const sandbox = await startWithFaults(`unknown-status:number=${poison}`, `slow-index:number=${upsNumber(8)}`);
    const [odd, usual] = await sandbox.records(poison, well);
    expect([odd?.transitStatus, usual?.transitStatus]).toEqual(['TELEPORTED', expect.not.stringMatching('TELEPORTED')]);
    await sandbox.post(importPath, [{ trackNo: upsNumber(8) }, { trackNo: upsNumber(9) }]);
    expect(await numbersOf(sandbox, upsNumber(8), upsNumber(9))).toEqual([upsNumber(9)]);
    await sandbox.put(faultsPath, [`blank-record:number=${poison}`]);
    await sandbox.records(poison, well);
    const statuses = (await sandbox.records(poison, well)).map(({ transitStatus }) => transitStatus);
    expect([statuses[0], statuses[1] === 'NO_RECORD']).toEqual(['NO_RECORD', false]);
  });
});
