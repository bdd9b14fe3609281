import { chmod, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFakePrograms } from '../settings/setup/fake-programs.ts';
import { type CliUser, userForEachTest } from '../support/cli-user.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

const user = userForEachTest();

const keyPath = (): string => join(dirname(user.configFile), 'api-key');
/** The saved settings, without the reference to the schema in a new file. */
const readConfig = async (): Promise<unknown> => {
  const { $schema: _schema, ...settings } = JSON.parse(await readFile(user.configFile, 'utf8'));
  return settings;
};
const setUp = (options: readonly string[], run: Parameters<CliUser['run']>[1] = {}) =>
  user.run(['setup', ...options], run);
/** Sets up a service by its URL, with the key on standard input. */
const setUpAt = (baseUrl: string, input: string, environment: Readonly<Record<string, string>> = {}) =>
  setUp(['--base-url', baseUrl, '--key-from-stdin'], { input, environment });

async function startService(options: Parameters<typeof startTestSandbox>[0] = {}) {
  const sandbox = await startTestSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

describe('setup without a terminal', () => {
  it('tests the service and the key with one call, then saves both', async () => {
    const sandbox = await startService();
    const { exitCode, stdout, stderr } = await setUp(
      ['--base-url', sandbox.baseUrl, '--key-from-stdin', '--zone', 'Asia/Tokyo'],
      { input: `${sandbox.apiKey}\n` },
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /^ok {4}service {5}127\.0\.0\.1:\d+ responds\nok {4}API key {5}set \(entered\), accepted\nok {4}clock/,
    );
    expect(stdout).toMatch(/One free test request: \d+ couriers in \d+ ms\./);
    expect(stdout).not.toContain(sandbox.apiKey);
    expect(await readConfig()).toEqual({ baseUrl: sandbox.baseUrl, apiKeyFile: 'api-key', zone: 'Asia/Tokyo' });
    expect(await readFile(keyPath(), 'utf8')).toBe(`${sandbox.apiKey}\n`);
    expect((await stat(keyPath())).mode & 0o777).toBe(0o600);
    expect((await user.run(['add', 'RB100000005CN'])).exitCode).toBe(0);
  });

  it('saves a known service by name, and a sandbox that replaces it by URL', async () => {
    const offline = await setUp(['--profile', 'track123', '--key-from-stdin', '--offline'], { input: 'k' });
    expect(offline.exitCode).toBe(0);
    expect(await readConfig()).toEqual({ profile: 'track123', apiKeyFile: 'api-key' });
    const sandbox = await startService({ header: 'Track123-Api-Secret' });
    const again = ['setup', '--profile', 'track123', '--base-url', sandbox.baseUrl, '--key-from-stdin'];
    expect((await user.run(again, { input: sandbox.apiKey })).exitCode).toBe(0);
    expect(await readConfig()).toEqual({
      apiKeyFile: 'api-key',
      baseUrl: sandbox.baseUrl,
      service: { header: 'Track123-Api-Secret' },
    });
  });

  it('keeps comments, and removes settings that would override the new service and key', async () => {
    await user.configure('{\n  // mine\n  "profile": "track123",\n  "apiKey": "old", // here\n  "zone": "UTC"\n}\n');
    const sandbox = await startService();
    await setUpAt(sandbox.baseUrl, sandbox.apiKey);
    const text = await readFile(user.configFile, 'utf8');
    expect(text).toContain('// mine');
    expect(text).not.toMatch(/"profile"|"apiKey"|old/);
    expect(text).toContain('"zone": "UTC"');
  });

  it("never sends one service's key to a different service", async () => {
    await user.configure('{ "baseUrl": "http://127.0.0.1:9/", "apiKey": "k3y-of-mine" }\n');
    const sandbox = await startService();
    const other = await setUp(['--base-url', sandbox.baseUrl]);
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toMatch(/apiKey\) belongs to a different service and is not sent to 127\.0\.0\.1:\d+\./);
    expect(await readConfig()).toEqual({ baseUrl: 'http://127.0.0.1:9/', apiKey: 'k3y-of-mine' });
  });

  it('accepts a command that prints the key, and does not save the key itself', async () => {
    const sandbox = await startService();
    const { folder } = await createFakePrograms(user.home, ['pass'], { pass: `echo '${sandbox.apiKey}'` });
    const command = [join(folder, 'pass'), 'show', '"my parcels"'].join(' ');
    const done = await setUp(['--base-url', sandbox.baseUrl, '--key-command', command]);
    expect(done.exitCode).toBe(0);
    expect(await readConfig()).toEqual({
      baseUrl: sandbox.baseUrl,
      apiKeyCommand: [join(folder, 'pass'), 'show', 'my parcels'],
    });
    await expect(stat(keyPath())).rejects.toThrow(/ENOENT/);
    expect((await user.run(['refresh'])).exitCode).toBe(0);
  });

  it('saves the key in the chosen place and deletes the old file', async () => {
    const sandbox = await startService();
    const setup = ['setup', '--base-url', sandbox.baseUrl, '--key-from-stdin'];
    await user.run(setup, { input: sandbox.apiKey });
    const { folder } = await createFakePrograms(user.home, ['secret-tool']);
    const environment = {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
    };
    const done = await user.run([...setup, '--key-store', 'secret-tool'], { input: sandbox.apiKey, environment });
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.stdout).toMatch(/saved and read back: secret-tool lookup .*The old key file was removed\./);
    const host = new URL(sandbox.baseUrl).host;
    const apiKeyCommand = [join(folder, 'secret-tool'), 'lookup', 'service', 'parcel-monitor', 'host', host];
    expect(await readConfig()).toEqual({ baseUrl: sandbox.baseUrl, apiKeyCommand });
    await expect(stat(keyPath())).rejects.toThrow(/ENOENT/);
  });

  it('reports what overrides the saved settings', async () => {
    const sandbox = await startService();
    const environment = { PARCEL_MONITOR_API_KEY: 'another', PARCEL_MONITOR_PROFILE: 'track123' };
    const { exitCode, stderr } = await setUpAt(sandbox.baseUrl, sandbox.apiKey, environment);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/PARCEL_MONITOR_API_KEY is set in the environment and overrides the saved key/);
    expect(stderr).toMatch(/PARCEL_MONITOR_PROFILE is set in the environment and overrides the saved address/);
    expect(stderr).not.toContain('another');
  });

  it('saves nothing if only environment variables are set', async () => {
    const sandbox = await startService();
    const environment = { PARCEL_MONITOR_API_KEY: sandbox.apiKey, PARCEL_MONITOR_BASE_URL: sandbox.baseUrl };
    for (const options of [[], ['--key-store', 'file'], ['--key-command', 'pass show parcels'], ['--zone', 'UTC']]) {
      expect(await setUp([...options], { environment })).toMatchObject({ exitCode: 2, stdout: '' });
    }
    await expect(stat(dirname(user.configFile))).rejects.toThrow(/ENOENT/);
  });

  it.each([
    ['the service in the file', ['--header', 'X-Key']],
    ['a service named on the command line', ['--profile', 'track123']],
  ])(
    "does not send an environment variable's key to %s if the environment has a different address",
    async (_what, options) => {
      await user.configure('{ "profile": "track123" }\n');
      const environment = { PARCEL_MONITOR_API_KEY: 'k3y-of-mine', PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9/' };
      const { exitCode, stdout, stderr } = await setUp([...options], { environment });
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/PARCEL_MONITOR_API_KEY\) belongs to a different service and is not sent/);
      expect(await readConfig()).toEqual({ profile: 'track123' });
    },
  );

  it('accepts only a key for the service in the file, even if a variable has the same address', async () => {
    const sandbox = await startService();
    await user.configure(JSON.stringify({ baseUrl: sandbox.baseUrl }));
    const same = { PARCEL_MONITOR_BASE_URL: `${sandbox.baseUrl}/` };
    const done = await setUp(['--key-from-stdin'], { input: sandbox.apiKey, environment: same });
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readConfig()).toEqual({ baseUrl: sandbox.baseUrl, apiKeyFile: 'api-key' });
  });

  it("refuses a key that would be sent to an environment variable's address", async () => {
    const sandbox = await startService();
    const { exitCode, stderr } = await setUpAt(sandbox.baseUrl, sandbox.apiKey, {
      PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9/',
    });
    expect(stderr).toMatch(
      /PARCEL_MONITOR_BASE_URL overrides the address, so this key would be sent to 127\.0\.0\.1:9/,
    );
    expect(exitCode).toBe(1);
    await expect(stat(keyPath())).rejects.toThrow(/ENOENT/);
  });

  it('ends the cool-down caused by the previous key', async () => {
    const sandbox = await startService();
    await user.configure(JSON.stringify({ baseUrl: sandbox.baseUrl, apiKey: 'wrong' }));
    expect((await user.run(['add', 'RB100000005CN'])).exitCode).toBe(3);
    await setUpAt(sandbox.baseUrl, sandbox.apiKey);
    expect((await user.run(['doctor', '--verbose'])).stdout).toMatch(/cool-down +none/);
  });

  it.each<[string, readonly string[], string, RegExp]>([
    ['missing options', [], '', /setup requires options: --profile track123 or --base-url URL/],
    ['a key store without a key', ['--profile', 'track123', '--key-store', 'file'], '', /--key-from-stdin/],
    ['only an unknown key store', ['--key-store', 'attic'], '', /"attic" here\. Use .*file/],
    ['a missing key', ['--profile', 'track123'], '', /--key-from-stdin < FILE/],
    ['empty standard input', ['--profile', 'track123', '--key-from-stdin'], ' \n', /no API key on standard input/],
    ['a missing service', ['--key-from-stdin'], 'k', /--profile track123/],
    ['an unknown profile', ['--profile', 'nobody', '--key-from-stdin'], 'k', /known profiles: track123/],
    [
      'an unknown key store with a key',
      ['--profile', 'track123', '--key-from-stdin', '--key-store', 'attic'],
      'k',
      /Use .*file/,
    ],
    ['an unknown key store', ['--profile', 'track123', '--key-from-stdin', '--key-store', 'bw'], 'k', /Use .*file/],
    [
      'a key command with a key store',
      ['--profile', 'track123', '--key-command', 'x', '--key-store', 'file'],
      '',
      /Leave out --key-store/,
    ],
    ['plain HTTP', ['--base-url', 'http://example.com', '--key-from-stdin'], 'k', /Plain HTTP/],
  ])('refuses %s and saves nothing', async (_what, options, input, message) => {
    const { exitCode, stderr } = await setUp([...options], { input, environment: { PATH: '' } });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
    await expect(stat(dirname(user.configFile))).rejects.toThrow(/ENOENT/);
  });

  it('refuses a key that would be visible while typed', async () => {
    const { exitCode, stderr } = await setUp(['--profile', 'track123', '--key-from-stdin'], {
      answer: 'k',
    });
    expect(stderr).toMatch(/would be visible/);
    expect(exitCode).toBe(2);
  });
});

