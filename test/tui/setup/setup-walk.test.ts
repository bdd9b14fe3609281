import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CurrentSetup, KeySource, ServiceChoice } from '../../../src/settings/setup/board-setup.ts';
import { serviceText } from '../../../src/settings/setup/choices.ts';
import { handleKey, isTyped, typeText } from '../../../src/tui/app/app.tsx';
import { handlePaste } from '../../../src/tui/app/handle-paste.ts';
import { createEditLine, keymap } from '../../../src/tui/app/keymap.ts';
import type { Board } from '../../../src/tui/board.ts';
import { checkSettings, setupOverlay } from '../../../src/tui/setup/setup.ts';
import { changeSetup, chosenKey, chosenService, createSetupState } from '../../../src/tui/setup/state.ts';
import { currentField, currentStepChoices, setupBarText } from '../../../src/tui/setup/steps.ts';
import { emptyEdit } from '../../../src/tui/text-edit.ts';
import { applyChange, type Changes, initialUiState, type UiState } from '../../../src/tui/ui-state.ts';
import { now as at, berlin } from '../../board/parcels.ts';
import { createFakeSetupEffects, emptySetup, passingCheck, refusedKeyCheck } from '../../support/fake-setup-effects.ts';
import { forAllAsync } from '../../support/for-all.ts';
import { rounds } from '../../support/rounds.ts';

/** The service in use, and the service that the current key was entered for. */
interface CurrentSettings {
  readonly service: ServiceChoice | null;
  readonly keyOwner: ServiceChoice | null;
}

const track123: ServiceChoice = { kind: 'profile', profile: 'track123' };
const at8080 = (header: string | null = null): ServiceChoice => ({
  kind: 'base-url',
  baseUrl: 'http://127.0.0.1:8080/',
  header,
});
const startingSettings: readonly CurrentSettings[] = [
  { service: null, keyOwner: null },
  { service: track123, keyOwner: track123 },
  { service: track123, keyOwner: null },
  { service: at8080(), keyOwner: at8080() },
  { service: at8080('X-Key'), keyOwner: at8080('X-Key') },
];

const openAddresses = ['https://a.example', 'https://b.example', 'http://127.0.0.1:8080'] as const;
/** Text that is typed, other than keys. */
const openTexts = [...openAddresses, 'X-Other', 'Berlin'] as const;
/** Text that Ctrl+Y can paste into a different line, longest first, including text that the program filled in. */
const openLines = [...openAddresses.map((address) => `${address}/`), ...openTexts, 'X-Key'];

/** Part of every typed key, and of nothing else. */
const keyMarker = 'QQ';

const nowOf = ({ keyOwner: owner, service }: CurrentSettings): CurrentSetup => ({
  ...emptySetup,
  service: service === null ? null : { ...service, place: 'config.json', overridesFile: false },
  key: owner === null ? null : { place: `config.json: apiKeyFile of ${serviceText(owner)}`, overridesFile: false },
});

