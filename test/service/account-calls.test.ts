import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTrackingService, type HttpTrackingService } from '../../src/service/client.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { createSkippingClock } from '../support/skipping-clock.ts';

const traceId = 'b'.repeat(32);
const success = (data?: unknown, headers: Record<string, string> = {}) =>
  json({ code: '00000', msg: 'Success', traceId, ...(data === undefined ? {} : { data }) }, 200, headers);
const key = { trackNo: 'LX123456789CN', courierCode: 'yanwen' };
const item = { ...key, postalCode: '1234 AB', phoneSuffix: '6789' };

let server: ScriptedServer;
let service: HttpTrackingService;

beforeEach(async () => {
  server = await startScriptedServer(success({ accepted: [], rejected: [] }));
  service = createTrackingService({
    baseUrl: server.baseUrl,
    apiKey: 'k',
    header: 'Service-Api-Secret',
    clock: createSkippingClock(),
  });
});

afterEach(async () => {
  await service.close();
  await server.close();
});

const lastBody = (): unknown => JSON.parse(server.requests.at(-1)?.body ?? 'null');
const lastPath = (): string | undefined => server.requests.at(-1)?.path;

describe('account calls', () => {
  test('send the number and its courier to delete a parcel, and return what was not deleted', async () => {
    server.respondWith(
      success({
        accepted: [],
        rejected: [{ index: 1, trackNo: 'B1000', error: { code: 'A0400', msg: 'trackNo not registered' } }],
      }),
    );
    const rejected = await service.delete([key, { trackNo: 'B1000', courierCode: null }]);
    expect(lastPath()).toBe('/gateway/tk/v2.1/track/delete');
    expect(lastBody()).toEqual([key, { trackNo: 'B1000' }]);
    expect(rejected.map((entry) => entry.trackNo)).toEqual(['B1000']);
  });

  test('send only the given fields of an edit', async () => {
    await service.edit({ ...key, orderNo: 'O-1', postalCode: '50667' });
    expect(lastPath()).toBe('/gateway/tk/v2.1/track/update');
    expect(lastBody()).toEqual({ ...key, orderNo: 'O-1', postalCode: '50667' });
  });

  test('redact an email address that the service repeats in an error', async () => {
    const edit = { ...key, customerEmail: 'ann@shop.example' };
    server.respondWith((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"code":"A0400","msg":"customerEmail ANN@shop.example is invalid","traceId":"t"}');
    });
    await expect(service.edit(edit)).rejects.toMatchObject({
      message: expect.stringMatching(/customerEmail \[email\] is invalid/),
    });
    const msg = 'ann@shop.example is blocked';
    server.respondWith(
      success({ accepted: [], rejected: [{ index: 0, trackNo: key.trackNo, error: { code: 'A0400', msg } }] }),
    );
    await expect(service.edit(edit)).rejects.toMatchObject({
      message: expect.stringMatching(/"\[email\] is blocked"/),
    });
    const { rejected } = await service.register([{ ...item, customerEmail: 'ann@shop.example' }]);
    expect(rejected).toMatchObject([{ message: '[email] is blocked' }]);
  });

  test('redact a postal code and phone digits that the service repeats in an error', async () => {
    const edit = { ...key, postalCode: '50667', phoneSuffix: '4711' };
    const msg = 'phone 4711 does not belong to 50667 \\u0035\\u0030667';
    server.respondWith(json({ code: 'A0400', msg }, 400));
    const redacted = {
      message: expect.stringContaining('phone [phone] does not belong to [postal code] [postal code]'),
    };
    await expect(service.edit(edit)).rejects.toMatchObject(redacted);
    server.respondWith(
      success({ accepted: [], rejected: [{ index: 0, trackNo: key.trackNo, error: { code: 'A0400', msg } }] }),
    );
    const { rejected } = await service.register([{ ...item, postalCode: '50667', phoneSuffix: '4711' }]);
    expect(rejected).toMatchObject([{ trackNo: key.trackNo, ...redacted }]);
  });

  test('send both the old and the new courier to change it', async () => {
    await service.changeCourier(key, 'china-post');
    expect(lastPath()).toBe('/gateway/tk/v2.1/track/update-courier');
    expect(lastBody()).toEqual({ ...key, newCourierCode: 'china-post' });
  });

  test("fail with the service's wording if it rejects the number", async () => {
    server.respondWith(
      success({
        accepted: [],
        rejected: [{ index: 0, trackNo: key.trackNo, error: { code: 'A0400', msg: 'no such courier' } }],
      }),
    );
    await expect(service.changeCourier(key, 'x')).rejects.toMatchObject({
      kind: 'request-refused',
      message: expect.stringMatching(/no such courier/),
    });
  });

  test('send every field of an item to registration v2.1', async () => {
    const v21 = createTrackingService({
      baseUrl: server.baseUrl,
      apiKey: 'k',
      header: 'h',
      clock: createSkippingClock(),
      registerVersion: 'v2.1',
    });
    const merchant = {
      orderNo: 'O-1',
      country: 'DE',
      shipTime: '2026-11-20 10:00:00',
      customerEmail: 'a@b.example',
      remark: 'r',
      custom1: '1',
      custom2: '2',
    };
    await v21.register([{ ...item, ...merchant }]);
    await v21.close();
    expect(lastPath()).toBe('/gateway/tk/v2.1/track/import');
    expect(lastBody()).toEqual([
      { ...key, ...merchant, postalCode: '1234 AB', extendFieldMap: { phoneSuffix: '6789' } },
    ]);
  });

  test('read the account page by page until a short page, and ignore the totals', async () => {
    const pageOf = (size: number, total: string) =>
      success({
        accepted: {
          content: Array.from({ length: size }, (_, n) => ({ trackNo: `N${size}X${n}` })),
          totalElements: '999',
          totalPages: total,
          currentPage: '2',
          cursor: '3',
        },
        rejected: [],
      });
    const window = { createTimeStart: '2026-11-01 00:00:00', createTimeEnd: '2026-11-02 00:00:00' };
    server.respondWith(pageOf(100, '9'));
    expect(await service.search(window, '2')).toMatchObject({ next: '3' });
    expect(lastBody()).toEqual({ ...window, cursor: '2', queryPageSize: 100 });
    server.respondWith(pageOf(7, '9'));
    const last = await service.search(window, '2');
    expect([last.records.length, last.next]).toEqual([7, null]);
  });
});

