import { describe, expect, test } from 'vitest';
import type { CurrentSetup, SetupEffects } from '../../../src/settings/setup/board-setup.ts';
import type { BoardOptions } from '../../../src/tui/run-board.tsx';
import { aParcel } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createFakeSetupEffects,
  emptySetup,
  type FakeSetupEffects,
  passingCheck,
  refusedKeyCheck,
} from '../../support/fake-setup-effects.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const enter = '\r';
const escapeKey = '\u001b';
const tab = '\t';
const down = '\u001b[B';
const notSetUp = {
  kind: 'not-set-up',
  hasKey: false,
  baseUrl: null,
  configFile: '/home/me/.config/parcel-monitor/config.json',
} as const;

/** A service with its own address and key. */
const customService: Partial<CurrentSetup> = {
  service: {
    kind: 'base-url',
    baseUrl: 'http://127.0.0.1:8080/',
    header: null,
    place: 'config.json: baseUrl',
    overridesFile: false,
  },
  key: { place: 'config.json: apiKeyFile', overridesFile: false },
};

interface StartedSetup extends RunningBoard {
  readonly effects: FakeSetupEffects;
}

async function start(
  options: {
    readonly set?: Partial<CurrentSetup>;
    readonly effects?: Partial<SetupEffects>;
    readonly board?: Partial<BoardOptions>;
    readonly size?: readonly [number, number];
    readonly isWatching?: boolean;
  } = {},
): Promise<StartedSetup> {
  const effects = createFakeSetupEffects(options.set, options.effects);
  const { size } = options;
  const board = await startBoard(options.isWatching === true ? [aParcel()] : [], {
    ...(size === undefined ? {} : { size }),
    board: { setup: notSetUp, setupEffects: effects, ...options.board },
  });
  return { ...board, effects };
}

/** The check that was started last. */
const lastCheck = (effects: FakeSetupEffects, count = 1) =>
  eventually(async () => {
    expect(effects.checks).toHaveLength(count);
    const check = effects.checks.at(-1);
    if (check === undefined) throw new Error('no check was started');
    return check;
  });

/** Goes to the step that asks for the key. */
async function goToKey({ screen }: RunningBoard): Promise<void> {
  await screen.waitForText('Which service tracks your parcels?');
  await screen.type(enter).waitForText('The API key for Track123');
}

/** Enters a valid key, and goes to the step that asks where to save it. */
async function goToSave(board: StartedSetup, key = 'k3y-of-mine'): Promise<void> {
  await goToKey(board);
  await board.screen.type(key).waitForText(`${key.length} characters entered`);
  board.screen.type(enter);
  (await lastCheck(board.effects)).end(passingCheck);
  await board.screen.waitForText('It works');
  await board.screen.type(enter).waitForText('Where should the key be saved?');
}

/** Skips to the step that asks for the zone. */
async function goToZone({ screen }: RunningBoard): Promise<void> {
  await screen.waitForText('Which service tracks your parcels?');
  await screen.type(tab).waitForText('What is your time zone?');
}

