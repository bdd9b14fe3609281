import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { userForEachTest } from '../../support/cli-user.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestSandbox } from '../../support/test-sandbox.ts';
import { openBoard } from './open-board.ts';

const user = userForEachTest();

const reloaded = { sentence: expect.stringMatching(/^Reloaded .*config\.json\.$/) };

it('switches to a new service and key while the board is open, and registers the parcels added before', async () => {
  const sandbox = await startTestSandbox();
  const board = await openBoard(user);
  expect(board.services().setup.kind).toBe('not-set-up');
  const { monitor } = board.services();
  await monitor.add({
    trackNo: 'RB100000005CN',
    courierCode: null,
    label: 'Lamp',
    postalCode: null,
    phoneSuffix: null,
  });
  await user.configure({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
  await eventually(() => expect(board.services().setup.kind).toBe('ready'));
  expect(board.services().monitor).not.toBe(monitor);
  await eventually(() =>
    expect(board.services().monitor.getState().parcels[0]).toMatchObject({ registration: 'registered', label: 'Lamp' }),
  );
  expect(board.notices()).toEqual([]);
  expect(board.services().news).toEqual(reloaded);
  expect(board.services().facts).toContainEqual({ name: 'Base URL', value: expect.stringContaining(sandbox.baseUrl) });
  expect(await board.quit()).toBe(0);
});

it('can undo changes made before the configuration changed', async () => {
  const board = await openBoard(user);
  const { monitor } = board.services();
  const lamp = { courierCode: null, label: 'Lamp', postalCode: null, phoneSuffix: null };
  const { parcel } = await monitor.add({ ...lamp, trackNo: 'RB100000005CN' });
  await monitor.archiveAll([parcel.id]);
  const { undoable } = monitor.getState();
  await user.configure({ service: { timeoutSeconds: 7 } });
  await eventually(() => expect(board.services().monitor).not.toBe(monitor));
  const replacement = board.services().monitor;
  expect(replacement.getState().undoable).toBe(undoable);
  expect((await replacement.undo())?.message).toBe('Lamp is back on the list.');
  expect(replacement.getState().parcels).toMatchObject([{ label: 'Lamp', archivedAt: null }]);
  expect((await replacement.undo())?.message).toBe('Lamp is no longer on the list.');
  expect(replacement.getState()).toMatchObject({ parcels: [], undoable: null });
  expect(await board.quit()).toBe(0);
});

it('keeps the core if all changed settings can be applied live', async () => {
  const board = await openBoard(user);
  const { monitor } = board.services();
  expect(board.services().notificationSwitch).toBeNull();
  await user.configure({
    archive: { deliveredAfterDays: 3 },
    budget: { queriesPerDay: 5 },
    notify: { channels: ['bell'], quietHours: '22:00-07:00' },
    polling: { leastMinutes: 7 },
  });
  await eventually(() => expect(board.services().notificationSwitch).not.toBeNull());
  expect(board.services().monitor).toBe(monitor);
  expect(board.services().news).toEqual(reloaded);
  await user.configure({});
  await eventually(() => expect(board.services().notificationSwitch).toBeNull());
  expect(board.services().monitor).toBe(monitor);
});

it('keeps the core if only the zone changes', async () => {
  await user.configure({ zone: 'Asia/Tokyo' });
  const board = await openBoard(user);
  const { monitor, zone } = board.services();
  expect(zone.name).toBe('Asia/Tokyo');
  await user.configure({ zone: 'Europe/Paris' });
  await eventually(() => expect(board.services().zone.name).toBe('Europe/Paris'));
  expect(board.services().monitor).toBe(monitor);
  expect(board.notices()).toEqual([]);
  expect(board.services().news).toEqual(reloaded);
});

it.each<[string, string | object, RegExp]>([
  ['is not JSON', '{"zone": ', /not valid JSON/],
  ['cannot be used', { zone: 'Mars/Olympus' }, /Mars\/Olympus/],
])('reports a configuration that %s and keeps the previous one', async (_what, invalid, reason) => {
  await user.configure({ zone: 'Asia/Tokyo' });
  const board = await openBoard(user);
  await user.configure(invalid);
  await eventually(() =>
    expect(board.notices()).toEqual([expect.stringMatching(/The previous settings remain in use\.$/)]),
  );
  expect(board.notices()[0]).toMatch(reason);
  expect(board.services().zone.name).toBe('Asia/Tokyo');
  await rm(user.configFile);
  await eventually(() => expect(board.services().zone.name).toBe('Europe/Berlin'));
  expect(board.notices()).toEqual([]);
});

it('reports an invalid setting at startup, and one that is written while the board is open', async () => {
  await user.configure({ webhook: { maxAgeMinutes: 0 } });
  const board = await openBoard(user);
  expect(board.notices()).toEqual([expect.stringContaining('"webhook.maxAgeMinutes" must be at least 1')]);
  await user.configure({ zonne: 'Asia/Tokyo' });
  await eventually(() => expect(board.notices()).toEqual([expect.stringContaining('the closest match is "zone"')]));
});

it('withdraws the notice about the key file once the setting is correct again', async () => {
  const sandbox = await startTestSandbox();
  const settings = (apiKeyFile: string): object => ({ baseUrl: sandbox.baseUrl, apiKeyFile });
  await user.configure(settings('api-key'));
  await writeFile(join(user.configFile, '..', 'api-key'), sandbox.apiKey, { mode: 0o600 });
  const board = await openBoard(user);
  await user.configure(settings('typo'));
  await eventually(() => expect(board.notices()).toEqual([expect.stringMatching(/typo does not exist\./)]));
  await user.configure({ ...settings('typing'), zone: 'Asia/Tokyo' });
  await eventually(() => expect(board.notices()).toEqual([expect.stringMatching(/typing does not exist\./)]));
  await user.configure(settings('api-key'));
  await eventually(() => expect(board.notices()).toEqual([]));
  expect(board.services().news).toEqual(reloaded);
});

it.runIf(process.geteuid !== undefined)(
  'does not switch to a changed base URL if other users can write to the file',
  async () => {
    const sandbox = await startTestSandbox();
    const theirs = await startTestSandbox();
    onTestFinished(() => Promise.all([sandbox.close(), theirs.close()]).then(() => {}));
    await user.configure({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    const board = await openBoard(user);
    const { monitor } = board.services();
    await chmod(user.configFile, 0o622);
    await user.configure({ baseUrl: theirs.baseUrl, apiKey: sandbox.apiKey });
    await eventually(() =>
      expect(board.notices().join(' ')).toMatch(
        /"baseUrl" is not used .*chmod go-w .*The previous settings remain in use\./,
      ),
    );
    expect(board.services().monitor).toBe(monitor);
    await chmod(user.configFile, 0o600);
    await eventually(() => expect(board.services().monitor).not.toBe(monitor));
    expect(board.notices().join(' ')).not.toContain('is not used');
    await board.quit();
  },
);

it.runIf(process.geteuid !== undefined)(
  'runs the configured command again once other users can no longer write to the file',
  async () => {
    await user.configure({ notify: { command: ['true'] } });
    await chmod(user.configFile, 0o622);
    const board = await openBoard(user);
    const { monitor } = board.services();
    expect(board.notices().join(' ')).toContain('chmod go-w');
    await chmod(user.configFile, 0o600);
    await eventually(() => expect(board.notices()).toEqual([]));
    expect(board.services().monitor).toBe(monitor);
    await board.quit();
  },
);

it('shows problems with several settings as one notice without the path, and lets the user dismiss it', async () => {
  await user.configure({ theme: 'blue', mouse: 1, colour: 1 });
  const board = await openBoard(user);
  const { monitor } = board.services();
  const summary = 'config.json: 3 settings are not valid. Run "parcel-monitor doctor" to see them.';
  expect(board.notices()).toEqual([summary]);
  monitor.dismissNotice();
  await user.configure({ theme: 'blue', mouse: true });
  await eventually(() =>
    expect(board.notices()).toEqual([
      expect.stringMatching(/^config\.json: "theme" must be one of [^/]*\. It is ignored\.$/),
    ]),
  );
});
