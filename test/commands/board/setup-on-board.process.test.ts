import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFakePrograms } from '../../settings/setup/fake-programs.ts';
import { userForEachTest } from '../../support/cli-user.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestSandbox } from '../../support/test-sandbox.ts';
import { openBoard } from './open-board.ts';

const user = userForEachTest();

const keyPath = (): string => join(dirname(user.configFile), 'api-key');
async function startService() {
  const sandbox = await startTestSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const neverAborted = new AbortController().signal;

it('leaves a working board that uses the saved settings immediately', async () => {
  const sandbox = await startService();
  const board = await openBoard(user, ['setup']);
  expect(board.opensSetup).toBe(true);
  const effects = board.effects();
  expect(await effects.current()).toMatchObject({ service: null, key: null, zone: 'Europe/Berlin', zoneSet: null });
  const service = { kind: 'base-url', baseUrl: sandbox.baseUrl, header: null } as const;
  const key = { kind: 'entered', key: sandbox.apiKey } as const;
  const result = await effects.check({ service, key, signal: neverAborted });
  expect(result).toMatchObject({ failure: null, problem: null });
  expect(result.checks.map(({ name, status }) => `${status} ${name}`)).toEqual([
    'ok service',
    'ok API key',
    'ok clock',
  ]);
  const [recommended] = await effects.keyStores(service);
  expect(recommended?.unusable).toBeNull();
  expect(await effects.saveService({ service, key, keyStore: 'file' })).toMatchObject({ warnings: [] });
  await eventually(() => expect(board.services().setup.kind).toBe('ready'));
  await effects.save([{ path: ['zone'], value: 'Asia/Tokyo' }], 'Saved.');
  await eventually(() => expect(board.services().zone.name).toBe('Asia/Tokyo'));
  // The user has just entered these settings, so a notice would say nothing new.
  expect(board.notices()).toEqual([]);
  expect(await effects.current()).toMatchObject({
    service: { kind: 'base-url', place: 'config.json: baseUrl', overridesFile: false },
    key: { place: `config.json: apiKeyFile (${keyPath()})` },
    zoneSet: { place: 'config.json: zone' },
  });
});

it('loads a new key after its file changes', async () => {
  const sandbox = await startService();
  await user.configure({ baseUrl: sandbox.baseUrl, apiKeyFile: 'api-key' });
  await writeFile(keyPath(), 'an-old-key\n', { mode: 0o600 });
  const board = await openBoard(user, []);
  expect(board.opensSetup).toBe(false);
  const { monitor } = board.services();
  await writeFile(keyPath(), `${sandbox.apiKey}\n`);
  await eventually(() => expect(board.services().monitor).not.toBe(monitor));
  await board.services().monitor.add({
    trackNo: 'RB100000005CN',
    courierCode: null,
    label: null,
    postalCode: null,
    phoneSuffix: null,
  });
  await eventually(() =>
    expect(board.services().monitor.getState().parcels[0]).toMatchObject({ registration: 'registered' }),
  );
});

it('says when another program changed the file, even if the board changed it too', async () => {
  const board = await openBoard(user, ['setup']);
  const effects = board.effects();
  await effects.save([{ path: ['zone'], value: 'Asia/Tokyo' }], 'Saved.');
  await eventually(() => expect(board.services().zone.name).toBe('Asia/Tokyo'));
  expect(board.notices()).toEqual([]);
  const reloaded = { sentence: expect.stringMatching(/^Reloaded .*config\.json\.$/) };
  await user.configure({ zone: 'Europe/Paris' });
  await eventually(() => expect(board.services().zone.name).toBe('Europe/Paris'));
  expect(board.services().news).toEqual(reloaded);
  const before = board.services().news;
  // Both changes are made before the board looks at the file again.
  await user.configure({ zone: 'Europe/Rome', title: false });
  await effects.save([{ path: ['notify', 'channels'], value: ['bell'] }], 'Saved.');
  await eventually(() => expect(board.services().zone.name).toBe('Europe/Rome'));
  expect(board.services().news).toEqual(reloaded);
  expect(board.services().news).not.toBe(before);
  expect(board.notices()).toEqual([]);
});

it('reports an override only once', async () => {
  const sandbox = await startService();
  const environment = { PARCEL_MONITOR_API_KEY: sandbox.apiKey, PARCEL_MONITOR_BASE_URL: sandbox.baseUrl };
  const board = await openBoard(user, ['setup'], environment);
  const { monitor } = board.services();
  const service = { kind: 'profile', profile: 'track123' } as const;
  const key = { kind: 'entered', key: 'another' } as const;
  expect(await board.effects().saveService({ service, key, keyStore: 'file' })).toMatchObject({
    warnings: [
      expect.stringContaining('overrides the saved address'),
      expect.stringContaining('overrides the saved key'),
    ],
  });
  await eventually(() => expect(board.services().monitor).not.toBe(monitor));
  expect(board.notices()).toEqual([]);
});

/** A program that prints the next key on each run, and fails when there are none left. */
async function keyCommand(...keys: readonly string[]): Promise<{ path: string; calls(): Promise<number> }> {
  const path = join(user.home, 'print-key');
  const log = join(user.home, 'calls');
  const lines = keys.map((key, index) => `${index + 1}) echo '${key}' ;;`).join(' ');
  await writeFile(path, `#!/bin/sh\necho >> '${log}'\ncase $(($(wc -l < '${log}'))) in ${lines} *) exit 3 ;; esac\n`);
  await chmod(path, 0o755);
  return { path, calls: async () => (await readFile(log, 'utf8')).length };
}

it('reuses the key that a command printed when setup tested it', async () => {
  const sandbox = await startService();
  const board = await openBoard(user, ['setup']);
  const effects = board.effects();
  const { path, calls } = await keyCommand(sandbox.apiKey);
  const service = { kind: 'base-url', baseUrl: sandbox.baseUrl, header: null } as const;
  const key = { kind: 'command', commandLine: path } as const;
  expect(await effects.check({ service, key, signal: neverAborted })).toMatchObject({ failure: null });
  await effects.saveService({ service, key, keyStore: null });
  await eventually(() => expect(board.services().setup.kind).toBe('ready'));
  const { monitor } = board.services();
  await effects.save([{ path: ['service', 'timeoutSeconds'], value: 20 }], 'Saved.');
  await eventually(() => expect(board.services().monitor).not.toBe(monitor));
  expect(await calls()).toBe(1);
  expect(board.notices()).toEqual([]);
});

it('keeps the previous key if the command fails when a different setting changes', async () => {
  const sandbox = await startService();
  const { path } = await keyCommand(sandbox.apiKey);
  const settings = { baseUrl: sandbox.baseUrl, apiKeyCommand: [path] };
  await user.configure(settings);
  const board = await openBoard(user, []);
  const { monitor } = board.services();
  await user.configure({ ...settings, service: { timeoutSeconds: 20 } });
  await eventually(() => expect(board.services().monitor).not.toBe(monitor));
  expect(board.services().setup.kind).toBe('ready');
});

it('loads a new key from the same key store', async () => {
  const sandbox = await startService();
  const programs = await createFakePrograms(user.home, ['secret-tool']);
  const board = await openBoard(user, ['setup'], {
    PATH: `${programs.folder}:${process.env['PATH']}`,
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
  });
  const effects = board.effects();
  const service = { kind: 'base-url', baseUrl: sandbox.baseUrl, header: null } as const;
  const save = async (key: string) =>
    await effects.saveService({ service, key: { kind: 'entered', key }, keyStore: 'secret-tool' });
  await save('an-old-key');
  await eventually(() => expect(board.services().setup.kind).toBe('ready'));
  const { monitor } = board.services();
  await save(sandbox.apiKey);
  await eventually(() => expect(board.services().monitor).not.toBe(monitor));
  expect(board.notices()).toEqual([]);
});

it('says on the board what overrides the saved key and address', async () => {
  const sandbox = await startService();
  const environment = { PARCEL_MONITOR_API_KEY: 'another-key', PARCEL_MONITOR_BASE_URL: sandbox.baseUrl };
  const board = await openBoard(user, [], environment);
  await user.configure({ profile: 'track123', apiKey: 'x' });
  await eventually(() =>
    expect(board.notices()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/PARCEL_MONITOR_API_KEY is set in the environment and overrides the saved key/),
        expect.stringMatching(/PARCEL_MONITOR_BASE_URL is set in the environment and overrides the saved address/),
      ]),
    ),
  );
  expect(board.notices().join()).not.toContain('another-key');
});

