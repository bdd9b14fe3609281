import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createTrackingService,
  type HttpTrackingService,
  type TrackingServiceOptions,
} from '../../src/service/client.ts';
import type { ServiceProxy } from '../../src/service/connection.ts';
import { ServiceError } from '../../src/service/port.ts';
import { type ConnectProxy, type ProxyBehaviour, startConnectProxy } from '../support/connect-proxy.ts';
import { realClock } from '../support/real-clock.ts';
import { json, type Script, type ScriptedServer, selfSigned, startScriptedServer } from '../support/scripted-server.ts';

const apiKey = 'key-that-must-never-be-seen';
const password = 'pass:word';
const key = { trackNo: 'LX123456789CN', courierCode: 'yanwen' };
const responseBody = {
  code: '00000',
  msg: 'Success',
  traceId: 'd'.repeat(32),
  data: { accepted: { content: [{ trackNo: key.trackNo }] }, rejected: [] },
};

const before = getCACertificates();
beforeAll(() => setDefaultCACertificates([...before, selfSigned().cert]));
afterAll(() => setDefaultCACertificates(before));

interface Proxied {
  readonly service: HttpTrackingService;
  readonly server: ScriptedServer;
  readonly proxy: ConnectProxy;
}

interface ProxiedOptions extends Partial<Omit<TrackingServiceOptions, 'proxy'>> {
  readonly host?: string;
  /** Changes the proxy's URL in the variable. */
  readonly changeUrl?: (url: URL) => void;
  readonly proxyOptions?: Parameters<typeof startConnectProxy>[1];
  readonly behaviour?: ProxyBehaviour;
  readonly script?: Script;
}

/** Starts a TLS service called service.test, which only the proxy knows, and a client that uses the proxy. */
async function startProxied({
  host,
  changeUrl,
  proxyOptions,
  behaviour,
  script,
  ...options
}: ProxiedOptions = {}): Promise<Proxied> {
  const server = await startScriptedServer(script ?? json(responseBody), selfSigned());
  const proxy = await startConnectProxy(
    behaviour ?? { kind: 'tunnel', port: Number(server.baseUrl.port) },
    proxyOptions,
  );
  const url = new URL(proxy.url);
  changeUrl?.(url);
  const serviceProxy: ServiceProxy = { url, setBy: 'HTTPS_PROXY' };
  const service = createTrackingService({
    baseUrl: new URL(`https://${host ?? 'service.test'}/gateway`),
    apiKey,
    header: 'Service-Api-Secret',
    clock: realClock,
    timeoutMs: 3000,
    proxy: serviceProxy,
    ...options,
  });
  onTestFinished(async () => {
    await service.close();
    await proxy.close();
    await server.close();
  });
  return { service, server, proxy };
}

