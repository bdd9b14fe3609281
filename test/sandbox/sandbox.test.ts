import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { SandboxStartError } from '../../src/sandbox/faults/fault-rule.ts';
import { defaultSandboxKey, startSandbox } from '../../src/sandbox/sandbox.ts';
import { importPath, manualClock, queryPath, runSandbox, upsNumber } from './support.ts';

const defaultOptions = () => ({ port: 0, speed: 360, seed: 7, clock: manualClock() });

it('uses any free port and reports its address and key', async () => {
  const sandbox = await runSandbox();
  // Other machines cannot reach it, and no option changes the host.
  expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(sandbox.apiKey).toBe(defaultSandboxKey);
});

it('says that a port is in use, and what to do', async () => {
  const sandbox = await runSandbox();
  const port = Number(new URL(sandbox.baseUrl).port);
  const failure = startSandbox({ ...defaultOptions(), port });
  await expect(failure).rejects.toBeInstanceOf(SandboxStartError);
  await expect(failure).rejects.toMatchObject({
    kind: 'port-taken',
    message: `Port ${port} is already in use. Choose a different port, or 0 for any free port.`,
    cause: { code: 'EADDRINUSE' },
  });
});

it('closes promptly despite an open connection, and may be closed twice', async () => {
  const sandbox = await startSandbox(defaultOptions());
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  onTestFinished(() => agent.destroy());
  const send = () => request(`${sandbox.baseUrl}/nowhere`, { dispatcher: agent });
  await (await send()).body.dump();
  await sandbox.close();
  await sandbox.close();
  await expect(send()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('contains numbers that were registered and looked up before the start', async () => {
  const sandbox = await runSandbox({
    registered: [
      { trackNo: upsNumber(1), courierCode: null, registeredAgoMs: 3 * 86_400_000 },
      {
        trackNo: 'RB100000005CN',
        courierCode: 'china-post',
        registeredAgoMs: 3_600_000,
        startAt: { subStatus: 'INFO_RECEIVED_01', side: 'before', byMs: 3_600_000, mayShift: false },
      },
    ],
  });
  const response = await sandbox.post(queryPath, {});
  expect(response.body.data.accepted.content).toMatchObject([
    { trackNo: upsNumber(1), createTime: '2026-11-18 20:00:00' },
    { trackNo: 'RB100000005CN', createTime: '2026-11-21 19:00:00', transitStatus: 'NO_RECORD' },
  ]);
  expect(response.body.data.accepted.content[0].transitStatus).not.toBe('INIT');
});

it.each([
  ['an unknown courier', { trackNo: upsNumber(1), courierCode: 'nobody', registeredAgoMs: 0 }],
  ['a number without a distinctive format', { trackNo: 'LP00123456789012', courierCode: null, registeredAgoMs: 0 }],
  [
    'a point that the journey never reaches',
    {
      trackNo: upsNumber(1),
      courierCode: null,
      registeredAgoMs: 0,
      startAt: { subStatus: 'NO_SUCH_01', side: 'after', byMs: 0, mayShift: false } as const,
    },
  ],
])('refuses to start with a parcel with %s', async (_, parcel) => {
  await expect(startSandbox({ ...defaultOptions(), registered: [parcel] })).rejects.toMatchObject({
    name: 'SandboxStartError',
    kind: 'unusable-option',
  });
});

it('gives a number the same history whenever the seed is the same', async () => {
  const histories = [];
  for (const seed of [7, 7, 8]) {
    const sandbox = await runSandbox({ seed, speed: 100_000 });
    await sandbox.post(importPath, [{ trackNo: upsNumber(5) }]);
    sandbox.clock.advance(60_000);
    histories.push((await sandbox.post(queryPath, {})).body.data.accepted.content);
  }
  expect(histories[1]).toEqual(histories[0]);
  expect(histories[2]).not.toEqual(histories[0]);
});
