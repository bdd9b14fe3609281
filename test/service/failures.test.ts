import { describe, expect, test } from 'vitest';
import { type Envelope, toServiceError } from '../../src/service/failures.ts';
import { defaultOperations, type OperationName } from '../../src/service/port.ts';
import { describeFailure } from '../../src/settings/errors.ts';
import { countSentences } from '../support/sentences.ts';

const traceId = 'a'.repeat(32);

function failure(
  code: string | null,
  {
    httpStatus = 200,
    message = null as string | null,
    name = 'query' as OperationName,
    data = undefined as unknown,
  } = {},
) {
  const envelope: Envelope = { code, message, traceId, data: data as Envelope['data'] };
  return toServiceError({ operation: defaultOperations[name], httpStatus, envelope, retryAfterMs: null });
}

const meanings = [
  ['A0001', 'request-refused', /rejected the request/],
  ['A0200', 'key-refused', /could not log in.*Copy the key/],
  ['A0201', 'key-refused', /does not exist.*belong together/],
  ['A0202', 'key-refused', /locked.*provider to unlock/],
  ['A0203', 'key-refused', /not valid.*subscription/],
  ['A0230', 'key-refused', /wrong or has expired.*PARCEL_MONITOR_API_KEY/],
  ['A0231', 'key-refused', /blocked.*different one/],
  ['A0300', 'key-refused', /permission for this request.*plan.*allowlist/],
  ['A0301', 'key-refused', /not authorise.*service\.header.*allowlist/],
  ['A0400', 'request-refused', /rejected a parameter.*courier code/],
  ['A0410', 'request-refused', /requires another parameter.*parcel-monitor edit/],
  ['A0706', 'rate-limited', /too many requests.*slows down/],
  ['B0210', 'rate-limited', /too many requests.*slows down/],
  ['B0001', 'service-trouble', /internal error.*last known data is kept/],
  ['B0100', 'service-trouble', /timed out.*last known data is kept/],
  ['B0300', 'service-trouble', /problem with its resources.*last known data is kept/],
  ['B0310', 'service-trouble', /ran out of resources.*last known data is kept/],
  ['C0113', 'operation-missing', /does not support.*service\.operations\.query\.path/],
  ['D0000', 'service-trouble', /reported a failure.*message/],
  ['101107', 'quota-exhausted', /credit is used up.*portal/],
  ['A0299', 'key-refused', /refused access/],
  ['A0499', 'request-refused', /did not accept the request/],
  ['B0999', 'service-trouble', /has a problem/],
  ['Z9', 'service-trouble', /unknown code/],
] as const;

describe("the service's codes", () => {
  test.each(meanings)('have a kind and advice: %s is %s', (code, kind, message) => {
    const error = failure(code, { message: 'its own wording' });
    expect(error).toMatchObject({ kind, code, traceId });
    expect(error.message).toMatch(message);
    expect(error.message).toContain(`(${code}): "its own wording"`);
    expect(error.message).toMatch(/\.$/);
  });

  test.each(['query', 'register', 'changeCourier'] as const)('are explained in at most two sentences (%s)', (name) => {
    for (const code of [...meanings.map(([known]) => known), null]) {
      for (const message of ['its own wording', 'params format error', 'ip not allowed', null]) {
        const error = failure(code, { message, name, httpStatus: code === null ? 200 : 400 });
        expect(countSentences(error.message)).toBeLessThanOrEqual(2);
        expect(countSentences(describeFailure(error).message)).toBeLessThanOrEqual(2);
      }
    }
  });

  test('keep their advice after endless wording, which is truncated', () => {
    for (const data of [undefined, 'x'.repeat(5000)]) {
      const code = data === undefined ? 'A0230' : 'D0000';
      const { message } = failure(code, { message: `no such key ${'😀'.repeat(2000)}`, data });
      expect(message).toContain(': "no such key 😀😀');
      expect(message).toMatch(/😀…"[;.] [^😀]+\.$/u);
      expect(message.length).toBeLessThan(1000);
      expect(message.isWellFormed()).toBe(true);
    }
  });

  test('have different sentences if their advice differs', () => {
    const codes = ['A0202', 'A0230', 'A0231', 'A0301', 'A0400', 'A0706', 'B0001', 'C0113', '101107'];
    const sentences = codes.map((code) => failure(code).message.replace(code, ''));
    expect(new Set(sentences).size).toBe(codes.length);
  });

  test('are told apart by their wording if the cause is the IP allowlist, not the key', () => {
    for (const message of ['IP not in whitelist', 'ip 192.0.2.1 is not on the allow-list']) {
      expect(failure('A0300', { message }).message).toMatch(/address to the account's IP allowlist/);
    }
    expect(failure('A0230', { message: 'tip: token expired' }).message).toMatch(/wrong or has expired/);
  });

  test("include the detail from D0000's data", () => {
    expect(failure('D0000', { message: 'other', data: 'maintenance\u001b[2J until noon' }).message).toContain(
      ': "other: maintenance until noon"; ',
    );
  });
});

describe('a response without a known code', () => {
  test.each([
    [400, 'request-refused', /did not accept the request/],
    [401, 'key-refused', /did not accept the API key.*service\.header/],
    [402, 'quota-exhausted', /credit/],
    [403, 'key-refused', /refused the request.*allowlist.*service\.operations\.query\.path/],
    [404, 'operation-missing', /does not support "Query trackings v2\.1" at \/tk\/v2\.1\/track\/query/],
    [405, 'operation-missing', /does not support/],
    [408, 'service-trouble', /did not wait/],
    [429, 'rate-limited', /too many requests/],
    [500, 'service-trouble', /has a problem/],
    [503, 'service-trouble', /has a problem/],
  ])('is classified by its HTTP status: %d is %s', (httpStatus, kind, message) => {
    const error = failure(null, { httpStatus });
    expect(error).toMatchObject({ kind, httpStatus, code: null });
    expect(error.message).toMatch(message);
  });

  test.each(['A0501', 'A0400', 'A0230', 'B0001', '101107', 'odd'])(
    'is a rate limit if its status is 429, even with the code %s',
    (code) => {
      expect(failure(code, { httpStatus: 429 })).toMatchObject({
        kind: 'rate-limited',
        code,
      });
    },
  );

  test.each(['A0500', 'A0501', 'A0599'])('is a rate limit if its code is %s, with any status', (code) => {
    for (const httpStatus of [200, 400, 503]) expect(failure(code, { httpStatus }).kind).toBe('rate-limited');
  });

  test('is not attributed to the service if it has a message but no code', () => {
    const error = failure(null, { message: 'hm' });
    expect(error).toMatchObject({ kind: 'bad-answer' });
    expect(error.message).toMatch(/no code: "hm"; the last known data is kept\. Check /);
  });
});

describe('the error for a missing operation', () => {
  test.each<[OperationName, RegExp]>([
    ['register', /service\.operations\.register\.path or service\.registerVersion/],
    ['registerV21', /service\.operations\.registerV21\.path or service\.registerVersion/],
    ['queryV2', /service\.operations\.queryV2\.path or service\.queryVersion/],
    ['changeCourier', /service\.operations\.changeCourier\.path in/],
  ])('names the settings for %s', (name, settings) => {
    const { message } = failure('C0113', { name });
    expect(message).toMatch(settings);
    expect(message).toContain('--profile');
    expect(message).toContain(defaultOperations[name].title);
  });

  test('can rely on the name of every operation', () => {
    for (const [name, operation] of Object.entries(defaultOperations)) expect(operation.name).toBe(name);
  });
});
