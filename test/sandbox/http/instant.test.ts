import { expect, it } from 'vitest';
import { importPath, instantPath, queryPath, runSandbox, upsNumber } from '../support.ts';

it('queries the courier immediately, even for a registered number', async () => {
  const sandbox = await runSandbox({ speed: 360 });
  const numbers = Array.from({ length: 20 }, (_, index) => upsNumber(index));
  await sandbox.post(
    importPath,
    numbers.map((trackNo) => ({ trackNo })),
  );
  sandbox.clock.advance(3000);
  const before = await sandbox.records(...numbers);
  let fresher = 0;
  for (const [index, trackNo] of numbers.entries()) {
    sandbox.clock.advance(1000);
    const { accepted } = (await sandbox.post(instantPath, { trackNo, courierCode: 'ups' })).body.data;
    const known = before[index]?.localLogisticsInfo?.trackingDetails ?? [];
    const details = accepted.localLogisticsInfo.trackingDetails ?? [];
    expect(details.slice(details.length - known.length)).toEqual(known);
    fresher += details.length > known.length ? 1 : 0;
  }
  expect(fresher).toBeGreaterThan(0);
});

it('returns an empty record for an unknown number', async () => {
  const sandbox = await runSandbox();
  const response = await sandbox.post(instantPath, { trackNo: 'LP00123456789012' });
  expect(response.body.data).toEqual({
    accepted: { trackNo: 'LP00123456789012', trackingStatus: '002', transitStatus: 'NO_RECORD' },
    rejected: [],
  });
});

it('finds nothing for a parcel until the details that its courier requires are given', async () => {
  const sandbox = await runSandbox();
  const send = async (body: object) => {
    sandbox.clock.advance(1000);
    return (await sandbox.post(instantPath, { trackNo: '3SABCD1234567', ...body })).body.data.accepted.transitStatus;
  };
  expect(await send({})).toBe('NO_RECORD');
  expect(await send({ postalCode: '1012 AB' })).not.toBe('NO_RECORD');
});

it.each([
  ['an unknown courier code', { trackNo: upsNumber(1), courierCode: 'nobody' }, 'unsupported logistics supplier code'],
  ['an empty number', { trackNo: ' ' }, 'trackNo cannot be empty'],
  ['an invalid number', { trackNo: 'not<a>number' }, 'trackNo format error'],
])('rejects %s', async (_, body, msg) => {
  const sandbox = await runSandbox();
  const response = await sandbox.post(instantPath, body);
  expect(response.body).toMatchObject({
    code: '00000',
    data: { accepted: null, rejected: [{ index: 0, error: { code: 'A0400', msg } }] },
  });
});

it('allows one call per second, independently of other operations', async () => {
  const sandbox = await runSandbox();
  const send = async () => (await sandbox.post(instantPath, { trackNo: upsNumber(1) })).status;
  expect([await send(), await send()]).toEqual([200, 429]);
  expect((await sandbox.post(queryPath, {})).status).toBe(200);
  sandbox.clock.advance(1000);
  expect(await send()).toBe(200);
});
