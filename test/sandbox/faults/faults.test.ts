import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { type FaultName, faults, parseFault } from '../../../src/sandbox/faults/fault-rule.ts';
import { realClock } from '../../support/real-clock.ts';
import { importPath, instantPath, queryPath, runSandbox, type TestSandbox, upsNumber } from '../support.ts';

/** Starts a sandbox with these faults, and with registered numbers that have been looked up. */
async function startWithFaults(...faultTexts: readonly string[]): Promise<TestSandbox> {
  const registered = Array.from({ length: 3 }, (_, index) => ({
    trackNo: upsNumber(index),
    courierCode: 'ups',
    registeredAgoMs: 5 * 86_400_000,
  }));
  return await runSandbox({ registered, faults: faultTexts.map(parseFault) });
}

const query = { trackNoInfos: [0, 1, 2].map((index) => ({ trackNo: upsNumber(index) })) };
const traceId = expect.stringMatching(/^[0-9a-f]{32}$/);

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Json = any;

describe('faults that respond in place of the operation', () => {
  it.each<[FaultName, number, string, Json]>([
    ['rate-limit-429', 429, 'application/json', { code: 'A0706', msg: expect.any(String), traceId }],
    ['rate-limit-200', 200, 'application/json', { code: 'A0706', msg: expect.any(String), traceId }],
    ['error-500', 500, 'application/json', { code: 'B0001', msg: expect.any(String), traceId }],
    ['out-of-credit', 200, 'application/json', { code: '101107', msg: expect.any(String), traceId }],
    ['key-revoked', 401, 'application/json', { code: 'A0231', msg: expect.any(String), traceId }],
    ['missing-operation', 200, 'application/json', { code: 'C0113', msg: expect.any(String), traceId }],
    ['message-only', 200, 'application/json', { message: expect.any(String) }],
    ['forbidden-403', 403, 'application/json', { message: '404' }],
    [
      'not-found-404',
      404,
      'application/json',
      { timestamp: expect.any(String), status: 404, error: 'Not Found', message: expect.any(String), path: importPath },
    ],
  ])('%s', async (name, status, type, body) => {
    const sandbox = await startWithFaults(name);
    const response = await sandbox.raw(importPath, [{ trackNo: upsNumber(9) }]);
    expect([response.status, response.headers['content-type']]).toEqual([status, type]);
    expect(JSON.parse(response.text)).toEqual(body);
    // Nothing was registered.
    expect((await sandbox.get('/sandbox/state')).body.registeredCount).toBe(3);
  });

  it.each<[FaultName, number]>([
    ['html-502', 502],
    ['html-200', 200],
  ])('%s', async (name, status) => {
    const sandbox = await startWithFaults(name);
    const response = await sandbox.raw(queryPath, query);
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toMatch(/^text\/html/);
    expect(response.text).toMatch(/<html>/);
  });

  it('rate-limit-429 says when to retry', async () => {
    const sandbox = await startWithFaults('rate-limit-429:delay=7500');
    expect((await sandbox.raw(queryPath, query)).headers['retry-after']).toBe('8');
  });
});

