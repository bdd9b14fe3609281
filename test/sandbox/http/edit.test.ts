import { describe, expect, it } from 'vitest';
import { importPath, queryPath, runSandbox, upsNumber } from '../support.ts';

const editPath = '/tk/v2.1/track/update';
const changePath = '/tk/v2.1/track/update-courier';
const item = { trackNo: upsNumber(1), courierCode: 'ups' };

describe('edit', () => {
  it.each([
    ['a postal code', { trackNo: '3SABCD1234567', courierCode: 'postnl' }, { postalCode: '1012 AB' }],
    [
      'a phone suffix',
      { trackNo: 'SF1234567890124', courierCode: 'sfb2c' },
      { extendFieldMap: { phoneSuffix: '1234' } },
    ],
  ])('adds %s that the courier requires, so that the next lookup finds the parcel', async (_, key, extra) => {
    const sandbox = await runSandbox({ speed: 100_000 });
    await sandbox.post(importPath, [key]);
    sandbox.clock.advance(600_500);
    const [before] = await sandbox.records(key.trackNo);
    expect(before?.transitStatus).toBe('NO_RECORD');
    await sandbox.post(editPath, { ...key, ...extra });
    const [edited] = await sandbox.records(key.trackNo);
    expect(edited?.nextUpdateTime).toBe(before?.nextUpdateTime);
    sandbox.clock.advance(10_000);
    const [after] = await sandbox.records(key.trackNo);
    expect(after?.transitStatus).not.toBe('NO_RECORD');
    expect(JSON.stringify(after)).not.toMatch(/1012 AB|phoneSuffix/);
  });

  it.each([
    ['without a courier code', { trackNo: upsNumber(1) }, 'A0410'],
    ['without a number', { courierCode: 'ups' }, 'A0400'],
    ['with an invalid postal code', { ...item, postalCode: 'far too long to be one' }, 'A0400'],
    ['with an array', [item], 'A0400'],
  ])('rejects a call %s', async (_, body, code) => {
    const sandbox = await runSandbox();
    await sandbox.post(importPath, [item]);
    const response = await sandbox.post(editPath, body);
    expect([response.status, response.body.code]).toEqual([400, code]);
  });
});

describe('change carrier', () => {
  it('moves a number to a different courier, looks it up again and keeps its ID', async () => {
    const sandbox = await runSandbox({ speed: 3600 });
    const key = { trackNo: '123456789012', courierCode: 'fedex' };
    await sandbox.post(importPath, [{ ...key, remark: 'kept' }]);
    sandbox.clock.advance(10_000);
    const [before] = await sandbox.records(key.trackNo);
    const response = await sandbox.post(changePath, { ...key, newCourierCode: 'yamato' });
    expect(response.body.data).toEqual({ accepted: [{ ...key, courierCode: 'yamato' }], rejected: [] });
    const [moved] = await sandbox.records(key.trackNo);
    expect(moved).toMatchObject({
      id: before?.id,
      createTime: before?.createTime,
      nextUpdateTime: null,
      transitStatus: 'INIT',
      remark: 'kept',
      localLogisticsInfo: { courierCode: 'yamato', trackingDetails: [] },
    });
    sandbox.clock.advance(3000);
    expect((await sandbox.records(key.trackNo))[0]?.transitStatus).not.toBe('INIT');
    const old = await sandbox.post(queryPath, { trackNoInfos: [key] });
    expect(old.body.data.rejected).toMatchObject([{ index: 0, trackNo: key.trackNo }]);
  });

  it('keeps the details that were given for the previous courier', async () => {
    const sandbox = await runSandbox({ speed: 100_000 });
    await sandbox.post(importPath, [{ trackNo: '3SABCD1234567', courierCode: 'bpost', postalCode: '1012 AB' }]);
    await sandbox.post(changePath, { trackNo: '3SABCD1234567', courierCode: 'bpost', newCourierCode: 'postnl' });
    sandbox.clock.advance(600_000);
    expect((await sandbox.records('3SABCD1234567'))[0]?.transitStatus).not.toBe('NO_RECORD');
  });

  it.each([
    ['an unknown courier', { ...item, newCourierCode: 'nobody' }, 'unsupported logistics supplier code'],
    [
      'a courier that already has the number',
      { ...item, newCourierCode: 'fedex' },
      'The order number has been imported',
    ],
    [
      'a number that is not registered',
      { trackNo: 'GHOST1', courierCode: 'ups', newCourierCode: 'dhl' },
      'trackNo not registered',
    ],
  ])('rejects %s', async (_, body, msg) => {
    const sandbox = await runSandbox();
    await sandbox.post(importPath, [item, { ...item, courierCode: 'fedex' }]);
    const response = await sandbox.post(changePath, body);
    expect(response.body).toMatchObject({
      code: '00000',
      data: { accepted: [], rejected: [{ index: 0, trackNo: body.trackNo, error: { code: 'A0400', msg } }] },
    });
  });

  it.each(['trackNo', 'courierCode', 'newCourierCode'])('rejects a call without %s', async (name) => {
    const sandbox = await runSandbox();
    const response = await sandbox.post(changePath, { ...item, newCourierCode: 'dhl', [name]: '' });
    expect([response.status, response.body.code]).toEqual([400, 'A0410']);
  });
});