describe('retracking', () => {
  test('sends a single number alone, and several together', async () => {
    server.respondWith(success({ success: true, actualRefreshTime: '2026-11-21 18:00:00' }));
    expect(await service.retrack([key])).toEqual([
      { ...key, accepted: true, actualRefreshTime: '2026-11-21 18:00:00', message: null },
    ]);
    expect(lastPath()).toBe('/gateway/tk/v2.1/track/refresh');
    expect(lastBody()).toEqual(key);
    server.respondWith(
      success({
        accepted: [{ trackNo: key.trackNo, success: false, actualRefreshTime: '2026-11-21 17:00:00' }],
        rejected: [{ index: 1, trackNo: 'B1000', error: { code: 'A0400', msg: 'trackNo not registered' } }],
      }),
    );
    const outcomes = await service.retrack([
      key,
      { trackNo: 'B1000', courierCode: null },
      { trackNo: 'C1000', courierCode: null },
    ]);
    expect(lastPath()).toBe('/gateway/tk/v2.1/track/refresh-batch');
    expect(outcomes.map((outcome) => [outcome.trackNo, outcome.accepted, outcome.message])).toEqual([
      ['LX123456789CN', false, null],
      ['B1000', false, 'trackNo not registered'],
      ['C1000', false, null],
    ]);
  });

  test('accepts success without data, and sends nothing for an empty list', async () => {
    server.respondWith(success());
    expect((await service.retrack([key]))[0]?.accepted).toBe(true);
    expect(await service.retrack([])).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('instant tracking', () => {
  test('returns the record from a single object', async () => {
    server.respondWith(
      success({ accepted: { trackNo: 'lx123456789cn', transitStatus: 'NO_RECORD', trackingStatus: '002' } }),
    );
    const response = await service.instant(item);
    expect(response).toMatchObject({ kind: 'record', record: { transitStatus: 'NO_RECORD' } });
    expect(lastPath()).toBe('/gateway/tk/v2.1/track/query-realtime');
    expect(lastBody()).toMatchObject({ ...key, postalCode: '1234 AB' });
  });

  test('returns a rejection, and refuses a response about a different number', async () => {
    server.respondWith(
      success({ rejected: [{ index: 0, trackNo: key.trackNo, error: { code: 'A0400', msg: 'courier needed' } }] }),
    );
    expect(await service.instant(item)).toMatchObject({ kind: 'rejected', rejection: { message: 'courier needed' } });
    server.respondWith(success({ accepted: { trackNo: 'SOMEBODYELSE1' } }));
    await expect(service.instant(item)).rejects.toMatchObject({ kind: 'bad-answer' });
  });
});

test("takes the clock skew from the latest response's Date header", async () => {
  expect(service.clockSkew()).toBeNull();
  server.respondWith(success({ accepted: [], rejected: [] }, { date: new Date(Date.now() + 600_000).toUTCString() }));
  await service.query([key]);
  expect(service.clockSkew()).toBeGreaterThan(590_000);
  expect(service.clockSkew()).toBeLessThan(610_000);
});
