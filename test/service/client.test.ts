import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTrackingService, type HttpTrackingService } from '../../src/service/client.ts';
import { type QueryResponse, RateLimitedError, ServiceError } from '../../src/service/port.ts';
import { realClock } from '../support/real-clock.ts';
import {
  json,
  type ReceivedRequest,
  raw,
  type ScriptedServer,
  startScriptedServer,
} from '../support/scripted-server.ts';

const apiKey = 'key-that-must-never-be-seen';
const item = { trackNo: 'LX123456789CN', courierCode: 'yanwen', postalCode: null, phoneSuffix: null };
const traceId = 'a'.repeat(32);

const success = (data: unknown) => json({ code: '00000', msg: 'Success', traceId, data });
const page = (content: readonly unknown[], rest: object = {}) =>
  success({
    accepted: { content, totalElements: '1', totalPages: '1', currentPage: '1', cursor: '2', ...rest },
    rejected: [],
  });

let server: ScriptedServer;
let service: HttpTrackingService;

/** Connects to the server. The default timeout is long enough for a busy machine. */
const connect = (timeoutMs = 60_000): HttpTrackingService =>
  createTrackingService({
    baseUrl: server.baseUrl,
    apiKey,
    header: 'Service-Api-Secret',
    clock: realClock,
    timeoutMs,
    maxResponseBytes: 100_000,
  });

beforeEach(async () => {
  server = await startScriptedServer(page([]));
  service = connect();
});

afterEach(async () => {
  await service.close();
  await server.close();
});

const failure = async (call: Promise<unknown>): Promise<ServiceError> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error(`expected a ServiceError, got ${String(error)}`);
  return error;
};

describe('requests', () => {
  test('send numbers with couriers, the key header and JSON to query v2.1', async () => {
    await service.query([item, { trackNo: '1Z999AA10123456784', courierCode: null }]);
    const [request] = server.requests as [ReceivedRequest];
    expect(request).toMatchObject({ method: 'POST', path: '/gateway/tk/v2.1/track/query' });
    expect(request.headers).toMatchObject({
      'service-api-secret': apiKey,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(JSON.parse(request.body)).toEqual({
      trackNoInfos: [{ trackNo: 'LX123456789CN', courierCode: 'yanwen' }, { trackNo: '1Z999AA10123456784' }],
      cursor: '',
      queryPageSize: 100,
    });
  });

  test('send only numbers to query v2', async () => {
    const v2 = createTrackingService({
      baseUrl: server.baseUrl,
      apiKey,
      header: 'X-Key',
      clock: realClock,
      queryVersion: 'v2',
    });
    await v2.query([item]);
    await v2.close();
    expect(server.requests[0]?.path).toBe('/gateway/tk/v2/track/query');
    expect(server.requests[0]?.headers['x-key']).toBe(apiKey);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ trackNos: ['LX123456789CN'] });
  });

  test('send registrations as a bare array, with the extras where they belong', async () => {
    server.respondWith(success({ accepted: [], rejected: [] }));
    await service.register([item, { trackNo: 'SF1', courierCode: null, postalCode: '1234 AB', phoneSuffix: '6789' }]);
    expect(server.requests[0]?.path).toBe('/gateway/tk/v2/track/import');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual([
      { trackNo: 'LX123456789CN', courierCode: 'yanwen' },
      { trackNo: 'SF1', postalCode: '1234 AB', extendFieldMap: { phoneSuffix: '6789' } },
    ]);
  });
});