describe('setup with a problem', () => {
  const json =
    (body: unknown, status = 200) =>
    (_request: unknown, response: import('node:http').ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
  const rejection = (code: string, msg: string) => json({ code, msg, data: null });

  it.each<[string, Parameters<typeof startScriptedServer>[0], RegExp, RegExp, number]>([
    ['a wrong key', rejection('A0230', 'key error'), /fail {2}API key .*refused/, /wrong or has expired \(A0230\)/, 3],
    ['a web page', (_seen, response) => void response.end('<html>'), /fail {2}service/, /Check the base URL/, 4],
    ['a different path', json({ message: 'Not Found' }, 404), /fail {2}service/, /./, 1],
  ])('reports %s and saves nothing', async (_what, script, line, sentence, code) => {
    const server = await startScriptedServer(script);
    onTestFinished(() => server.close());
    const { exitCode, stdout, stderr } = await setUpAt(server.baseUrl.href, 'my-secret-key');
    expect(stdout).toMatch(line);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/Nothing was saved\.\n$/);
    expect(stderr).not.toMatch(/last known data|Checks stop/);
    expect(stdout + stderr).not.toContain('my-secret-key');
    expect(exitCode).toBe(code);
    await expect(stat(keyPath())).rejects.toThrow(/ENOENT/);
    await expect(stat(user.configFile)).rejects.toThrow(/ENOENT/);
    expect(server.requests.length).toBeLessThanOrEqual(1);
  });

  it('reports a wrong clock and continues', async () => {
    const sandbox = await startService();
    const hour = 3_600_000;
    const server = await startScriptedServer((_request, response) => {
      response.setHeader('date', new Date(Date.now() + hour).toUTCString());
      response.end(JSON.stringify({ code: '00000', data: [{ courierCode: 'dhl', courierNameEN: 'DHL' }], msg: 'ok' }));
    });
    onTestFinished(() => server.close());
    const { exitCode, stdout } = await setUpAt(server.baseUrl.href, sandbox.apiKey);
    expect(stdout).toMatch(/warn {2}clock {7}This machine's clock is \d+ minutes behind the service's/);
    expect(exitCode).toBe(0);
  });

  it('reports a failing key command and sends nothing', async () => {
    const sandbox = await startService();
    const { exitCode, stdout, stderr } = await setUp([
      '--base-url',
      sandbox.baseUrl,
      '--key-command',
      'no-such-program x',
    ]);
    expect(stdout).toMatch(/fail {2}API key {5}cannot be used\nNothing was sent\./);
    expect(stderr).toMatch(/no-such-program was not found/);
    expect(exitCode).toBe(3);
  });

  it('does not run a password command that a different user may have written', async () => {
    const sandbox = await startService();
    const marker = join(user.home, 'was-run');
    await user.configure(
      JSON.stringify({ store: 'postgres://ann@127.0.0.1:9/parcels', storePasswordCommand: ['touch', marker] }),
    );
    await chmod(user.configFile, 0o602);
    const args = ['setup', '--base-url', sandbox.baseUrl, '--key-from-stdin'];
    const { exitCode, stdout, stderr } = await user.run(args, { input: sandbox.apiKey });
    await expect(stat(marker)).rejects.toThrow(/ENOENT/);
    expect(stderr).toMatch(/Other users can write .*chmod go-w/);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });

  it('uses the watchlist from --store, and reports problems with it', async () => {
    const sandbox = await startService();
    const store = `postgres://ann@127.0.0.1:9/parcels?sslmode=verify-full&sslrootcert=${join(user.home, 'none.pem')}`;
    const args = ['setup', '--base-url', sandbox.baseUrl, '--key-from-stdin', '--store', store];
    const { exitCode, stdout, stderr } = await user.run(args, { input: sandbox.apiKey });
    expect(stderr).toMatch(/none\.pem.* Nothing was saved\./);
    expect(stdout).toContain('Nothing was sent.');
    expect(exitCode).toBe(2);
  });

  it('reports a configuration that cannot be written, and does not change it', async () => {
    await user.configure('{ "zone": ');
    const { exitCode, stderr } = await setUp(['--profile', 'track123', '--key-from-stdin', '--offline'], {
      input: 'k',
    });
    expect(stderr).toMatch(/not valid JSON/);
    expect(exitCode).toBe(2);
    expect(await readFile(user.configFile, 'utf8')).toBe('{ "zone": ');
  });
});