describe('faults in transit', () => {
  it('slow delays the correct response', async () => {
    const delays: number[] = [];
    const clock = {
      ...realClock,
      setTimer: (delayMs: number, callback: () => void) => {
        delays.push(delayMs);
        return realClock.setTimer(0, callback);
      },
    };
    const sandbox = await runSandbox({ clock, faults: [parseFault('slow:delay=150')] });
    const response = await sandbox.post(queryPath, {});
    expect(response.body.code).toBe('00000');
    expect(delays).toEqual([150]);
  });

  it('slow does not keep the sandbox open after the client has disconnected', async () => {
    const sandbox = await runSandbox({ clock: realClock, faults: [parseFault('slow:delay=3600000')] });
    const gone = request(`${sandbox.baseUrl}/tk/v2/courier/list`, {
      headers: { 'Service-Api-Secret': sandbox.apiKey },
      signal: AbortSignal.timeout(100),
    });
    await expect(gone).rejects.toMatchObject({ name: 'TimeoutError' });
    await sandbox.close();
  });

  it('hang sends no response until the sandbox closes, while other calls get theirs', async () => {
    const sandbox = await startWithFaults('hang:query');
    let hasResponded = false;
    const hanging = sandbox.raw(queryPath, query).finally(() => {
      hasResponded = true;
    });
    const ended = expect(hanging).rejects.toThrow();
    expect((await sandbox.post('/tk/v2/track/query', {})).status).toBe(200);
    expect(hasResponded).toBe(false);
    await sandbox.close();
    await ended;
  });

  it('reset closes the connection in the middle of the body', async () => {
    const sandbox = await startWithFaults('reset:count=1');
    const response = await request(`${sandbox.baseUrl}${queryPath}`, {
      method: 'POST',
      headers: { 'Service-Api-Secret': sandbox.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(query),
    });
    expect(response.statusCode).toBe(200);
    await expect(response.body.text()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR/) });
    expect((await sandbox.post(queryPath, query)).body.code).toBe('00000');
  });

  it('truncated-json, empty-body and wrong-content-type corrupt only the response: the operation runs', async () => {
    const whole = await (await startWithFaults()).raw(queryPath, query);
    const half = await (await startWithFaults('truncated-json')).raw(queryPath, query);
    expect(half.text).toBe(whole.text.slice(0, whole.text.length / 2));
    const empty = await (await startWithFaults('empty-body')).raw(queryPath, query);
    expect([empty.status, empty.text]).toEqual([200, '']);
    const undeclared = await (await startWithFaults('wrong-content-type')).raw(queryPath, query);
    expect([undeclared.headers['content-type'], undeclared.text]).toEqual(['text/html', whole.text]);
    const sandbox = await startWithFaults('empty-body:register');
    await sandbox.raw(importPath, [{ trackNo: upsNumber(9) }]);
    expect((await sandbox.get('/sandbox/state')).body.registeredCount).toBe(4);
  });

  it('giant-answer is larger than 8 MiB and still JSON', async () => {
    const response = await (await startWithFaults('giant-answer')).raw(queryPath, query);
    expect(response.text.length).toBeGreaterThan(8 * 1024 * 1024);
    expect(JSON.parse(response.text).code).toBe('00000');
  });
});