describe('setting up', () => {
  test('goes from nothing to a board with a number by typing and pressing Enter', async () => {
    const board = await start();
    const { effects, monitor, screen } = board;
    const first = await screen.waitForText('Which service tracks your parcels?');
    expect(first).toContain('Setup · 1 of 7 · Service');
    expect(first).toContain('https://www.track123.com');
    await goToSave(board);
    await screen.type(enter).waitForText('✓ Saved in config.json.');
    await screen.waitForText('What is your time zone?');
    await screen.type(enter).waitForText('Terminal bell');
    await screen.type(' ').waitForText('[x]');
    const last = await screen.type(enter).waitForText('Your first numbers');
    expect(last).toMatch(/Notify +bell/);
    await screen.type('1Z999AA10123456784').waitForText('add ▸ 1Z999AA10123456784');
    await screen.type(enter).waitForText('✓ 1Z999AA10123456784');
    await screen.type(enter).waitForText('1 All');
    expect(screen.text()).not.toContain('Setup ·');
    expect(effects.calls).toEqual(['saveService profile entered file', 'save notify.channels bell']);
    expect(effects.savedKeys).toEqual(['k3y-of-mine']);
    expect(monitor.calls.filter((call) => call.startsWith('add'))).toHaveLength(1);
  });

  test('the key is never on the screen, typed or pasted', async () => {
    const board = await start();
    await goToKey(board);
    const text = await board.screen
      .type('\u001b[200~secret-of-mine-0123\n\u001b[201~')
      .waitForText('19 characters entered');
    expect(text).toContain(`key ▸ ${'•'.repeat(19)}`);
    expect(text).not.toContain('secret');
    expect(board.screen.cursor().column).toBe(' key ▸ '.length + 19);
    board.screen.type(enter);
    const { request } = await lastCheck(board.effects);
    expect(request.key).toEqual({ kind: 'entered', key: 'secret-of-mine-0123' });
    expect(request.service).toEqual({ kind: 'profile', profile: 'track123' });
  });

  test('prevents a key that was cut from its line from being pasted elsewhere', async () => {
    const board = await start();
    const { screen } = board;
    await goToKey(board);
    await screen.type('secret').waitForText('6 characters entered');
    await screen.type('\u0015').waitUntilGone('characters entered');
    await screen.type(down).waitForText('command ▸');
    screen.type('\u0019');
    await screen.type('x').waitForText('command ▸ x');
    expect(screen.text()).not.toContain('secret');
  });

  test('a failed check shows the exact problem and can be repeated, and Enter returns to the key', async () => {
    const board = await start();
    await goToKey(board);
    const { effects, screen } = board;
    await screen.type('wrong').waitForText('5 characters entered');
    screen.type(enter);
    const check = await lastCheck(effects);
    await screen.waitForText('checking…');
    check.end(refusedKeyCheck);
    const failed = await screen.waitForText('The service refuses this key (A0230)');
    expect(failed).toMatch(/✗ API key +refused/);
    expect(failed).toContain('Enter to go back to the key');
    screen.type('r');
    (await lastCheck(effects, 2)).end(refusedKeyCheck);
    await screen.waitForText('Enter to go back to the key');
    await screen.type(enter).waitForText('5 characters entered');
  });

  test('leaving the check cancels its call and hides its result', async () => {
    const board = await start();
    await goToKey(board);
    await board.screen.type('a-key').waitForText('5 characters entered');
    board.screen.type(enter);
    const { end, request } = await lastCheck(board.effects);
    await board.screen.waitForText('Does it work with Track123?');
    await board.screen.type(escapeKey).waitForText('5 characters entered');
    expect(request.signal.aborted).toBe(true);
    end(refusedKeyCheck);
    expect(await board.screen.type('!').waitForText('6 characters entered')).not.toContain('A0230');
  });

  test('a different address is validated when it is entered, and the key is checked there', async () => {
    const { screen, effects } = await start();
    await screen.waitForText('Which service');
    screen.type(down);
    await screen.type(enter).waitForText("What is the service's address");
    await screen.type('http://elsewhere.example').waitForText('elsewhere.example');
    await screen.type(enter).waitForText('Plain HTTP to elsewhere.example is refused');
    screen.type('\u0015');
    screen.type('http://127.0.0.1:8080/base');
    await screen.waitForText('address ▸ http://127.0.0.1:8080/base');
    await screen.type(enter).waitForText('Which header carries the API key?');
    screen.type(enter);
    await screen.waitForText('The API key for http://127.0.0.1:8080/base');
    await screen.type('abc').waitForText('3 characters');
    screen.type(enter);
    const { request } = await lastCheck(effects);
    expect(request.service).toEqual({ kind: 'base-url', baseUrl: 'http://127.0.0.1:8080/base', header: null });
  });

  test('an address pasted at the choices is accepted, and other pasted text is never visible', async () => {
    const { screen } = await start();
    await screen.waitForText('Which service');
    await screen.type('\u001b[200~secret-of-mine-0123\u001b[201~').waitForText('You cannot type or paste here.');
    expect(screen.text()).not.toContain('secret');
    screen.type('\u001b[200~https://parcels.example/api\n\u001b[201~');
    await screen.waitForText('address ▸ https://parcels.example/api');
  });

  test('numbers pasted after the questions about the service become the first numbers', async () => {
    const board = await start();
    const { screen } = board;
    await goToZone(board);
    await screen.type(enter).waitForText('Terminal bell');
    await screen.type('\u001b[200~1Z999AA10123456784\u001b[201~').waitForText('Your first numbers');
    await screen.waitForText('add ▸ 1Z999AA10123456784');
  });

  test('a failure to save is shown, and saving can be retried', async () => {
    const board = await start();
    await goToSave(board);
    board.effects.failNext('The disk is full. Free some space.');
    await board.screen.type(enter).waitForText('The disk is full.');
    await board.screen.type(enter).waitForText('What is your time zone');
    expect(board.effects.savedKeys).toHaveLength(2);
  });

  test('a key store that cannot be used shows why', async () => {
    const board = await start();
    await goToSave(board);
    board.screen.type(down);
    await board.screen.type(enter).waitForText('! secret-tool is not installed.');
    expect(board.effects.calls).toEqual([]);
  });

  test('a command that prints the key needs no key store', async () => {
    const board = await start();
    const { effects, screen } = board;
    await goToKey(board);
    screen.type(down);
    await screen.type('pass show parcels').waitForText('command ▸ pass show parcels');
    screen.type(enter);
    (await lastCheck(effects)).end(passingCheck);
    await screen.waitForText('It works');
    await screen.type(enter).waitForText('Save the service and the command?');
    await screen.type(enter).waitForText('What is your time zone');
    expect(effects.calls).toEqual(['saveService profile command']);
  });

  test('each step can be skipped and opened again', async () => {
    const { effects, screen } = await start();
    await screen.waitForText('Which service');
    await screen.type(tab).waitForText('What is your time zone');
    await screen.type(enter).waitForText('How do you want to be notified of changes?');
    await screen.type(tab).waitForText('Your first numbers');
    await screen.type(escapeKey).waitForText('back');
    await screen.type(escapeKey).waitForText('How do you want to be notified of changes?');
    await screen.type(escapeKey).waitForText('What is your time zone');
    await screen.type(escapeKey).waitForText('Which service');
    await screen.type(escapeKey).waitForText('Press C to set up later.');
    expect(effects.calls).toEqual([]);
    await screen.type('C').waitForText('Which service');
  });

  test('a zone is found by its city and completed with Tab', async () => {
    const board = await start();
    const { effects, screen } = board;
    await goToZone(board);
    await screen.type('tok').waitForText('Asia/Tokyo');
    await screen.type(tab).waitForText('zone ▸ Asia/Tokyo');
    await screen.type(enter).waitForText('How do you want to be notified of changes?');
    expect(screen.text()).toContain('choose with the arrow keys and Space, then press Enter');
    expect(effects.calls).toEqual(['save zone Asia/Tokyo']);
  });

  test('a channel can be tested, and shows why if it cannot be used', async () => {
    const board = await start();
    const { effects, screen } = board;
    await goToZone(board);
    await screen.type(enter).waitForText('Terminal bell');
    await screen.type('t').waitForText('Did you see or hear it?');
    screen.type('j');
    await screen.type(' ').waitForText('▌     There is no desktop over SSH.');
    expect(effects.calls).toEqual(['testChannel bell']);
  });

  test('setup asks for the command that runs for each change, then saves, tests and shows it', async () => {
    const board = await start();
    const { effects, screen } = board;
    await goToZone(board);
    await screen.type(enter).waitForText('Not set yet. Press Space to enter a command.');
    await screen.type('jj').waitForText('▌ [ ] Your own command');
    await screen.type(' ').waitForText('Which command should run for each change?');
    await screen.type(enter).waitForText('Type a command, such as');
    await screen.type('my-hook "two words"').waitForText('command ▸ my-hook "two words"');
    await screen.type(escapeKey).waitForText('▌ [ ] Your own command');
    await screen.type('e').waitForText('command ▸ my-hook "two words"');
    const text = await screen.type(enter).waitForText('Did you see or hear it?');
    expect(text).toContain('▌ [x] Your own command');
    expect(text).toContain('✓ Each change will run: my-hook "two words"');
    await screen.type(enter).waitForText('Your first numbers');
    expect(effects.calls).toEqual([
      'save notify.command my-hook two words',
      'testChannel command',
      'save notify.channels command',
    ]);
  });

  test("setup asks for a channel's address and token, then saves and tests them, and shows neither again", async () => {
    const board = await start();
    const { effects, screen } = board;
    await goToZone(board);
    await screen.type(enter).waitForText('Not set yet. Press Space to enter a command.');
    await screen.type('jjj').waitForText('▌ [ ] Gotify');
    await screen.type(' ').waitForText('Address of your Gotify server');
    await screen.type(enter).waitForText('Type or paste a value first');
    screen.type('https://gotify.example');
    await screen.waitForText('answer ▸ https://gotify.example');
    await screen.type(enter).waitForText('Token of your application at Gotify');
    expect(await screen.type('s3cret').waitForText('answer ▸ ••••••')).not.toContain('s3cret');
    const text = await screen.type(enter).waitForText('Did you see or hear it?');
    expect(text).toContain('▌ [x] Gotify');
    expect(effects.calls).toEqual([
      'saveChannel gotify {"url":"https://gotify.example","token":"s3cret"}',
      'testChannel gotify',
    ]);
    // The answers are forgotten.
    await screen.type('e').waitForText('Address of your Gotify server');
    expect(screen.text()).not.toContain('gotify.example');
    await screen.type(escapeKey).waitForText('▌ [x] Gotify');
    await screen.type('e').waitForText('Address of your Gotify server');
    await screen.type('\t').waitForText('Your first numbers');
  });

  test("the service's page is opened on request, or its address is shown if that fails", async () => {
    const opened: string[] = [];
    const { screen } = await start({
      board: {
        openPage: async (address) => {
          opened.push(address);
          return opened.length === 1 ? null : 'there is no desktop to open it on';
        },
      },
    });
    await screen.waitForText('Which service');
    screen.type('o');
    await screen.waitForText('Opened https://www.track123.com.');
    screen.type('o');
    await screen.waitForText('Open the page yourself (there is no desktop to open it on): https://www.track123.com');
  });

  test('the sandbox can be chosen instead of a service', async () => {
    const { effects, screen } = await start();
    await screen.waitForText('Which service');
    screen.type('j');
    screen.type('j');
    await screen.type(enter).waitForText('This is the sandbox');
    expect(effects.calls).toEqual(['enterSandbox']);
  });

  test('C in the sandbox returns to setup', async () => {
    const { effects, screen } = await start({
      effects: { isInSandbox: true },
      board: { setup: { kind: 'ready' }, badge: 'DEMO' },
    });
    await screen.waitForText('DEMO');
    await screen.type('C').waitForText('Which service');
    expect(effects.calls).toEqual(['leaveSandbox']);
  });

  test('current settings are shown, suggested, and kept with Enter', async () => {
    const board = await start({
      isWatching: true,
      board: { setup: { kind: 'ready' }, opensSetup: true },
      set: {
        service: { kind: 'profile', profile: 'track123', place: 'config.json: profile', overridesFile: false },
        key: { place: 'PARCEL_MONITOR_API_KEY', overridesFile: true },
      },
    });
    const { effects, screen } = board;
    await screen.waitForText('Currently: config.json: profile.');
    const key = await screen.type(enter).waitForText('PARCEL_MONITOR_API_KEY overrides what you save here');
    expect(key).toContain('The current key');
    screen.type(enter);
    (await lastCheck(effects)).end(passingCheck);
    await screen.waitForText('It works');
    await screen.type(enter).waitForText('What is your time zone');
    expect(effects.calls).toEqual([]);
  });

  test('the current key is sent to a different address only after an explicit choice with a warning', async () => {
    const board = await start({
      isWatching: true,
      board: { setup: { kind: 'ready' }, opensSetup: true },
      set: customService,
    });
    const { effects, screen } = board;
    await screen.waitForText('▌ Another address');
    screen.type(enter);
    await screen.waitForText('address ▸ http://127.0.0.1:8080/');
    screen.type('\u0015https://elsewhere.example/');
    await screen.waitForText('address ▸ https://elsewhere.example/');
    await screen.type(enter).waitForText('Which header carries the API key?');
    await screen.type(enter).waitForText('▌ Another key');
    await screen.type(enter).waitForText('Paste or type the key first, or press Tab to continue without one.');
    expect(effects.checks).toEqual([]);
    await screen.type(down).waitForText('command ▸');
    await screen
      .type(down)
      .waitForText('▌ This key belongs to another address. Press Enter to send it to elsewhere.example anyway.');
    const zone = await screen.type(tab).waitForText('What is your time zone?');
    expect(zone).toContain('elsewhere.example has no key yet, so 127.0.0.1:8080 stays in use.');
    expect(effects.checks).toEqual([]);
    expect(effects.calls).toEqual([]);
  });

  test('the configured key is not sent after the settings were changed elsewhere', async () => {
    let set: CurrentSetup = { ...emptySetup, ...customService };
    const board = await start({
      isWatching: true,
      board: { setup: { kind: 'ready' }, opensSetup: true },
      effects: { current: async () => set },
    });
    const { effects, screen } = board;
    await screen.waitForText('▌ Another address');
    await screen.type(tab).waitForText('▌ The current key');
    const service = {
      kind: 'profile',
      profile: 'track123',
      place: 'config.json: profile',
      overridesFile: false,
    } as const;
    set = { ...set, service };
    await screen.type(enter).waitForText('The settings were changed elsewhere. Choose the key again.');
    expect(effects.checks).toEqual([]);
  });

  test('a key that was typed but not chosen is not kept', async () => {
    const fromConfig = { place: 'config.json: profile', overridesFile: false };
    const service = { kind: 'profile', profile: 'track123', ...fromConfig } as const;
    const { effects, screen } = await start({
      set: { service, key: { ...fromConfig, place: 'config.json: apiKeyFile' } },
    });
    await screen.waitForText('Which service tracks your parcels?');
    await screen.type(enter).waitForText('▌ The current key');
    await screen.type(down).waitForText('▌ Another key');
    await screen.type('a-key').waitForText('5 characters entered');
    await screen.type('\u001b[A').waitForText('▌ The current key');
    await screen.type(enter).waitForText('Does it work with Track123?');
    const check = await lastCheck(effects);
    expect(check.request.key).toEqual({ kind: 'present' });
    await screen.type(escapeKey).waitForText('▌ The current key');
    expect(await screen.type(down).waitForText('▌ Another key')).not.toContain('characters entered');
  });

  test('no question can be answered before the settings are loaded', async () => {
    const loading = Promise.withResolvers<CurrentSetup>();
    const board = await start({
      isWatching: true,
      board: { setup: { kind: 'ready' }, opensSetup: true },
      effects: { current: () => loading.promise },
    });
    const { effects, screen } = board;
    await screen.waitForText('Reading the settings');
    screen.type(enter);
    await screen.type(enter).waitForText('Still working, one moment.');
    loading.resolve({ ...emptySetup, ...customService });
    await screen.waitForText('▌ Another address');
    screen.type(enter);
    await screen.waitForText('address ▸ http://127.0.0.1:8080/');
    expect(effects.checks).toEqual([]);
  });

  test('Tab says what it skips, and a typed address is kept', async () => {
    const { screen } = await start();
    await screen.waitForText('Tab skip service and key');
    screen.type(down);
    screen.type(enter);
    await screen.waitForText('https://host/path');
    screen.type('https://mine.example/');
    await screen.waitForText('address ▸ https://mine.example/');
    await screen.type(tab).waitForText('Press Esc to return to the address you typed.');
    screen.type(escapeKey);
    await screen.waitForText('address ▸ https://mine.example/');
  });

  test('Esc goes back through every question with its answer, and a different service never gets the typed key', async () => {
    const { effects, screen } = await start();
    await screen.waitForText('▌ Track123');
    screen.type(down);
    screen.type(enter);
    await screen.waitForText('https://host/path');
    screen.type('http://127.0.0.1:8111');
    await screen.waitForText('address ▸ http://127.0.0.1:8111');
    await screen.type(enter).waitForText('header ▸');
    await screen.type('X-Mine').waitForText('header ▸ X-Mine');
    screen.type(enter);
    await screen.waitForText('The API key for http://127.0.0.1:8111');
    await screen.type('key-of-mine').waitForText('11 characters entered');
    await screen.type(escapeKey).waitForText('header ▸ X-Mine');
    screen.type(escapeKey);
    await screen.waitForText('address ▸ http://127.0.0.1:8111');
    await screen.type(escapeKey).waitForText('▌ Another address');
    await screen.type('k').waitForText('▌ Track123');
    expect(await screen.type(enter).waitForText('The API key for Track123')).not.toContain('characters entered');
    await screen.type(enter).waitForText('Paste or type the key first, or press Tab to continue without one.');
    expect(effects.checks).toEqual([]);
  });

  test("C in the sandbox opens the user's parcels if everything is set up", async () => {
    const { effects, screen } = await start({
      isWatching: true,
      effects: { isInSandbox: true },
      set: customService,
      board: { setup: { kind: 'ready' }, badge: 'DEMO' },
    });
    await screen.waitForText('DEMO');
    await screen.type('C').waitForText('Back to your own parcels.');
    expect(screen.text()).not.toContain('Which service');
    expect(effects.calls).toEqual(['leaveSandbox']);
  });

  test('the next paste replaces a rejected key', async () => {
    const board = await start();
    const { effects, screen } = board;
    await goToKey(board);
    await screen.type('wrong').waitForText('5 characters entered');
    screen.type(enter);
    (await lastCheck(effects)).end(refusedKeyCheck);
    await screen.waitForText('Enter to go back to the key');
    await screen.type(escapeKey).waitForText('5 characters entered. That key was refused');
    await screen.type('\u001b[200~right-key\u001b[201~').waitForText('9 characters entered');
    screen.type(enter);
    const { request } = await lastCheck(effects, 2);
    expect(request.key).toEqual({ kind: 'entered', key: 'right-key' });
  });

  test('setup starts with the key if the address is already set', async () => {
    const { screen } = await start({
      board: { setup: { ...notSetUp, baseUrl: 'http://127.0.0.1:8080/' } },
      set: {
        service: {
          kind: 'base-url',
          baseUrl: 'http://127.0.0.1:8080/',
          header: null,
          place: 'PARCEL_MONITOR_BASE_URL',
          overridesFile: true,
        },
      },
    });
    await screen.waitForText('The API key for http://127.0.0.1:8080');
  });

  test('a opens the first numbers from anywhere, and the help lists the keys of the step', async () => {
    const { screen } = await start();
    await screen.waitForText('Which service');
    await screen.type('?').waitForText('Skip this step');
    await screen.type(escapeKey).waitForText('Which service');
    await screen.type('a').waitForText('Your first numbers');
    await screen.type(enter).waitForText('Press C to set up later.');
  });

  test.each([
    [40, 10],
    [160, 50],
  ] as const)('at %ix%i each step shows what is selected', async (columns, rows) => {
    const board = await start({ size: [columns, rows] });
    const { effects, screen } = board;
    await screen.waitForText('▌ Track123');
    await screen.type('j').waitForText('▌ Another address');
    await screen.type('j').waitForText('▌ The sandbox');
    screen.type('k');
    screen.type('k');
    await screen.type(enter).waitForText('▌ Paste or type the key');
    await screen.type('abc').waitForText('key ▸ •••');
    screen.type(enter);
    (await lastCheck(effects)).end(refusedKeyCheck);
    await screen.waitForText('The service refuses this key');
    await screen.type(tab).waitForText('▌ A file that only you can read');
    await screen.type(enter).waitForText('▌ Europe/Berlin');
    await screen.type(enter).waitForText('▌ [ ] Terminal bell');
    await screen.type(enter).waitForText('Your first numbers');
  });
});
