import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseJson } from '../../src/lib/json.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { readWebhook, type WebhookCheck, type WebhookSignature, webhookSignatures } from '../../src/service/webhook.ts';
import { eventually } from '../support/eventually.ts';
import { createFastClock } from '../support/fast-clock.ts';
import { raw, startScriptedServer } from '../support/scripted-server.ts';
import { importPath, runSandbox, upsNumber } from './support.ts';

/** Ten times as fast, so that the second attempt follows soon. */
const clock = createFastClock(10);

async function receiver(...statuses: readonly number[]) {
  let count = 0;
  const server = await startScriptedServer((request, response) => {
    const status = statuses[count] ?? statuses.at(-1) ?? 200;
    count += 1;
    raw('received', status, status === 302 ? { location: '/elsewhere' } : {})(request, response);
  });
  onTestFinished(() => server.close());
  return server;
}

async function sandboxCalling(url: URL) {
  return await runSandbox({ clock, speed: 3_600, apiKey: 'secret', webhook: url.href });
}

const checkNow = (signature: WebhookSignature): WebhookCheck => ({
  apiKey: 'secret',
  signature,
  serviceClock: assumedServiceClock,
  now: clock.now(),
  maxAgeMs: 300_000,
});

// biome-ignore lint/suspicious/noExplicitAny: a body of any shape
const bodyOf = (text: string | undefined): any => parseJson(text ?? 'null');

describe('over HTTP', () => {
  it('posts the record with a numeric ID and a valid signature', async () => {
    const before = clock.now();
    const server = await receiver(204);
    const sandbox = await sandboxCalling(server.baseUrl);
    await sandbox.post(importPath, [{ trackNo: upsNumber(1), remark: 'mine' }]);
    await eventually(() => expect(server.requests.length).toBeGreaterThan(0));
    const [call] = server.requests;
    expect(call).toMatchObject({
      method: 'POST',
      path: '/gateway',
      headers: { 'content-type': 'application/json' },
    });
    expect(call?.body).toMatch(/"id":\d{16,},/);
    const { data, verify } = bodyOf(call?.body);
    expect(data).toMatchObject({ trackNo: upsNumber(1), remark: 'mine' });
    expect(data.transitStatus).not.toBe('INIT');
    const [record] = await sandbox.records(upsNumber(1));
    expect(data.id).toBe(record?.id);
    expect(verify.signature).toBe(createHmac('sha256', 'secret').update(verify.timestamp).digest('hex'));
    expect(readWebhook(call?.body ?? '', checkNow('hmac'))).toMatchObject({ ok: true, record: { id: record?.id } });
    expect(Number(verify.timestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(verify.timestamp)).toBeLessThanOrEqual(clock.now());
    await eventually(async () =>
      expect((await sandbox.get('/sandbox/state')).body.webhook).toMatchObject({ abandoned: 0, waiting: 0 }),
    );
  });

  it.each(webhookSignatures)('signs only with %s if that is configured', async (signature) => {
    const server = await receiver(200);
    const options = { clock, speed: 3_600, apiKey: 'secret', webhook: server.baseUrl.href };
    const sandbox = await runSandbox({ ...options, webhookSignature: signature });
    await sandbox.post(importPath, [{ trackNo: upsNumber(1) }]);
    await eventually(() => expect(server.requests.length).toBeGreaterThan(0));
    const accepted = webhookSignatures.filter(
      (candidate) => readWebhook(server.requests[0]?.body ?? '', checkNow(candidate)).ok,
    );
    // Without a required signature, any is accepted.
    expect(accepted).toEqual(signature === 'none' ? ['none'] : [signature, 'none']);
  });

  it.each([[[500, 200]], [[302, 200]], [[404, 299]]])('retries after %j and accepts any 2xx', async (statuses) => {
    const server = await receiver(...statuses);
    const sandbox = await sandboxCalling(server.baseUrl);
    await sandbox.post(importPath, [{ trackNo: '3SABCD1234567' }]);
    await eventually(async () =>
      expect((await sandbox.get('/sandbox/state')).body.webhook).toEqual({
        attempts: 2,
        acknowledged: 1,
        abandoned: 0,
        waiting: 0,
      }),
    );
    expect(server.requests.map(({ path }) => path)).toEqual(['/gateway', '/gateway']);
  });

  it('retries if there is no receiver, without keeping the sandbox open', async () => {
    const server = await receiver(200);
    await server.close();
    const sandbox = await sandboxCalling(server.baseUrl);
    await sandbox.post(importPath, [{ trackNo: '3SABCD1234567' }]);
    await eventually(async () =>
      expect((await sandbox.get('/sandbox/state')).body.webhook.attempts).toBeGreaterThan(1),
    );
    await sandbox.close();
  });
});

it.each(['http://example.com/hook', 'http://192.168.0.1/', 'file:///tmp/x', 'localhost', ''])(
  'refuses %j as a webhook address',
  async (webhook) => {
    const options = { port: 0, speed: 360, seed: 7, clock, webhook };
    await expect(startSandbox(options)).rejects.toMatchObject({ name: 'SandboxStartError', kind: 'unusable-option' });
  },
);
