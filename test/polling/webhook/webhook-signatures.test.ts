import { createHash, createHmac } from 'node:crypto';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { minuteMs as minute } from '../../../src/lib/clock.ts';
import { startWebhookReceiver, type WebhookReceiverOptions } from '../../../src/polling/webhook/webhook-receiver.ts';
import type { TrackingRecord } from '../../../src/service/record.ts';
import { createFakeClock, someThursday } from '../../support/fake-clock.ts';
import { wireRecordOf } from '../../support/webhook-callback.ts';

const apiKey = 'key-for-tests';
const path = '0123456789abcdef-secret';
const seconds = String(someThursday / 1000);

const hmac = (text: string) => createHmac('sha256', apiKey).update(text).digest();
const hash = (text: string) =>
  createHash('sha256')
    .update(apiKey + text)
    .digest();

/** Independent implementations. */
const signers = {
  hmac: (text: string) => hmac(text).toString('hex'),
  sha256: (text: string) => hash(text).toString('hex'),
  'hmac-base64': (text: string) => hmac(text).toString('base64'),
  'sha256-base64': (text: string) => hash(text).toString('base64'),
} as const;
type Method = keyof typeof signers;
const methods = Object.keys(signers) as Method[];

async function start(options: Partial<WebhookReceiverOptions>) {
  const clock = createFakeClock();
  const received: TrackingRecord[] = [];
  const sentAt: (number | null)[] = [];
  const refused: string[] = [];
  const receiver = await startWebhookReceiver({
    host: '127.0.0.1',
    port: 0,
    apiKey,
    clock,
    monitor: {
      receive: async (record, at = null) => {
        received.push(record);
        sentAt.push(at);
        return 'stored';
      },
    },
    onFault: () => {},
    onRefused: (reason, advice) => refused.push(`${reason} ${advice}`),
    ...options,
  });
  onTestFinished(() => receiver.close());
  const post = async (body: string, target = '/') => {
    const { statusCode, body: answer } = await request(`http://${receiver.address}${target}`, { method: 'POST', body });
    return { status: statusCode, text: await answer.text() };
  };
  return { clock, post, received, refused, sentAt };
}

const callback = (signature: string, timestamp: string | number = seconds): string =>
  JSON.stringify({ data: wireRecordOf(), verify: { timestamp, signature } });

describe('a callback', () => {
  it.each(methods)('accepts a signature with %s only if that method is set', async (method) => {
    const { post, received } = await start({ protection: { signature: method } });
    for (const other of methods.filter((name) => name !== method)) {
      expect((await post(callback(signers[other](seconds)))).status).toBe(401);
    }
    expect(received).toEqual([]);
    expect((await post(callback(signers[method](seconds)))).status).toBe(200);
    expect(received).toHaveLength(1);
  });

  it.each(['hmac', 'sha256'] as const)('accepts a signature with %s in capitals', async (method) => {
    const { post } = await start({ protection: { signature: method } });
    expect((await post(callback(signers[method](seconds).toUpperCase()))).status).toBe(200);
  });

  it.each(['hmac-base64', 'sha256-base64'] as const)('accepts a signature with %s in base64url', async (method) => {
    const { post } = await start({ protection: { signature: method } });
    const signature = signers[method](seconds).replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
    expect((await post(callback(signature))).status).toBe(200);
  });

  it('refuses a signature with another method and names the setting to the user only', async () => {
    const { post, refused } = await start({ protection: { signature: 'hmac' } });
    const answers = await Promise.all(
      [signers.sha256(seconds), 'a'.repeat(64)].map((signature) => post(callback(signature))),
    );
    expect(answers.map(({ text }) => text)).toEqual(Array(2).fill('The signature does not match.\n'));
    expect(refused).toEqual(
      expect.arrayContaining([
        'The signature does not match. The service uses another signature: set webhook.signature to sha256 in config.json.',
        expect.stringMatching(
          /^The signature does not match\. Check webhook\.signature in config\.json, and that the API key/,
        ),
      ]),
    );
  });

  it.each([
    ['seconds', seconds],
    ['seconds with a fraction', `${seconds}.250`],
    ['milliseconds', String(someThursday)],
    ['a date with Z', '2026-11-19T09:00:00Z'],
    ['a date with parts of a second', '2026-11-19T09:00:00.000Z'],
    ['a date with an offset', '2026-11-19T17:00:00+08:00'],
    ['a date with a short offset', '2026-11-19 17:00:00 +0800'],
    ['a date on the service clock', '2026-11-19 19:00:00'],
  ])('verifies the timestamp as written: %s', async (_form, timestamp) => {
    const { clock, post, sentAt } = await start({
      protection: { signature: 'hmac' },
      serviceClock: () => ({ offsetMinutes: 600, source: 'configured' }),
    });
    expect(someThursday).toBe(Date.parse('2026-11-19T09:00:00Z'));
    expect((await post(callback(signers.hmac(timestamp), timestamp))).status).toBe(200);
    expect(Math.abs((sentAt[0] ?? 0) - someThursday)).toBeLessThan(1_000);
    await clock.advance(11 * minute);
    const late = await post(callback(signers.hmac(timestamp), timestamp));
    expect(late).toMatchObject({ status: 401, text: expect.stringContaining('old') });
  });

  it.each(['soon', '2026-13-40 09:00:00', '2026-11-19', '12', ''])('refuses the timestamp "%s"', async (timestamp) => {
    const { post } = await start({ protection: { signature: 'hmac' } });
    expect((await post(callback(signers.hmac(timestamp), timestamp))).status).toBe(401);
  });
});

