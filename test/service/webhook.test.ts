import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { minuteMs as minute } from '../../src/lib/clock.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { createReplayGuard, readWebhook, type WebhookCheck } from '../../src/service/webhook.ts';
import { someThursday } from '../support/fake-clock.ts';
import { forAll } from '../support/for-all.ts';
import { callbackBody, signatureOf, wireRecordOf } from '../support/webhook-callback.ts';

const apiKey = 'key-for-tests';
const seconds = String(someThursday / 1000);

const hmac = (text: string) => createHmac('sha256', apiKey).update(text).digest();
const hash = (text: string) =>
  createHash('sha256')
    .update(apiKey + text)
    .digest();

/** Signatures calculated independently of the program. */
const signatures = {
  hmac: hmac(seconds).toString('hex'),
  sha256: hash(seconds).toString('hex'),
  'hmac-base64': hmac(seconds).toString('base64'),
  'sha256-base64': hash(seconds).toString('base64'),
} as const;
const methods = Object.keys(signatures) as (keyof typeof signatures)[];

const read = (body: string, check: Partial<WebhookCheck> = {}) =>
  readWebhook(body, {
    apiKey,
    signature: 'hmac',
    serviceClock: assumedServiceClock,
    now: someThursday,
    maxAgeMs: 5 * minute,
    ...check,
  });

/** Reads a callback from a fixture, signed as of now. */
const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../fixtures', name), 'utf8')
    .replace('TIMESTAMP', seconds)
    .replace('SIGNATURE', signatureOf(apiKey, seconds));

const withSignature = (signature: string): string =>
  JSON.stringify({ data: wireRecordOf(), verify: { timestamp: seconds, signature } });

const body = (fields: Partial<Parameters<typeof callbackBody>[0]> = {}): string =>
  callbackBody({ apiKey, timestamp: seconds, data: wireRecordOf(), ...fields });

describe('a callback', () => {
  it('is parsed with its record and its time', () => {
    expect(read(body())).toMatchObject({
      ok: true,
      timestamp: someThursday,
      record: { trackNo: 'LX123456789CN', courierCode: 'yanwen', transitStatus: 'IN_TRANSIT' },
    });
  });

  it('keeps every digit of an id beyond 2^53', () => {
    expect(read(fixture('webhook-id-beyond-2-to-the-53.json'))).toMatchObject({
      ok: true,
      record: { id: '229255084490768384', received: { id: '229255084490768384' } },
    });
  });

  it('can contain the record without "data", in which case the record excludes the signature', () => {
    const result = read(fixture('webhook-record-without-data.json'));
    expect(result).toMatchObject({
      ok: true,
      record: { trackNo: 'LX123456789CN', transitSubStatus: 'IN_TRANSIT_02' },
    });
    expect(JSON.stringify(result.ok ? result.record : null)).not.toContain('verify');
  });

  it.each<string | number>([
    seconds,
    Number(seconds),
    String(someThursday),
    someThursday,
    `${seconds}.250`,
    '2026-11-19T09:00:00Z',
    '2026-11-19T09:00:00.000Z',
    '2026-11-19T17:00:00+08:00',
    '2026-11-19 17:00:00 +0800',
    '2026-11-19 19:00:00',
  ])('can have the timestamp %j, which is signed as written', (timestamp) => {
    const check = { serviceClock: { offsetMinutes: 600, source: 'configured' } } as const;
    const result = read(body({ timestamp }), check);
    expect(Math.abs((result.ok ? (result.timestamp ?? 0) : 0) - someThursday)).toBeLessThan(1_000);
    expect(read(body({ timestamp }), { ...check, now: someThursday + 11 * minute })).toMatchObject({
      status: 401,
      reason: expect.stringContaining('old'),
    });
  });

  it.each([`${seconds}.0`, `${seconds}.50`, `${Number(seconds) / 1000}e3`])(
    'can have the number %s as its timestamp, which is signed as written',
    (written) => {
      const data = JSON.stringify({ ...wireRecordOf(), timestamp: 7 });
      const signature = signatureOf(apiKey, written);
      const text = `{"data": ${data}, "verify": {"timestamp" : ${written}, "signature": "${signature}"}}`;
      const result = read(text);
      expect(result).toMatchObject({ ok: true, record: { received: { timestamp: 7 } } });
      expect(result.ok && Math.abs((result.timestamp ?? 0) - someThursday)).toBeLessThan(1000);
    },
  );

  it.each(methods)('can be signed with %s only if that method is set', (signature) => {
    expect(methods.filter((method) => read(withSignature(signatures[method]), { signature }).ok)).toEqual([signature]);
  });

  it.each([
    ...(['hmac', 'sha256'] as const).map((method) => [method, signatures[method].toUpperCase()] as const),
    ...(['hmac-base64', 'sha256-base64'] as const).map(
      (method) => [method, signatures[method].replaceAll('+', '-').replaceAll('/', '_').replace('=', '')] as const,
    ),
  ])('can have its %s signature in upper case or URL-safe Base64: %s', (signature, written) => {
    expect(read(withSignature(written), { signature }).ok).toBe(true);
  });

  it.each([
    ['no signature', undefined],
    ['an empty signature', {}],
    ['a time that cannot be read', { timestamp: 'soon' }],
    ['an unknown kind of signature', { timestamp: seconds, signature: 'x' }],
  ])('is accepted with %s if no signature is required', (_what, verify) => {
    expect(read(JSON.stringify({ data: wireRecordOf(), verify }), { signature: 'none' }).ok).toBe(true);
  });
});