/** Runs the setup without a terminal: keys go in; calls, saved settings and screens come out. */
function startWalk(first: CurrentSettings, succeeds: () => boolean) {
  let settings = first;
  let ui: UiState = { ...initialUiState, setupState: createSetupState('service') };
  /** The service on the screen when the current key was chosen. */
  let presentFor: string | null = null;
  let chosenStore: string | null = null;
  const problems: string[] = [];
  const services: string[] = [];
  /** A letter for each service, by its name on the screen. Text that is entered for a service ends with its letter. */
  const letterOf = (name: string): string => {
    if (!services.includes(name)) services.push(name);
    return String.fromCharCode(65 + services.indexOf(name));
  };
  const counts = { sent: 0, saved: 0 };
  const change = (changes: Changes): void => {
    ui = applyChange(ui, changes);
  };
  const expectTrue = (isTrue: boolean, problem: string): void => {
    if (!isTrue) problems.push(problem);
  };
  /** Whether a key was entered for this service. */
  const isFor = (key: KeySource, service: ServiceChoice): boolean => {
    const name = serviceText(service);
    // Ctrl+Y also pastes text from other lines into this one. Only a key must not come from a different service.
    const withoutOpenLines = (line: string): string =>
      openLines.reduce((rest, text) => rest.replaceAll(text, ''), line);
    if (key.kind === 'entered') return new RegExp(`^[Q${letterOf(name)}]*$`).test(withoutOpenLines(key.key));
    if (key.kind === 'command') return new RegExp(`^[pas${letterOf(name)}]*$`).test(withoutOpenLines(key.commandLine));
    return presentFor === name || (settings.keyOwner !== null && serviceText(settings.keyOwner) === name);
  };
  const expectNoKey = (where: string, what: unknown): void =>
    expectTrue(!(JSON.stringify(what) ?? '').includes(keyMarker), `the key is in ${where}`);
  const store = { details: [], unusable: null };
  const effects = createFakeSetupEffects(
    {},
    {
      current: async () => nowOf(settings),
      check: async ({ key, service }) => {
        counts.sent += 1;
        expectTrue(isFor(key, service), `sent ${JSON.stringify(key)} to ${serviceText(service)}`);
        return succeeds() ? passingCheck : refusedKeyCheck;
      },
      keyStores: async (service) => {
        expectNoKey('the request for key stores', service);
        return [
          { ...store, id: 'file', title: 'A file' },
          { ...store, id: 'keyring', title: 'The keyring' },
        ];
      },
      saveService: async ({ key, keyStore, service }) => {
        if (!succeeds()) throw new Error('The disk is full.');
        counts.saved += 1;
        const { keyOwner: owner } = settings;
        const isOwn = key === null ? owner === null : isFor(key, service);
        expectTrue(isOwn, `saved ${JSON.stringify(key)} for ${serviceText(service)}`);
        expectTrue(
          keyStore === (key?.kind === 'entered' ? chosenStore : null),
          `saved in ${keyStore}, not ${chosenStore}`,
        );
        expectNoKey('the service', service);
        settings = { service, keyOwner: key === null ? owner : service };
        return { summary: 'Saved.', warnings: [] };
      },
      save: async (...changes) => {
        expectNoKey('a different setting', changes);
        return { summary: 'Saved.', warnings: [] };
      },
    },
  );
  const board = (): Board =>
    ({
      ui,
      change,
      editLine: createEditLine(change),
      now: at,
      zone: berlin,
      setup: { kind: 'ready' },
      setupEffects: effects,
      scroll: { last: 0, offset: 0 },
      state: { parcels: [], polling: { readOnly: null } },
      quit: () => undefined,
      openPage: async (page: string) => {
        expectNoKey('the address of a page', page);
        return null;
      },
    }) as unknown as Board;
  const screen = (): string =>
    ui.setupState === null
      ? ''
      : setupOverlay(ui.setupState, board(), { height: 40, width: 100 })
          .lines.map((line) => line.map(({ text }) => text).join(''))
          .join('\n');
  /** Checks everything that is visible or remembered, except the key itself and the line in which it is typed. */
  const checkForKey = (): void => {
    const { setupState } = ui;
    expectNoKey('the state', {
      ...ui,
      setupState: setupState && { ...setupState, key: null, fields: { ...setupState.fields, key: emptyEdit } },
    });
    expectNoKey('the screen', screen());
    if (setupState !== null) expectNoKey('the bar', setupBarText(setupState, false));
    if (setupState?.step === 'zone' && counts.saved > 0 && chosenKey(setupState)?.kind === 'present')
      expectNoKey('the rest', ui);
  };
  let checkedRun = 0;
  /** Does what the board would do on its own, until nothing is left to do. Nothing takes time here. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 4; round += 1) {
      for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
      const { setupState: setup } = ui;
      if (setup === null) {
        presentFor = null;
        checkedRun = 0;
        checkForKey();
        change({ setupState: createSetupState('service'), focus: 'list', overlay: null });
      } else if (setup.active === null) change(changeSetup({ active: await effects.current(), busy: null }));
      else if (setup.step === 'check' && setup.run !== checkedRun) {
        checkedRun = setup.run;
        change(changeSetup(await checkSettings(effects, setup, new AbortController().signal)));
      } else if (setup.step === 'save' && chosenKey(setup)?.kind === 'entered') {
        const service = chosenService(setup);
        if (service !== null) change(changeSetup({ stores: await effects.keyStores(service) }));
      } else if (setup.step === 'notify') change(changeSetup({ channels: await effects.channels() }));
      checkForKey();
    }
  };
  const serviceOnScreen = (): string => /The API key for (\S+)/.exec(screen())?.[1] ?? '';
  const insert = (text: string, isPasted: boolean): void => {
    if (isPasted) handlePaste(board(), `${text}\n`);
    else for (const letter of text) if (isTyped(board(), { name: letter, text: letter })) typeText(board(), letter);
  };
  return {
    problems,
    counts,
    settle,
    press(name: string): void {
      const { focus, setupState: setup } = ui;
      // The first numbers are typed in the board's own input bar.
      if (setup === null || (setup.step === 'numbers' && focus === 'add' && name !== 'escape')) return;
      const selected = currentStepChoices(setup, at).selected?.id ?? null;
      if (name === 'enter' && setup.step === 'key' && selected === 'present') presentFor = serviceOnScreen();
      if (name === 'enter' && setup.step === 'save') chosenStore = selected;
      handleKey({ ...board(), keymap }, { name, text: null });
    },
    /** Enters text into the open line, or a key or command for the service on the screen if the line is for that. */
    enterText(text: string, isPasted: boolean): void {
      const { setupState: setup } = ui;
      if (setup === null || setup.step === 'notify' || setup.step === 'numbers') return;
      const field = currentField(setup);
      if (field === 'key') insert(`${keyMarker}${letterOf(serviceOnScreen())}`, isPasted);
      else if (field === 'command') insert(`pass${letterOf(serviceOnScreen())}`, false);
      // At a choice, a paste may be a key that was pasted too early.
      else if (field === null) handlePaste(board(), `${keyMarker}9`);
      else {
        handleKey({ ...board(), keymap }, { name: 'ctrl+u', text: null });
        insert(text, isPasted);
      }
    },
    /** The open step, with its selected choice. */
    at(): string {
      const { setupState: setup } = ui;
      return setup === null ? '' : `${setup.step} ${currentStepChoices(setup, at).selected?.id ?? ''}`;
    },
    /** Changes the settings, as another program would. */
    changeSettings(next: CurrentSettings): void {
      // If the settings are the same, so is the key.
      if (JSON.stringify(next) !== JSON.stringify(settings)) presentFor = null;
      settings = next;
    },
  };
}

