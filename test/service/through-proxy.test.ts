import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ServiceProxy } from '../../src/service/address.ts';
import {
  createTrackingService,
  type HttpTrackingService,
  type TrackingServiceOptions,
} from '../../src/service/client.ts';
import { ServiceError } from '../../src/service/errors.ts';
import { type ConnectProxy, type ProxyBehaviour, startConnectProxy } from '../support/connect-proxy.ts';
import { realClock } from '../support/real-clock.ts';
import { json, type Script, type ScriptedServer, selfSigned, startScriptedServer } from '../support/scripted-server.ts';

const apiKey = 'key-that-must-never-be-seen';
const password = 'pass:word';
const key = { trackNo: 'LX123456789CN', courierCode: 'yanwen' };
const answered = {
  code: '00000',
  msg: 'Success',
  traceId: 'd'.repeat(32),
  data: { accepted: { content: [{ trackNo: key.trackNo }] }, rejected: [] },
};

const before = getCACertificates();
beforeAll(() => setDefaultCACertificates([...before, selfSigned().cert]));
afterAll(() => setDefaultCACertificates(before));

interface Line {
  readonly service: HttpTrackingService;
  readonly server: ScriptedServer;
  readonly proxy: ConnectProxy;
}

interface LineOptions extends Partial<Omit<TrackingServiceOptions, 'proxy'>> {
  readonly host?: string;
  /** The proxy in the variable. Defaults to its own address. */
  readonly written?: (url: URL) => void;
  readonly proxyOptions?: Parameters<typeof startConnectProxy>[1];
  readonly behaviour?: ProxyBehaviour;
  readonly script?: Script;
}

/** A service over TLS with the name service.test, which only the proxy knows, and a client that uses the proxy. */
async function line({ host, written, proxyOptions, behaviour, script, ...options }: LineOptions = {}): Promise<Line> {
  const server = await startScriptedServer(script ?? json(answered), selfSigned());
  const proxy = await startConnectProxy(
    behaviour ?? { kind: 'tunnel', port: Number(server.baseUrl.port) },
    proxyOptions,
  );
  const url = new URL(proxy.url);
  written?.(url);
  const setBy: ServiceProxy = { url, setBy: 'HTTPS_PROXY' };
  const service = createTrackingService({
    baseUrl: new URL(`https://${host ?? 'service.test'}/gateway`),
    apiKey,
    header: 'Service-Api-Secret',
    clock: realClock,
    timeoutMs: 3000,
    proxy: setBy,
    ...options,
  });
  onTestFinished(async () => {
    await service.close();
    await proxy.close();
    await server.close();
  });
  return { service, server, proxy };
}

async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error(`expected a ServiceError, got ${String(error)}`);
  const reported = `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`;
  for (const secret of [apiKey, password, encodeURIComponent(password), 'somebody'])
    expect(reported).not.toContain(secret);
  expect(error.message).toMatch(/\.$/);
  return error;
}