describe('readWebhook', () => {
  it.each([
    ['that is not JSON', 'hello', 400],
    ['that is empty', '', 400],
    ['that is an array', '[]', 400],
    ['that is a JSON string', '"data"', 400],
    ['that is nested too deeply for the parser', `{"a":${'['.repeat(200_000)}1234567890123456789`, 400],
    ['without "verify"', JSON.stringify({ data: wireRecordOf() }), 401],
    ['with an empty "verify"', JSON.stringify({ data: wireRecordOf(), verify: {} }), 401],
    ['with an array as "verify"', JSON.stringify({ data: wireRecordOf(), verify: [] }), 401],
    ['without a record', body({ data: {} }), 400],
    ['with an array as its record', body({ data: [wireRecordOf()] }), 400],
    ['that is signed with a different key', body({ apiKey: 'another' }), 401],
    ['with a date as its timestamp', body({ timestamp: '2026-11-19' }), 401],
    ['with an empty timestamp', body({ timestamp: '' }), 401],
    ['with a word as its timestamp', body({ timestamp: 'soon' }), 401],
    ['with an impossible date as its timestamp', body({ timestamp: '2026-13-40 09:00:00' }), 401],
    ['with a small number as its timestamp', body({ timestamp: '12' }), 401],
  ])('refuses a body %s', (_name, text, status) => expect(read(text)).toMatchObject({ ok: false, status }));

  it('refuses an old callback without a signature, even if none is required', () => {
    const text = JSON.stringify({ data: wireRecordOf(), verify: { timestamp: String(someThursday - 6 * minute) } });
    expect(read(text, { signature: 'none' })).toMatchObject({ ok: false, status: 401 });
  });

  it('refuses a signature by a different method, and tells only the user which one', () => {
    const reason = 'The signature does not match.';
    expect(read(withSignature(signatures.sha256))).toMatchObject({
      reason,
      advice: 'The service signs its callbacks differently: set webhook.signature to sha256 in config.json.',
    });
    expect(read(withSignature('a'.repeat(64)))).toMatchObject({
      reason,
      advice: expect.stringMatching(/^Check webhook\.signature in config\.json, and that the API key/),
    });
  });

  it('refuses a timestamp that is not the signed one', () => {
    const verify = { timestamp: String(someThursday / 1000 + 1), signature: signatureOf(apiKey, seconds) };
    expect(read(JSON.stringify({ data: wireRecordOf(), verify }))).toMatchObject({ ok: false, status: 401 });
  });

  it('refuses an old callback, and names its age, the limit and the setting', () => {
    for (const maxAge of [1, 5, 60, 7 * 24 * 60]) {
      const maxAgeMs = maxAge * minute;
      expect(read(body(), { maxAgeMs, now: someThursday + maxAgeMs }).ok).toBe(true);
      const refused = read(body(), { maxAgeMs, now: someThursday + maxAgeMs + 1 });
      expect(refused).toMatchObject({ ok: false, status: 401 });
    }
    expect(read(body(), { now: someThursday + 42 * minute })).toMatchObject({
      reason: 'The callback is over 42 minutes old; the limit is 5 minutes.',
      advice: expect.stringMatching(/this machine's clock.* raise webhook\.maxAgeMinutes/),
    });
  });

  it('refuses a callback from more than five minutes ahead, regardless of the allowed age', () => {
    for (const maxAgeMs of [minute, 5 * minute, 7 * 24 * 60 * minute]) {
      expect(read(body(), { maxAgeMs, now: someThursday - 5 * minute }).ok).toBe(true);
      expect(read(body(), { maxAgeMs, now: someThursday - 5 * minute - 1 })).toMatchObject({
        ok: false,
        status: 401,
        reason: "The callback is dated over 5 minutes ahead of this machine's clock; the limit is 5 minutes.",
        advice: expect.stringMatching(/^Check this machine's clock/),
      });
    }
  });

  it('refuses any wrong signature', () => {
    const correct = signatureOf(apiKey, seconds);
    const signatures = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.nat(63), fc.constantFrom(...'0123456789abcdef'))
        .map(([at, digit]) => correct.slice(0, at) + digit + correct.slice(at + 1)),
      fc.nat(63).map((length) => correct.slice(0, length)),
      fc.string({ minLength: 1 }).map((tail) => correct + tail),
      fc.constant(Buffer.from(correct, 'hex').toString('base64')),
    );
    forAll(signatures, (signature) => {
      fc.pre(signature !== correct);
      const text = JSON.stringify({ data: wireRecordOf(), verify: { timestamp: seconds, signature } });
      expect(read(text)).toMatchObject({ ok: false, status: 401 });
    });
  });

  it('gives a reason that contains neither the key nor a signature', () => {
    const refused = [body({ apiKey: 'another' }), body({ timestamp: '123456789' }), body({ data: {} })].map((text) =>
      read(text),
    );
    expect(refused.every(({ ok }) => !ok)).toBe(true);
    expect(JSON.stringify(refused)).not.toContain(apiKey);
    expect(JSON.stringify(refused)).not.toContain(signatureOf(apiKey, seconds));
  });
});