describe('the client', () => {
  test("counts duplicates as success with their courier, and keeps the service's wording for other rejections", async () => {
    server.respondWith(
      success({
        accepted: [{ trackNo: 'A1000', courierCode: 'ups' }],
        rejected: [
          {
            index: 1,
            trackNo: 'B1000',
            courierCode: 'sfb2c',
            error: { code: 'A0400', msg: 'The order number has been imported' },
          },
          { index: 2, trackNo: 'C1000', error: { code: 'A0400', msg: 'unsupported logistics supplier code' } },
          { index: 3, error: { code: 'A0400', msg: 'no number here' } },
        ],
      }),
    );
    const numbers = ['A1000', 'B1000', 'C1000', 'D1000'];
    const response = await service.register(numbers.map((trackNo) => ({ ...item, trackNo })));
    expect(response.accepted).toEqual([{ trackNo: 'A1000', courierCode: 'ups' }]);
    expect(response.known).toEqual([{ trackNo: 'B1000', courierCode: 'sfb2c' }]);
    expect(response.rejected.map((entry) => [entry.trackNo, entry.message])).toEqual([
      ['C1000', 'unsupported logistics supplier code'],
      ['D1000', 'no number here'],
    ]);
    expect(response.traceId).toBe(traceId);
  });

  test('accepts plain numbers in the lists of a registration', async () => {
    server.respondWith(success({ accepted: ['A1000'], rejected: ['B1000', { trackNo: 'C1000', errorMsg: 'no' }] }));
    const response = await service.register(['A1000', 'B1000', 'C1000'].map((trackNo) => ({ ...item, trackNo })));
    expect(response.accepted).toMatchObject([{ trackNo: 'A1000' }]);
    expect(response.rejected).toMatchObject([{ trackNo: 'B1000' }, { trackNo: 'C1000', message: 'no' }]);
  });

  test('distinguishes unregistered numbers from rejected ones', async () => {
    server.respondWith(
      success({
        accepted: { content: [], totalElements: '4', totalPages: '1', currentPage: '1', cursor: '2' },
        rejected: [{ index: 0, trackNo: item.trackNo, error: { code: 'A0400', msg: 'trackNo not registered' } }],
      }),
    );
    const response = await service.query([item]);
    expect(response.unregistered.map((entry) => entry.trackNo)).toEqual([item.trackNo]);
    expect(response.rejected).toEqual([]);
  });

  /** Returns the names of the response's lists that contain the number after a rejection with this entry. */
  const listsOf = async (operation: 'query' | 'register', entry: object): Promise<readonly string[]> => {
    server.respondWith(success({ accepted: [], rejected: [{ index: 0, trackNo: item.trackNo, ...entry }] }));
    return Object.entries(await service[operation]([item]))
      .filter(([, list]) => Array.isArray(list) && list.length > 0)
      .map(([name]) => name);
  };

  test.each([
    'The order number has been imported',
    'the order number HAS BEEN IMPORTED.',
    'trackNo has been registered',
    'trackNo already registered',
    'The tracking number already exists',
  ])('takes "%s" to mean that the number is already registered', async (msg) => {
    expect(await listsOf('register', { error: { code: 'A0400', msg } })).toEqual(['known']);
  });

  test.each([
    'trackNo not registered',
    'The order number has not been imported',
    'trackNo is not yet registered',
    'unregistered trackNo',
    'The tracking number does not exist',
    'trackNo not found',
  ])('takes "%s" to mean that the account does not have the number', async (msg) => {
    expect(await listsOf('query', { error: { code: 'A0400', msg } })).toEqual(['unregistered']);
    expect(await listsOf('query', { code: 'A0400', message: msg })).toEqual(['unregistered']);
  });

  test.each(['trackNo format error', 'unsupported logistics supplier code', 'The courier does not exist'])(
    'takes "%s" as a rejection',
    async (msg) => {
      expect(await listsOf('query', { error: { code: 'A0400', msg } })).toEqual(['rejected']);
      expect(await listsOf('register', { error: { code: 'A0400', msg } })).toEqual(['rejected']);
    },
  );

  test('truncates a very long reason, so that the sentence that quotes it stays complete', async () => {
    const msg = `trackNo not registered ${'W'.repeat(5000)}`;
    server.respondWith(success({ accepted: [], rejected: [{ index: 0, error: { code: 'A0400', msg } }] }));
    const [{ message } = { message: '' }] = (await service.query([item])).unregistered;
    expect(message).toMatch(/^trackNo not registered W{450,480}…$/);
  });

  test('drops records for numbers that were not requested', async () => {
    server.respondWith(page([{ trackNo: 'SOMEBODY1' }, { trackNo: 'lx123456789cn', transitStatus: 'IN_TRANSIT' }]));
    const response = await service.query([item]);
    expect(response.records.map((record) => record.transitStatus)).toEqual(['IN_TRANSIT']);
  });

  test('keeps the other records of a page with a bad one, and several records per number', async () => {
    server.respondWith(
      page([
        null,
        5,
        { noNumber: true },
        { trackNo: item.trackNo, localLogisticsInfo: { courierCode: 'yanwen' } },
        { trackNo: item.trackNo, localLogisticsInfo: { courierCode: 'china-post' } },
      ]),
    );
    const response = await service.query([item]);
    expect(response.records.map((record) => record.courierCode)).toEqual(['yanwen', 'china-post']);
  });

  test('follows the cursor until a page is not full', async () => {
    const keys = Array.from({ length: 100 }, (_, n) => ({ trackNo: `NUMBER${n}`, courierCode: null }));
    server.respondWith((request, response) => {
      const { cursor } = JSON.parse(request.body) as { cursor: string };
      const couriers = cursor === '' ? ['a'] : ['b'];
      const content = keys
        .slice(0, cursor === '' ? 100 : 3)
        .flatMap((key) =>
          couriers.map((courierCode) => ({ trackNo: key.trackNo, localLogisticsInfo: { courierCode } })),
        );
      page(content, { totalPages: '9', currentPage: cursor === '' ? '1' : '2', cursor: cursor === '' ? '2' : '3' })(
        request,
        response,
      );
    });
    const response: QueryResponse = await service.query(keys);
    expect(response.records).toHaveLength(103);
    expect(server.requests).toHaveLength(2);
  });

  test('continues after a full page about other numbers', async () => {
    server.respondWith((request, response) => {
      const { cursor } = JSON.parse(request.body) as { cursor: string };
      const others = Array.from({ length: 100 }, (_, n) => ({ trackNo: `OTHER${n}` }));
      (cursor === ''
        ? page(others, { totalPages: '2', currentPage: '1', cursor: '77' })
        : page([{ trackNo: item.trackNo }], { totalPages: '2', currentPage: '2', cursor: '78' }))(request, response);
    });
    expect((await service.query([item])).records.map(({ trackNo }) => trackNo)).toEqual([item.trackNo]);
    expect(server.requests.map(({ body }) => JSON.parse(body))).toMatchObject([{ cursor: '' }, { cursor: '77' }]);
  });

  test('stops when a page is repeated', async () => {
    const keys = Array.from({ length: 100 }, (_, n) => ({ trackNo: `NUMBER${n}`, courierCode: null }));
    let turn = 0;
    server.respondWith((request, response) => {
      turn += 1;
      page(
        keys.map((key) => ({ trackNo: key.trackNo })),
        { totalPages: '99', cursor: String(turn) },
      )(request, response);
    });
    expect((await service.query(keys)).records).toHaveLength(100);
    expect(server.requests).toHaveLength(2);
  });

  test('omits couriers with no code or a duplicate code', async () => {
    server.respondWith(
      success([
        { courierCode: 'ups', courierNameEN: 'UPS', courierNameCN: null, courierHomePage: 'https://ups.com' },
        { courierCode: '', courierNameEN: 'Nobody' },
        { courierCode: null },
        { courierCode: 'ups', courierNameEN: 'UPS again' },
        { courierCode: 'yanwen', courierNameEN: null, courierNameCN: '燕文' },
      ]),
    );
    expect((await service.couriers()).map((courier) => courier.code)).toEqual(['ups', 'yanwen']);
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/gateway/tk/v2.1/courier/list', body: '' });
  });
});