it('opens without an API key, and says why it is missing', async () => {
  await user.configure({ profile: 'track123', apiKeyCommand: ['no-such-program-here'] });
  const board = await openBoard(user, ['setup']);
  expect(board.opensSetup).toBe(true);
  expect(board.notices()).toEqual([expect.stringMatching(/no-such-program-here was not found/)]);
});

it("shows the sandbox on the same board, then the user's own watchlist, without mixing them", async () => {
  const board = await openBoard(user, ['setup']);
  const own = board.services();
  const effects = board.effects();
  expect(effects.isInSandbox).toBe(false);
  await effects.enterSandbox();
  expect(effects.isInSandbox).toBe(true);
  expect(board.services()).toMatchObject({ badge: 'DEMO', setup: { kind: 'ready' }, setupEffects: effects });
  expect(board.services().monitor.getState().parcels.length).toBeGreaterThan(3);
  // Settings that are changed while the sandbox is open are applied after the user leaves it.
  await user.configure({ zone: 'Asia/Tokyo' });
  await effects.leaveSandbox();
  expect(effects.isInSandbox).toBe(false);
  expect(board.services().badge).toBeNull();
  expect(board.services().monitor).toBe(own.monitor);
  expect(board.services().monitor.getState().parcels).toEqual([]);
  await eventually(() => expect(board.services().zone.name).toBe('Asia/Tokyo'));
  await expect(readFile(join(user.home, '.local', 'share', 'parcel-monitor', 'watchlist.json'))).rejects.toThrow();
});