const keys = fc.oneof(
  { weight: 7, arbitrary: fc.constant('enter') },
  { weight: 4, arbitrary: fc.constantFrom('escape', 'down', 'up') },
  { weight: 2, arbitrary: fc.constantFrom('tab', 'ctrl+u', 'ctrl+w', 'ctrl+y', 'backspace', 'r', 'ctrl+o') },
);
const addresses = fc.constantFrom(...openAddresses);
const openText = fc.constantFrom(...openTexts);
const actions = fc.oneof(
  { weight: 3, arbitrary: addresses.map((address) => ({ kind: 'service', address }) as const) },
  { weight: 3, arbitrary: fc.constant({ kind: 'enter-key' } as const) },
  { weight: 12, arbitrary: keys.map((key) => ({ kind: 'key', key }) as const) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('text' as const), text: openText, isPasted: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...startingSettings).map((settings) => ({ kind: 'settings', settings }) as const),
  },
);

type Action = typeof actions extends fc.Arbitrary<infer Generated> ? Generated : never;

async function act(walk: ReturnType<typeof startWalk>, action: Action): Promise<void> {
  const pressUntil = async (name: string, isReached: () => boolean): Promise<void> => {
    for (let count = 0; count < 9 && !isReached(); count += 1) {
      walk.press(name);
      await walk.settle();
    }
  };
  const isIn = (start: string) => (): boolean => walk.at().startsWith(start);
  if (action.kind === 'settings') walk.changeSettings(action.settings);
  else if (action.kind === 'text') walk.enterText(action.text, action.isPasted);
  else if (action.kind === 'key') walk.press(action.key);
  else if (action.kind === 'enter-key') {
    if (!isIn('key ')()) return;
    await pressUntil('up', isIn('key entered'));
    await pressUntil('down', isIn('key entered'));
    walk.enterText('', true);
    walk.press('enter');
  } else {
    await pressUntil('escape', isIn('service '));
    await pressUntil('down', isIn('service other address'));
    await pressUntil('enter', isIn('url '));
    walk.enterText(action.address, true);
    await pressUntil('enter', isIn('key '));
  }
}

test('a key is sent only to its own service, saved only in the chosen store, and never shown', async () => {
  const totals = { sent: 0, saved: 0 };
  await forAllAsync(
    rounds(200, 60),
    fc.constantFrom(...startingSettings),
    fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
    fc.array(actions, { minLength: 10, maxLength: 40 }),
    async (settings, outcomes, actionList) => {
      const walk = startWalk(settings, () => outcomes.next().value !== 0);
      await walk.settle();
      for (const action of actionList) {
        await act(walk, action);
        await walk.settle();
        expect(walk.problems).toEqual([]);
      }
      totals.sent += walk.counts.sent;
      totals.saved += walk.counts.saved;
    },
  );
  // The walks prove nothing unless some of them send and save keys.
  expect(totals.sent).toBeGreaterThan(20);
  expect(totals.saved).toBeGreaterThan(5);
});