describe('failures', () => {
  test.each([
    ['for a wrong key', json({ code: 'A0230', msg: 'token invalid', traceId }), 'key-refused', 'A0230'],
    [
      'for an error code with HTTP 200',
      json({ code: 'B0001', msg: 'system error', traceId }),
      'service-trouble',
      'B0001',
    ],
    [
      'for an address that is not on the allowlist',
      json({ code: 'A0301', msg: 'no', traceId }, 403),
      'key-refused',
      'A0301',
    ],
    ['for used-up credit', json({ code: '101107', msg: 'credit', traceId }), 'quota-exhausted', '101107'],
    [
      'for a rejected parameter',
      json({ code: 'A0400', msg: 'params format error', traceId: 'N/A' }, 400),
      'request-refused',
      'A0400',
    ],
    ['for a missing version', json({ code: 'C0113', msg: 'none', traceId }), 'operation-missing', 'C0113'],
    ['for a rate limit with HTTP 200', json({ code: 'A0706', msg: 'slow', traceId }), 'rate-limited', 'A0706'],
    [
      "for a framework's 404 page",
      json({ timestamp: 1, status: 404, error: 'Not Found', path: '/' }, 404),
      'operation-missing',
      null,
    ],
    ['for a 404 page in HTML', raw('<html>nothing</html>', 404), 'operation-missing', null],
    ["for a gateway's error page", raw('<html>502</html>', 502), 'service-trouble', null],
    ['for HTML instead of JSON', raw('<!doctype html><p>login'), 'bad-answer', null],
    ['for truncated JSON', raw('{"code":"00000","data":{"accep'), 'bad-answer', null],
    ['for an empty body', raw(''), 'bad-answer', null],
    ['for an array instead of an envelope', json([1]), 'bad-answer', null],
    ['for a message without a code', json({ message: 'hm' }), 'bad-answer', null],
    ['for success without data', json({ code: '00000', msg: 'Success', traceId }), 'bad-answer', null],
    ['for a redirect', raw('', 302, { location: 'https://elsewhere.example/' }), 'redirect-refused', null],
    ['for an unknown code', json({ code: 'Z9', msg: 'odd', traceId }), 'service-trouble', 'Z9'],
    [
      'for a response above the size limit',
      raw('x'.repeat(200_000)),
      'answer-too-large',
      'UND_ERR_RES_EXCEEDED_MAX_SIZE',
    ],
  ])('have the right kind %s', async (_name, script, kind, code) => {
    server.respondWith(script);
    const error = await failure(service.query([item]));
    expect(error.kind).toBe(kind);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/\.$/);
    expect(server.requests).toHaveLength(1);
  });

  /** Returns the failure of a query that gets no complete response within a short timeout. */
  const timeoutFailure = async (): Promise<ServiceError> => {
    const impatient = connect(100);
    try {
      return await failure(impatient.query([item]));
    } finally {
      await impatient.close();
    }
  };

  test('are timeouts if the service does not respond', async () => {
    server.respondWith(() => undefined);
    const error = await timeoutFailure();
    expect(error).toMatchObject({ kind: 'timeout', name: 'ServiceTimeoutError' });
  });

  test('are timeouts if a response stops in the middle', async () => {
    server.respondWith((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"code":');
    });
    expect((await timeoutFailure()).kind).toBe('timeout');
  });

  test('have the kind "unreachable" if the connection breaks', async () => {
    server.respondWith((_request, response) => {
      response.socket?.destroy();
    });
    expect((await failure(service.query([item]))).kind).toBe('unreachable');
  });

  test('name the host if the connection was refused', async () => {
    await server.close();
    const error = await failure(service.query([item]));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
    expect(error.message).toContain(server.baseUrl.host);
  });

  test('are cancellations if we abort the call', async () => {
    server.respondWith(() => undefined);
    const controller = new AbortController();
    const call = failure(service.query([item], controller.signal));
    controller.abort();
    expect((await call).kind).toBe('cancelled');
  });

  test("are cancellations, not the service's fault, if the client is closed during the call", async () => {
    server.respondWith(() => undefined);
    const call = failure(service.query([item]));
    await expect.poll(() => server.requests.length).toBe(1);
    await service.close();
    expect((await call).kind).toBe('cancelled');
  });

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' }, 30_000],
    [{ 'retry-after': '9'.repeat(12) }, 24 * 3_600_000],
    [{ 'retry-after': 'later' }, null],
    [{}, null],
  ])('give the right wait after a rate limit: %j, %s ms', async (headers, waitMs) => {
    server.respondWith(json({ code: 'A0706', msg: 'slow', traceId }, 429, headers as Record<string, string>));
    const error = await failure(service.query([item]));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect((error as RateLimitedError).retryAfterMs).toBe(waitMs);
  });

  test('never contain the key, even if the service repeats it', async () => {
    server.respondWith(json({ code: 'A0230', msg: `token ${apiKey} invalid`, traceId }, 401));
    const error = await failure(service.query([item]));
    expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(apiKey);
    expect(error.traceId).toBe(traceId);
  });
});