it('closes the sandbox with the board', async () => {
  const board = await openBoard(user, ['setup']);
  await board.effects().enterSandbox();
  expect(board.services().badge).toBe('DEMO');
});

it('cancels a check when the user leaves it', async () => {
  const board = await openBoard(user, ['setup']);
  const cancel = new AbortController();
  cancel.abort();
  const result = await board.effects().check({
    service: { kind: 'base-url', baseUrl: 'http://127.0.0.1:9', header: null },
    key: { kind: 'entered', key: 'k' },
    signal: cancel.signal,
  });
  expect(result).toMatchObject({ failure: { kind: 'cancelled' }, faultyStep: null });
});

it("asks for a web channel's settings, saves its secret in a separate file, and sends a test message", async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push([request.url, request.headers['x-gotify-key']]);
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const board = await openBoard(user, ['setup']);
  const effects = board.effects();
  const gotify = async () => (await effects.channels()).find(({ id }) => id === 'gotify');
  expect(await gotify()).toMatchObject({
    unusable: 'Not set yet. Press Space to enter its settings.',
    questions: [
      { field: 'url', isSecret: false, isOptional: false },
      { field: 'token', isSecret: true, isOptional: false },
    ],
  });
  const outcome = await effects.saveChannel('gotify', { url, token: 's3cret' });
  expect(outcome).toMatchObject({ summary: expect.stringContaining('notify-gotify-token, mode 0600') });
  expect(JSON.stringify(outcome)).not.toContain('s3cret');
  const file = join(dirname(user.configFile), 'notify-gotify-token');
  expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['s3cret\n', 0o600]);
  expect(JSON.parse(await readFile(user.configFile, 'utf8'))).toMatchObject({
    notify: { gotify: { url, tokenFile: 'notify-gotify-token' } },
  });
  expect(await gotify()).toMatchObject({ unusable: null });
  expect(await effects.testChannel('gotify')).toBeNull();
  expect(seen).toEqual([['/message', 's3cret']]);
  await expect(effects.saveChannel('gotify', { url, token: 'two words' })).rejects.toThrow(/contains spaces/);
});