describe('with a secret path', () => {
  it.each(['none', ...methods] as const)('and %s, answers 404 on any other path', async (signature) => {
    const { post, received, refused } = await start({ protection: { signature, path } });
    const body = callback(signature === 'none' ? '' : signers[signature](seconds));
    for (const target of [
      '/',
      `/${path}x`,
      `/${path.slice(0, -1)}`,
      `/x/${path}`,
      `/${path.toUpperCase()}`,
      `/?${path}`,
    ]) {
      expect(await post(body, target)).toEqual({ status: 404, text: 'Not found.\n' });
    }
    expect(received).toEqual([]);
    expect(refused).toEqual([]);
    expect((await post(body, `/${path}?try=1`)).status).toBe(200);
    expect(received).toHaveLength(1);
  });

  it('answers a request for another path before its body arrives', async () => {
    const { post } = await start({ protection: { signature: 'none', path }, limits: { bodyBytes: 10 } });
    expect((await post('x'.repeat(100), '/')).status).toBe(404);
    expect((await post('x'.repeat(100), `/${path}/`)).status).toBe(413);
  });
});

describe('without a signature', () => {
  const unsigned = (verify?: unknown) =>
    JSON.stringify({ data: wireRecordOf(), ...(verify === undefined ? {} : { verify }) });

  it.each([
    ['no proof', undefined],
    ['an empty one', {}],
    ['a time that cannot be read', { timestamp: 'soon' }],
    ['a signature in a way that is not known', { timestamp: seconds, signature: 'x' }],
  ])('accepts a callback with %s', async (_what, verify) => {
    const { post, received } = await start({ protection: { signature: 'none', path } });
    expect((await post(unsigned(verify), `/${path}`)).status).toBe(200);
    expect(received).toHaveLength(1);
  });

  it('refuses a callback whose timestamp is long ago', async () => {
    const { post } = await start({ protection: { signature: 'none', path } });
    const timestamp = String(someThursday - 6 * minute);
    expect((await post(unsigned({ timestamp }), `/${path}`)).status).toBe(401);
  });
});

it('acknowledges an update that was stored before, so that the service does not repeat it', async () => {
  const { post, received } = await start({ protection: { signature: 'hmac' } });
  const body = callback(signers.hmac(seconds));
  expect((await post(body)).status).toBe(200);
  expect(await post(body)).toEqual({ status: 200, text: 'Received before.\n' });
  expect(received).toHaveLength(1);
});

it('stores simultaneous duplicates once and answers both alike', async () => {
  const stored = Promise.withResolvers<'stored'>();
  let calls = 0;
  const monitor = {
    receive: () => {
      calls += 1;
      return stored.promise;
    },
  };
  const { post } = await start({ protection: { signature: 'hmac' }, monitor });
  const body = callback(signers.hmac(seconds));
  const answers = [post(body), post(body)];
  await expect.poll(() => calls).toBe(1);
  stored.reject(new TypeError('a fault'));
  // The service must send both again.
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503]);
});