describe('through a proxy', () => {
  test('calls use a tunnel, and the proxy sees no key or content', async () => {
    const { service, server, proxy } = await line();
    for (const _call of [1, 2, 3]) expect((await service.query([key])).records).toHaveLength(1);
    expect(new Set(proxy.targets)).toEqual(new Set(['service.test:443']));
    expect(proxy.targets.length).toBeLessThan(3);
    expect(server.seen).toHaveLength(3);
    expect(server.seen[0]?.headers).toMatchObject({ host: 'service.test', 'service-api-secret': apiKey });
    expect(proxy.seen()).toContain('CONNECT service.test:443');
    for (const secret of [apiKey, 'Service-Api-Secret', key.trackNo, '/gateway']) {
      expect(proxy.seen()).not.toContain(secret);
    }
  });

  test('uses the port of the proxy', async () => {
    const { service, proxy } = await line({ host: 'service.test:8443' });
    await service.query([key]);
    expect(proxy.targets).toContain('service.test:8443');
  });

  test('a proxy that speaks TLS itself is used', async () => {
    const { service, proxy } = await line({ proxyOptions: { tls: selfSigned() } });
    expect((await service.query([key])).records).toHaveLength(1);
    expect(proxy.seen()).not.toContain(apiKey);
  });

  test('user name and password go only to the proxy', async () => {
    const { service, server } = await line({
      proxyOptions: { credentials: `somebody:${password}` },
      written: (url) => {
        url.username = 'somebody';
        url.password = encodeURIComponent(password);
      },
    });
    expect((await service.query([key])).records).toHaveLength(1);
    expect(server.seen[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  test('plain http to this machine bypasses it', async () => {
    const server = await startScriptedServer(json(answered));
    onTestFinished(() => server.close());
    const { service, proxy } = await line({ baseUrl: server.baseUrl });
    expect((await service.query([key])).records).toHaveLength(1);
    expect(server.seen).toHaveLength(1);
    expect(proxy.seen()).toBe('');
  });

  test('interim answers are passed over', async () => {
    const { service } = await line({
      script: (request, response) => {
        response.writeContinue();
        response.writeEarlyHints({ link: '</x>; rel=preload' });
        json(answered)(request, response);
      },
    });
    expect((await service.query([key])).records).toHaveLength(1);
  });
});

describe('limits apply through a proxy:', () => {
  test('the size', async () => {
    const { service } = await line({ maxResponseBytes: 1000, script: json({ ...answered, filler: 'x'.repeat(2000) }) });
    expect(await refusal(service.query([key]))).toMatchObject({ kind: 'answer-too-large' });
  });

  test('the time of an answer', async () => {
    const { service } = await line({ timeoutMs: 300, script: () => undefined });
    const error = await refusal(service.query([key]));
    expect(error).toMatchObject({ kind: 'timeout' });
    expect(error.message).toContain('through the proxy 127.0.0.1:');
  });

  test('the time of a silent proxy, and the next call works again', async () => {
    const { service, server, proxy } = await line({ timeoutMs: 700, behaviour: { kind: 'silence' } });
    const error = await refusal(service.query([key]));
    expect(error).toMatchObject({ kind: 'timeout' });
    expect(error.message).toContain('(HTTPS_PROXY)');
    proxy.behave({ kind: 'tunnel', port: Number(server.baseUrl.port) });
    await expect
      .poll(
        () =>
          service.query([key]).then(
            ({ records }) => records.length,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(1);
  });

  test('an abort', async () => {
    const { service, proxy } = await line({ timeoutMs: 60_000, behaviour: { kind: 'silence' } });
    const stop = new AbortController();
    const call = refusal(service.query([key], stop.signal));
    await expect.poll(() => proxy.targets.length).toBe(1);
    stop.abort();
    expect(await call).toMatchObject({ kind: 'cancelled' });
  });

  test.each<[string, ProxyBehaviour | undefined]>([
    ['a call', undefined],
    ['a tunnel that is being opened', { kind: 'silence' }],
  ])('the end of the program during %s', async (_name, behaviour) => {
    const { service, server, proxy } = await line({
      timeoutMs: 60_000,
      script: () => undefined,
      ...(behaviour === undefined ? {} : { behaviour }),
    });
    const call = refusal(service.query([key]));
    await expect.poll(() => (behaviour === undefined ? server.seen.length : proxy.targets.length)).toBe(1);
    await service.close();
    expect(await call).toMatchObject({ kind: 'cancelled' });
    await expect.poll(() => proxy.tunnels()).toBe(0);
  });
});

describe('failures name the right one:', () => {
  test("nothing listens at the proxy's address", async () => {
    const { service, proxy } = await line();
    await proxy.close();
    const error = await refusal(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
    expect(error.message).toMatch(
      /^The proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\) cannot be reached: nothing is listening there \(ECONNREFUSED\), so nothing was sent; the last known data is kept\. Check HTTPS_PROXY, or add service\.test to NO_PROXY\./,
    );
  });

  test('it requires a password, and none is set', async () => {
    const { service } = await line({ proxyOptions: { credentials: 'a:b' } });
    const error = await refusal(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toMatch(
      /requires a user name and password \(HTTP 407\); the last known data is kept\. Set HTTPS_PROXY as http:\/\/user:/,
    );
  });

  test('it refuses the password', async () => {
    const { service } = await line({
      proxyOptions: { credentials: 'a:b' },
      written: (url) => {
        url.username = 'somebody';
        url.password = encodeURIComponent(password);
      },
    });
    expect((await refusal(service.query([key]))).message).toMatch(/rejected the user name or password .*HTTP 407/);
  });

  test.each([403, 502, 204])('it answers %i', async (status) => {
    const { service } = await line({ behaviour: { kind: 'refuse', status } });
    const error = await refusal(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toContain(`did not connect to service.test (HTTP ${status})`);
  });

  test('it hangs up', async () => {
    const { service } = await line({ behaviour: { kind: 'reset' } });
    const error = await refusal(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toMatch(/^The proxy .* cannot be reached/);
  });

  test('its certificate is invalid', async () => {
    const { service, proxy } = await line({
      proxyOptions: { tls: selfSigned() },
      written: (url) => {
        url.hostname = '0.0.0.0';
      },
    });
    const error = await refusal(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(error.message).toMatch(/^The certificate of the proxy 0\.0\.0\.0:\d+ .* is not valid/);
    expect(proxy.targets).toEqual([]);
  });

  test("the service's certificate is invalid", async () => {
    const { service, server } = await line({ host: 'other.test' });
    const error = await refusal(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(error.message).toMatch(/^The certificate of other\.test is not valid/);
    expect(server.seen).toEqual([]);
  });

  test('the service refuses, through a proxy that works', async () => {
    const { service } = await line({ script: json({ code: 'A0230', msg: 'token is invalid' }, 401) });
    expect(await refusal(service.query([key]))).toMatchObject({ kind: 'key-refused' });
  });

  test('a redirect is refused as without a proxy', async () => {
    const { service, proxy } = await line({ script: json({}, 307, { location: 'https://elsewhere.test/' }) });
    expect(await refusal(service.query([key]))).toMatchObject({ kind: 'redirect-refused' });
    expect(proxy.targets).toEqual(['service.test:443']);
  });
});
