import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { runBuiltCli, startBuiltCli } from '../support/built-cli.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { json, type ScriptedServer, selfSigned, startScriptedServer } from '../support/scripted-server.ts';

const apiKey = 'key-that-must-never-be-seen';
const couriers = {
  code: '00000',
  msg: 'Success',
  traceId: 'N/A',
  data: [{ courierCode: 'ups', courierNameEN: 'UPS' }],
};

let user: CliUser;
let server: ScriptedServer;
let proxy: ConnectProxy;
beforeEach(async () => {
  user = await createCliUser();
  server = await startScriptedServer(json(couriers), selfSigned());
  proxy = await startConnectProxy(
    { kind: 'tunnel', port: Number(server.baseUrl.port) },
    { credentials: 'somebody:secret-word' },
  );
});
afterEach(async () => {
  await proxy.close();
  await server.close();
  await user.remove();
});

const certificate = fileURLToPath(new URL('../fixtures/self-signed-service-for-tests-only.cert.pem', import.meta.url));

/** The environment for a service whose name only the proxy can resolve. */
const behindProxy = (HTTPS_PROXY: string) => ({
  PARCEL_MONITOR_BASE_URL: 'https://service.test/gateway',
  PARCEL_MONITOR_API_KEY: apiKey,
  NODE_EXTRA_CA_CERTS: certificate,
  HTTPS_PROXY,
});
const withPassword = (): string => proxy.url.href.replace('//', '//somebody:secret-word@');

test('the program reaches the service through the proxy set in the environment', async () => {
  const { exitCode, stdout } = await runBuiltCli(user, ['couriers', '--refresh'], {
    environment: behindProxy(withPassword()),
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('UPS') });
  expect(proxy.targets).toEqual(['service.test:443']);
  expect(proxy.cleartext()).not.toContain(apiKey);
});

test('doctor names the proxy in use and its source, without its password', async () => {
  const { exitCode, stdout, stderr } = await runBuiltCli(user, ['doctor', '--verbose'], {
    environment: behindProxy(withPassword()),
  });
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`proxy: http://${proxy.url.host}, with a user name (HTTPS_PROXY)`);
  expect(stdout).toContain('service.test responds');
  expect(stdout + stderr).not.toMatch(/secret-word|somebody/);
});

test('certificate verification cannot be turned off by the environment', async () => {
  const { NODE_EXTRA_CA_CERTS: _trusted, ...environment } = behindProxy(withPassword());
  const result = await runBuiltCli(user, ['doctor'], {
    environment: { ...environment, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  });
  expect(result.exitCode).toBe(4);
  expect(result.stdout).toMatch(/warn {2}certificates {3}NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here/);
  expect(result.stdout).toContain('The certificate of service.test is not valid');
  expect(server.requests).toEqual([]);
});

test('an unusable proxy causes a usage error only if the service is needed', async () => {
  const environment = behindProxy('socks5://somebody:secret-word@127.0.0.1:1');
  const refreshResult = await user.run(['couriers', '--refresh'], { environment });
  expect(refreshResult.exitCode).toBe(2);
  expect(refreshResult.stderr).toMatch(/^parcel-monitor: HTTPS_PROXY is not a valid proxy address\./);
  const doctorResult = await user.run(['doctor'], { environment });
  expect(doctorResult.exitCode).toBe(1);
  expect(doctorResult.stdout).toMatch(/fail {2}proxy {10}HTTPS_PROXY is not a valid proxy address/);
  expect((await user.run(['list'], { environment })).exitCode).toBe(0);
  expect(refreshResult.stderr + doctorResult.stdout).not.toMatch(/secret-word|somebody/);
});

test('local connections bypass the proxy with any Node options', async () => {
  const proxies = { HTTP_PROXY: proxy.url.href, HTTPS_PROXY: proxy.url.href, NODE_USE_ENV_PROXY: '1' };
  const receiver = await startScriptedServer(json({}));
  onTestFinished(() => receiver.close());
  const cliArguments = ['sandbox', '--port', '0', '--speed', '36000', '--webhook', receiver.baseUrl.href];
  const sandbox = await startBuiltCli(user, cliArguments, { environment: proxies });
  const printed = await new Promise<string>((resolve) => {
    let text = '';
    sandbox.stdout?.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.split('\n').length > 2) resolve(text);
    });
  });
  const baseUrl = /http:\/\/\S+/.exec(printed)?.[0] ?? '';
  const environment = { ...proxies, PARCEL_MONITOR_BASE_URL: baseUrl, PARCEL_MONITOR_API_KEY: 'sandbox-key' };
  const added = await runBuiltCli(user, ['add', '1Z999AA10123456784'], { environment });
  expect(added).toMatchObject({ exitCode: 0 });
  await expect.poll(() => receiver.requests.length, { timeout: 15_000 }).toBeGreaterThan(0);
  const demo = runBuiltCli(user, ['doctor', '--verbose'], { environment });
  expect((await demo).stdout).toContain('proxy: none (this machine)');
  expect(proxy.cleartext()).toBe('');
  sandbox.kill('SIGTERM');
  await new Promise((resolve) => sandbox.once('close', resolve));
  await expect(request(baseUrl)).rejects.toThrow();
});
