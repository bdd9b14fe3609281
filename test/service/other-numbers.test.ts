import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTrackingService, type HttpTrackingService } from '../../src/service/client.ts';
import { realClock } from '../support/real-clock.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const key = { trackNo: 'SS1234567CN', courierCode: 'yanwen' };
const success = (data: unknown) => json({ code: '00000', msg: 'Success', traceId: 'c'.repeat(32), data });

let server: ScriptedServer;
let service: HttpTrackingService;

beforeEach(async () => {
  server = await startScriptedServer(success({}));
  service = createTrackingService({ baseUrl: server.baseUrl, apiKey: 'k', header: 'X-Key', clock: realClock });
});

afterEach(async () => {
  await service.close();
  await server.close();
});

describe('a report about a different number', () => {
  test.each([
    ['plain', { trackNo: 'OTHER1', success: true, actualRefreshTime: '2026-11-20 12:00:00' }],
    ['accepted', { accepted: [{ trackNo: 'OTHER1', success: true, actualRefreshTime: '2026-11-20 12:00:00' }] }],
  ])('does not count as a retrack of our number: %s', async (_name, data) => {
    server.respondWith(success(data));
    expect(await service.retrack([key])).toEqual([{ ...key, accepted: false, actualRefreshTime: null, message: null }]);
  });

  // In upper case, "ß" is "SS" and "ſ" is "S", but a number with such letters is a different one.
  test.each(['ß1234567CN', 'ſS1234567CN'])(
    'does not match our number merely because both are equal in upper case: %s',
    async (trackNo) => {
      server.respondWith(
        success({ accepted: { content: [{ trackNo }] }, rejected: [{ trackNo, error: { msg: 'no' } }] }),
      );
      expect(await service.query([key])).toMatchObject({ records: [], rejected: [] });
      server.respondWith(
        success({ accepted: [{ trackNo }], rejected: [{ trackNo, error: { msg: 'has been imported' } }] }),
      );
      const item = { ...key, postalCode: null, phoneSuffix: null };
      expect(await service.register([item])).toMatchObject({ accepted: [], known: [], rejected: [] });
      server.respondWith(success({ accepted: { trackNo } }));
      await expect(service.instant(item)).rejects.toMatchObject({ kind: 'bad-answer' });
    },
  );
});