async function failure(call: Promise<unknown>): Promise<ServiceError> {
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

describe('a client with a proxy', () => {
  test('calls through a tunnel, so that the proxy sees neither the key nor the content', async () => {
    const { service, server, proxy } = await startProxied();
    for (const _call of [1, 2, 3]) expect((await service.query([key])).records).toHaveLength(1);
    expect(new Set(proxy.targets)).toEqual(new Set(['service.test:443']));
    expect(proxy.targets.length).toBeLessThan(3);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]?.headers).toMatchObject({ host: 'service.test', 'service-api-secret': apiKey });
    expect(proxy.cleartext()).toContain('CONNECT service.test:443');
    for (const secret of [apiKey, 'Service-Api-Secret', key.trackNo, '/gateway']) {
      expect(proxy.cleartext()).not.toContain(secret);
    }
  });

  test("passes the service's port to the proxy", async () => {
    const { service, proxy } = await startProxied({ host: 'service.test:8443' });
    await service.query([key]);
    expect(proxy.targets).toContain('service.test:8443');
  });

  test('can use a proxy that itself speaks TLS', async () => {
    const { service, proxy } = await startProxied({ proxyOptions: { tls: selfSigned() } });
    expect((await service.query([key])).records).toHaveLength(1);
    expect(proxy.cleartext()).not.toContain(apiKey);
  });

  test('sends the user name and password only to the proxy', async () => {
    const { service, server } = await startProxied({
      proxyOptions: { credentials: `somebody:${password}` },
      changeUrl: (url) => {
        url.username = 'somebody';
        url.password = encodeURIComponent(password);
      },
    });
    expect((await service.query([key])).records).toHaveLength(1);
    expect(server.requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  test('bypasses the proxy for plain HTTP to this machine', async () => {
    const server = await startScriptedServer(json(responseBody));
    onTestFinished(() => server.close());
    const { service, proxy } = await startProxied({ baseUrl: server.baseUrl });
    expect((await service.query([key])).records).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
    expect(proxy.cleartext()).toBe('');
  });

  test('skips interim responses', async () => {
    const { service } = await startProxied({
      script: (request, response) => {
        response.writeContinue();
        response.writeEarlyHints({ link: '</x>; rel=preload' });
        json(responseBody)(request, response);
      },
    });
    expect((await service.query([key])).records).toHaveLength(1);
  });
});

describe('a proxied call', () => {
  test('is ended by the size limit', async () => {
    const { service } = await startProxied({
      maxResponseBytes: 1000,
      script: json({ ...responseBody, filler: 'x'.repeat(2000) }),
    });
    expect(await failure(service.query([key]))).toMatchObject({ kind: 'answer-too-large' });
  });

  test('is ended by the time limit if there is no response', async () => {
    const { service } = await startProxied({ timeoutMs: 300, script: () => undefined });
    const error = await failure(service.query([key]));
    expect(error).toMatchObject({ kind: 'timeout' });
    expect(error.message).toContain('through the proxy 127.0.0.1:');
  });

  test('is ended by the time limit if the proxy is silent, and the next call works', async () => {
    const { service, server, proxy } = await startProxied({ timeoutMs: 700, behaviour: { kind: 'silence' } });
    const error = await failure(service.query([key]));
    expect(error).toMatchObject({ kind: 'timeout' });
    expect(error.message).toContain('(HTTPS_PROXY)');
    proxy.setBehaviour({ kind: 'tunnel', port: Number(server.baseUrl.port) });
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

  test('is ended when it is aborted', async () => {
    const { service, proxy } = await startProxied({ timeoutMs: 60_000, behaviour: { kind: 'silence' } });
    const stop = new AbortController();
    const call = failure(service.query([key], stop.signal));
    await expect.poll(() => proxy.targets.length).toBe(1);
    stop.abort();
    expect(await call).toMatchObject({ kind: 'cancelled' });
  });

  test.each<[string, ProxyBehaviour | undefined]>([
    ['a call', undefined],
    ['the opening of a tunnel', { kind: 'silence' }],
  ])('is ended when the program ends during %s', async (_name, behaviour) => {
    const { service, server, proxy } = await startProxied({
      timeoutMs: 60_000,
      script: () => undefined,
      ...(behaviour === undefined ? {} : { behaviour }),
    });
    const call = failure(service.query([key]));
    await expect.poll(() => (behaviour === undefined ? server.requests.length : proxy.targets.length)).toBe(1);
    await service.close();
    expect(await call).toMatchObject({ kind: 'cancelled' });
    await expect.poll(() => proxy.tunnels()).toBe(0);
  });
});

describe('the error of a proxied call', () => {
  test("says that nothing listens at the proxy's address", async () => {
    const { service, proxy } = await startProxied();
    await proxy.close();
    const error = await failure(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
    expect(error.message).toMatch(
      /^The proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\) cannot be reached: nothing is listening there \(ECONNREFUSED\), so nothing was sent; the last known data is kept\. Check HTTPS_PROXY, or add service\.test to NO_PROXY\./,
    );
  });

  test('says that the proxy requires a password', async () => {
    const { service } = await startProxied({ proxyOptions: { credentials: 'a:b' } });
    const error = await failure(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toMatch(
      /requires a user name and password \(HTTP 407\); the last known data is kept\. Set HTTPS_PROXY as http:\/\/user:/,
    );
  });

  test('says that the proxy rejected the password', async () => {
    const { service } = await startProxied({
      proxyOptions: { credentials: 'a:b' },
      changeUrl: (url) => {
        url.username = 'somebody';
        url.password = encodeURIComponent(password);
      },
    });
    expect((await failure(service.query([key]))).message).toMatch(/rejected the user name or password .*HTTP 407/);
  });

  test.each([403, 502, 204])("names the proxy's response %i", async (status) => {
    const { service } = await startProxied({ behaviour: { kind: 'refuse', status } });
    const error = await failure(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toContain(`did not connect to service.test (HTTP ${status})`);
  });

  test('names the proxy if it hangs up', async () => {
    const { service } = await startProxied({ behaviour: { kind: 'reset' } });
    const error = await failure(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toMatch(/^The proxy .* cannot be reached/);
  });

  test("names the proxy if the proxy's certificate is invalid", async () => {
    const { service, proxy } = await startProxied({
      proxyOptions: { tls: selfSigned() },
      changeUrl: (url) => {
        url.hostname = '0.0.0.0';
      },
    });
    const error = await failure(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(error.message).toMatch(/^The certificate of the proxy 0\.0\.0\.0:\d+ .* is not valid/);
    expect(proxy.targets).toEqual([]);
  });

  test("names the service if the service's certificate is invalid", async () => {
    const { service, server } = await startProxied({ host: 'other.test' });
    const error = await failure(service.query([key]));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(error.message).toMatch(/^The certificate of other\.test is not valid/);
    expect(server.requests).toEqual([]);
  });

  test('has the usual kind if the service rejects the key', async () => {
    const { service } = await startProxied({ script: json({ code: 'A0230', msg: 'token is invalid' }, 401) });
    expect(await failure(service.query([key]))).toMatchObject({ kind: 'key-refused' });
  });

  test('has the usual kind for a redirect', async () => {
    const { service, proxy } = await startProxied({ script: json({}, 307, { location: 'https://elsewhere.test/' }) });
    expect(await failure(service.query([key]))).toMatchObject({ kind: 'redirect-refused' });
    expect(proxy.targets).toEqual(['service.test:443']);
  });
});