test('the fingerprint recognises a repeated callback, but not a different parcel pushed in the same second', () => {
  const fingerprint = (text: string, now = someThursday) => {
    const result = read(text, { now });
    return result.ok ? result.fingerprint : null;
  };
  const first = fingerprint(body());
  expect(first).not.toBeNull();
  const signature = signatureOf(apiKey, seconds);
  const disguised = ` ${body().replace(signature, signature.toUpperCase()).replace(':', ' : ')} `;
  expect(fingerprint(disguised, someThursday + minute)).toBe(first);
  expect(fingerprint(body({ data: wireRecordOf({ trackNo: 'RB1CN' }) }))).not.toBe(first);
});

describe('any callback', () => {
  it('is accepted if it is signed and its record is valid', () =>
    forAll(fc.jsonValue(), (data) => {
      const result = read(body({ data }));
      if (!result.ok) expect(result.status).toBe(400);
    }));

  it('may contain unknown fields next to the number', () =>
    forAll(fc.dictionary(fc.string(), fc.jsonValue()), fc.stringMatching(/^[A-Z]{2}\d{9}$/), (fields, trackNo) => {
      expect(read(body({ data: { ...fields, trackNo } }))).toMatchObject({ ok: true, record: { trackNo } });
    }));
});

describe('the replay guard', () => {
  it('remembers callbacks', () => {
    const guard = createReplayGuard(5 * minute);
    expect(guard.has('a')).toBe(false);
    guard.add('a', 0);
    expect(guard.has('a')).toBe(true);
  });

  it('forgets a callback once its timestamp is too old to be accepted, at most ten minutes later', () => {
    const guard = createReplayGuard(5 * minute);
    guard.add('a', 0);
    guard.add('b', 10 * minute);
    expect(guard.has('a')).toBe(true);
    guard.add('c', 10 * minute + 1);
    expect(['a', 'b', 'c'].map((name) => guard.has(name))).toEqual([false, true, true]);
  });

  it('remembers a callback for as long as one of its age is accepted', () => {
    const guard = createReplayGuard(60 * 60 * minute);
    guard.add('a', 0);
    guard.add('b', (60 * 60 + 5) * minute);
    expect(guard.has('a')).toBe(true);
    guard.add('c', (60 * 60 + 5) * minute + 1);
    expect(guard.has('a')).toBe(false);
  });

  it('is limited, and forgets the oldest first', () => {
    const guard = createReplayGuard(5 * minute, 3);
    for (const name of ['a', 'b', 'c', 'd']) guard.add(name, 0);
    expect(['a', 'b', 'c', 'd'].map((name) => guard.has(name))).toEqual([false, true, true, true]);
  });
});