describe('faults in the content', () => {
  const contentOf = (body: Json): Json[] => body.data.accepted.content;
  const numbersOf = (body: Json): string[] => contentOf(body).map((record) => record.trackNo);
  const all = [upsNumber(0), upsNumber(1), upsNumber(2)];

  it('missing-data reports success without data', async () => {
    const { body } = await (await startWithFaults('missing-data')).post(queryPath, query);
    expect(body).toEqual({ code: '00000', msg: 'Success', traceId });
  });

  it('null-content replaces the accepted numbers with null', async () => {
    const sandbox = await startWithFaults('null-content');
    expect((await sandbox.post(queryPath, query)).body.data.accepted).toMatchObject({
      content: null,
      currentPage: '1',
    });
    expect((await sandbox.post(importPath, [{ trackNo: upsNumber(9) }])).body.data.accepted).toBeNull();
  });

  it('blank-record follows a complete one', async () => {
    const sandbox = await startWithFaults('blank-record:count=1');
    const first = contentOf((await sandbox.post(queryPath, query)).body);
    const second = contentOf((await sandbox.post(queryPath, query)).body);
    const third = contentOf((await sandbox.post(queryPath, query)).body);
    expect(first.every((record) => record.localLogisticsInfo.trackingDetails.length > 0)).toBe(true);
    for (const record of second) {
      expect(record).not.toHaveProperty('lastTrackingTime');
      expect(record).toMatchObject({ transitStatus: 'NO_RECORD', localLogisticsInfo: { courierCode: 'ups' } });
    }
    expect(third).toEqual(first);
  });

  it('missing-record omits one number, even from a registration', async () => {
    const sandbox = await startWithFaults('missing-record');
    const { body } = await sandbox.post(queryPath, query);
    expect([numbersOf(body), body.data.rejected]).toEqual([all.slice(0, 2), []]);
    const registered = await sandbox.post(importPath, [{ trackNo: upsNumber(8) }, { trackNo: upsNumber(9) }]);
    expect(registered.body.data).toEqual({ accepted: [{ trackNo: upsNumber(8) }], rejected: [] });
  });

  it('wrong-order reverses and duplicate-records repeats the records', async () => {
    expect(numbersOf((await (await startWithFaults('wrong-order')).post(queryPath, query)).body)).toEqual(
      all.toReversed(),
    );
    expect(numbersOf((await (await startWithFaults('duplicate-records')).post(queryPath, query)).body)).toEqual(
      all.flatMap((trackNo) => [trackNo, trackNo]),
    );
    expect(
      numbersOf((await (await startWithFaults('wrong-order', 'duplicate-records')).post(queryPath, query)).body),
    ).toHaveLength(6);
  });

  it('repeating-page always sends the first page and announces another one', async () => {
    const sandbox = await startWithFaults('repeating-page');
    for (const cursor of ['', '2', '3']) {
      const { body } = await sandbox.post(queryPath, { ...query, cursor, queryPageSize: 2 });
      expect(numbersOf(body)).toEqual(all.slice(0, 2));
      const page = Number(cursor || '1');
      expect(body.data.accepted).toMatchObject({ currentPage: String(page), totalPages: String(page + 1) });
    }
  });

  it('hostile-text adds everything that must never reach a terminal', async () => {
    const sandbox = await startWithFaults('hostile-text');
    const { body } = await sandbox.post(queryPath, query);
    const [{ eventDetail, address }] = contentOf(body)[0].localLogisticsInfo.trackingDetails;
    for (const text of [eventDetail, address, contentOf(body)[0].shipmentType, body.msg]) {
      for (const hostile of ['\u001b[2J', '\u0007', '\u202e', '\u200b', '\u0301\u0301', '\n', 'W'.repeat(1000)]) {
        expect(text).toContain(hostile);
      }
    }
    expect(numbersOf(body)).toEqual(all);
    const again = await sandbox.post(importPath, [{ trackNo: upsNumber(0) }]);
    expect(again.body.data.rejected[0].error.msg).toMatch(/has been imported.*W{1000}/s);
    const couriers = await sandbox.get('/tk/v2.1/courier/list');
    expect(couriers.body.data[0].courierNameEN).toMatch(/UPS.*W{1000}/s);
  });

  it('hostile-text stays below the client’s size limit', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => upsNumber(index));
    const sandbox = await runSandbox({
      registered: numbers.map((trackNo) => ({ trackNo, courierCode: 'ups', registeredAgoMs: 20 * 86_400_000 })),
      faults: [parseFault('hostile-text')],
    });
    expect((await sandbox.raw(queryPath, {})).text.length).toBeLessThan(8 * 1024 * 1024);
  });

  it('unknown-status changes every status of the record and its checkpoints', async () => {
    const { body } = await (await startWithFaults('unknown-status')).post(queryPath, query);
    for (const record of contentOf(body)) {
      expect(record).toMatchObject({
        trackingStatus: '942',
        transitStatus: 'TELEPORTED',
        transitSubStatus: 'TELEPORTED_09',
      });
      expect(record.localLogisticsInfo.trackingDetails[0].transitSubStatus).toBe('TELEPORTED_09');
    }
  });

  it('every-optional-missing keeps only numbers and codes', async () => {
    const sandbox = await startWithFaults('every-optional-missing');
    expect(contentOf((await sandbox.post(queryPath, query)).body)).toEqual(all.map((trackNo) => ({ trackNo })));
    expect((await sandbox.post(instantPath, { trackNo: upsNumber(0) })).body.data.accepted).toEqual({
      trackNo: upsNumber(0),
    });
    expect((await sandbox.get('/tk/v2.1/courier/list')).body.data[0]).toEqual({ courierCode: 'ups' });
  });

  it('does not count a fault that changes nothing', async () => {
    const sandbox = await startWithFaults('wrong-order:count=1');
    const single = await sandbox.post(queryPath, { trackNoInfos: [{ trackNo: upsNumber(1) }] });
    expect(numbersOf(single.body)).toEqual([upsNumber(1)]);
    expect((await sandbox.get('/sandbox/faults')).body).toEqual([{ name: 'wrong-order', count: 1 }]);
    expect(numbersOf((await sandbox.post(queryPath, query)).body)).toEqual(all.toReversed());
    expect(numbersOf((await sandbox.post(queryPath, query)).body)).toEqual(all);
  });
});

it('faults do not affect calls with a wrong key, but affect every operation if none is named', async () => {
  const sandbox = await startWithFaults('error-500');
  const unknown = await sandbox.call(queryPath, { headers: { 'Service-Api-Secret': 'wrong' }, body: '{}' });
  expect(unknown.status).toBe(401);
  expect([(await sandbox.post(queryPath, query)).status, (await sandbox.get('/tk/v2/courier/list')).status]).toEqual([
    500, 500,
  ]);
});

it.each(Object.keys(faults) as FaultName[])(
  'with %s on, the sandbox still closes and its control paths respond',
  async (name) => {
    const sandbox = await runSandbox({ clock: realClock, faults: [{ name, delayMs: 1 }] });
    const call = sandbox.raw(queryPath, {}).catch(() => null);
    if (name !== 'hang') await call;
    expect((await sandbox.get('/sandbox/faults')).body).toEqual([{ name, delayMs: 1 }]);
    await sandbox.close();
    await call;
  },
);
