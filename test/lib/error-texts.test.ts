import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTrackingService, type HttpTrackingService } from '../../src/service/client.ts';
import { ServiceError } from '../../src/service/port.ts';
import { realClock } from '../support/real-clock.ts';
import { json, raw, type Script, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const apiKey = 'key-that-must-never-be-seen';
const item = { trackNo: 'LX123456789CN', courierCode: 'yanwen', postalCode: null, phoneSuffix: null };

let server: ScriptedServer;
let service: HttpTrackingService;

beforeEach(async () => {
  server = await startScriptedServer(raw(''));
  service = createTrackingService({ baseUrl: server.baseUrl, apiKey, header: 'Service-Api-Secret', clock: realClock });
});

afterEach(async () => {
  await service.close();
  await server.close();
});

/** Returns everything that a failed call reports, including the causes. */
async function reportOf(script: Script, call = () => service.query([item]) as Promise<unknown>): Promise<string> {
  server.respondWith(script);
  const error: unknown = await call().then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error('expected a ServiceError');
  const links: string[] = [];
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    links.push(link.message, JSON.stringify({ ...link, cause: null }), link.stack ?? '');
  }
  return links.join(' ');
}

describe('an error', () => {
  test('says where to look if a request was unparsable, without suggesting to correct a number', async () => {
    const format = json({ code: 'A0400', msg: 'params format error', traceId: 'N/A' }, 400);
    const text = await reportOf(format);
    expect(text).toMatch(/"params format error"\..*numbers are fine.*--base-url.*service\.operations\.query\.path/);
    expect(text).not.toContain('Correct');
    const number = json({ code: 'A0400', msg: 'trackNo format error', traceId: 'N/A' }, 400);
    expect(await reportOf(number)).toContain('Correct the field that it names: number');
  });

  test.each([
    ['a web page', raw('\u001b]0;title\u0007\u202eeliv')],
    ['damaged JSON', raw('{"code":"\u001b[31m\u202e"')],
    ['JSON with a suffix', raw('{"code":"00000"}\u001b[31m')],
    ['an invalid HTTP header', raw('x', 200, { 'retry-after': '\u00ff' })],
  ])('contains no hostile character, even in its cause: %s', async (_name, script) => {
    expect(await reportOf(script)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test.each([
    ['as plain text', raw(`${apiKey} is not a key`)],
    ['after its JSON', raw(`{"code":"A0230"}${apiKey}`)],
    ['as the code', json({ code: apiKey, msg: 'no' }, 401)],
    ['as the trace ID', json({ code: 'A0230', msg: 'no', traceId: apiKey })],
    ['in its message', json({ code: 'A0230', msg: `token ${apiKey}`, data: apiKey })],
  ])('contains no part of a key that the service repeats %s', async (_name, script) => {
    expect(await reportOf(script)).not.toMatch(/key-th|be-seen/);
  });

  test('contains no key that the service repeats when it rejects an edit', async () => {
    const rejected = [{ index: 0, error: { code: 'A0400', msg: `${apiKey} may not edit` } }];
    const script = json({ code: '00000', msg: 'Success', traceId: 't', data: { rejected } });
    expect(
      await reportOf(script, () => service.edit({ trackNo: item.trackNo, courierCode: item.courierCode })),
    ).not.toContain(apiKey);
  });

  test('contains no key if it is a rejection that is saved with a parcel', async () => {
    const rejected = [{ index: 0, error: { code: 'A0400', msg: `${apiKey} has no more credit` } }];
    server.respondWith(json({ code: '00000', msg: 'Success', traceId: 't', data: { rejected } }));
    expect((await service.register([item])).rejected[0]?.message).toBe('[key] has no more credit');
  });
});
