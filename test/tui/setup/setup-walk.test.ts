import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serviceText } from '../../../src/settings/setup/choices.ts';
import type { KeySource, ServiceChoice, SetupNow } from '../../../src/settings/setup/effects.ts';
import { handleKey, isTyped, typeText } from '../../../src/tui/app/app.tsx';
import { handlePaste } from '../../../src/tui/app/handle-paste.ts';
import { keymap, lineEditing } from '../../../src/tui/app/keymap.ts';
import type { Board } from '../../../src/tui/board.ts';
import { emptyEdit } from '../../../src/tui/field/text-edit.ts';
import { checkSettings, setupOverlay } from '../../../src/tui/setup/setup.ts';
import { keyOf, openedSetup, serviceOf, withSetup } from '../../../src/tui/setup/state.ts';
import { fieldOf, setupBarText, shownStep } from '../../../src/tui/setup/steps.ts';
import { applyChange, type Changes, initialUiState, type UiState } from '../../../src/tui/ui-state.ts';
import { now as at, berlin } from '../../board/parcels.ts';
import { createFakeSetupEffects, nothingSet, refusedKey, workingProof } from '../../support/fake-setup-effects.ts';
import { forAllLater } from '../../support/for-all.ts';
import { rounds } from '../../support/rounds.ts';

/** The current settings: the key with the service that it was entered for. */
interface World {
  readonly service: ServiceChoice | null;
  readonly keyOf: ServiceChoice | null;
}

const track123: ServiceChoice = { kind: 'profile', profile: 'track123' };
const at8080 = (header: string | null = null): ServiceChoice => ({
  kind: 'base-url',
  baseUrl: 'http://127.0.0.1:8080/',
  header,
});
const worlds: readonly World[] = [
  { service: null, keyOf: null },
  { service: track123, keyOf: track123 },
  { service: track123, keyOf: null },
  { service: at8080(), keyOf: at8080() },
  { service: at8080('X-Key'), keyOf: at8080('X-Key') },
];

const openAddresses = ['https://a.example', 'https://b.example', 'http://127.0.0.1:8080'] as const;
/** Typed text besides keys. */
const openTexts = [...openAddresses, 'X-Other', 'Berlin'] as const;
/** What Ctrl+Y can paste into another line, longest first, including text that the program filled in. */
const openLines = [...openAddresses.map((address) => `${address}/`), ...openTexts, 'X-Key'];

/** Part of every typed key, and of nothing else. */
const mark = 'QQ';

const nowOf = ({ keyOf: owner, service }: World): SetupNow => ({
  ...nothingSet,
  service: service === null ? null : { ...service, place: 'config.json', overridesFile: false },
  key: owner === null ? null : { place: `config.json: apiKeyFile of ${serviceText(owner)}`, overridesFile: false },
});

/** A conversation without a screen: keys in; calls, saved settings and screens out. */
function startWalk(first: World, works: () => boolean) {
  let world = first;
  let ui: UiState = { ...initialUiState, settingUp: openedSetup('service') };
  /** The service on the screen when the current key was chosen. */
  let presentFor: string | null = null;
  let chosenStore: string | null = null;
  const problems: string[] = [];
  const services: string[] = [];
  /** A letter for each service, by its name on the screen. Text for a service ends with its letter. */
  const letterOf = (name: string): string => {
    if (!services.includes(name)) services.push(name);
    return String.fromCharCode(65 + services.indexOf(name));
  };
  const seen = { sent: 0, saved: 0 };
  const change = (changes: Changes): void => {
    ui = applyChange(ui, changes);
  };
  const check = (isRight: boolean, problem: string): void => {
    if (!isRight) problems.push(problem);
  };
  /** Whether a key was given for this service. */
  const isFor = (key: KeySource, service: ServiceChoice): boolean => {
    const name = serviceText(service);
    // Ctrl+Y also pastes text from other lines into this one. Only a key must not come from a different service.
    const withoutOpenLines = (line: string): string =>
      openLines.reduce((rest, text) => rest.replaceAll(text, ''), line);
    if (key.kind === 'entered') return new RegExp(`^[Q${letterOf(name)}]*$`).test(withoutOpenLines(key.key));
    if (key.kind === 'command') return new RegExp(`^[pas${letterOf(name)}]*$`).test(withoutOpenLines(key.commandLine));
    return presentFor === name || (world.keyOf !== null && serviceText(world.keyOf) === name);
  };
  const expectNoKey = (where: string, what: unknown): void =>
    check(!(JSON.stringify(what) ?? '').includes(mark), `the key is in ${where}`);
  const store = { details: [], unusable: null };
  const effects = createFakeSetupEffects(
    {},
    {
      current: async () => nowOf(world),
      check: async ({ key, service }) => {
        seen.sent += 1;
        check(isFor(key, service), `sent ${JSON.stringify(key)} to ${serviceText(service)}`);
        return works() ? workingProof : refusedKey;
      },
      keyStores: async (service) => {
        expectNoKey('the question about key stores', service);
        return [
          { ...store, id: 'file', title: 'A file' },
          { ...store, id: 'keyring', title: 'The keyring' },
        ];
      },
      saveService: async ({ key, keyStore, service }) => {
        if (!works()) throw new Error('The disk is full.');
        seen.saved += 1;
        const { keyOf: owner } = world;
        const isOwn = key === null ? owner === null : isFor(key, service);
        check(isOwn, `saved ${JSON.stringify(key)} for ${serviceText(service)}`);
        check(keyStore === (key?.kind === 'entered' ? chosenStore : null), `saved in ${keyStore}, not ${chosenStore}`);
        expectNoKey('the service', service);
        world = { service, keyOf: key === null ? owner : service };
        return { summary: 'Saved.', warnings: [] };
      },
      save: async (...given) => {
        expectNoKey('a different setting', given);
        return { summary: 'Saved.', warnings: [] };
      },
    },
  );
  const board = (): Board =>
    ({
      ui,
      change,
      editLine: lineEditing(change),
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
    ui.settingUp === null
      ? ''
      : setupOverlay(ui.settingUp, board(), { height: 40, width: 100 })
          .lines.map((line) => line.map(({ text }) => text).join(''))
          .join('\n');
  /** Everything that is visible or remembered, except for the line and the answer with the key. */
  const look = (): void => {
    const { settingUp } = ui;
    expectNoKey('the state', {
      ...ui,
      settingUp: settingUp && { ...settingUp, key: null, fields: { ...settingUp.fields, key: emptyEdit } },
    });
    expectNoKey('the screen', screen());
    if (settingUp !== null) expectNoKey('the bar', setupBarText(settingUp, false));
    if (settingUp?.step === 'zone' && seen.saved > 0 && keyOf(settingUp)?.kind === 'present')
      expectNoKey('the rest', ui);
  };
  let provedRun = 0;
  /** What the board does by itself, until nothing is left to do. Nothing takes time here. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 4; round += 1) {
      for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
      const { settingUp: setup } = ui;
      if (setup === null) {
        presentFor = null;
        provedRun = 0;
        look();
        change({ settingUp: openedSetup('service'), focus: 'list', overlay: null });
      } else if (setup.now === null) change(withSetup({ now: await effects.current(), busy: null }));
      else if (setup.step === 'check' && setup.run !== provedRun) {
        provedRun = setup.run;
        change(withSetup(await checkSettings(effects, setup, new AbortController().signal)));
      } else if (setup.step === 'save' && keyOf(setup)?.kind === 'entered') {
        const service = serviceOf(setup);
        if (service !== null) change(withSetup({ stores: await effects.keyStores(service) }));
      } else if (setup.step === 'notify') change(withSetup({ channels: await effects.channels() }));
      look();
    }
  };
  const asked = (): string => /The API key for (\S+)/.exec(screen())?.[1] ?? '';
  const insert = (text: string, isPasted: boolean): void => {
    if (isPasted) handlePaste(board(), `${text}\n`);
    else for (const letter of text) if (isTyped(board(), { name: letter, text: letter })) typeText(board(), letter);
  };
  return {
    problems,
    seen,
    settle,
    press(name: string): void {
      const { focus, settingUp: setup } = ui;
      // The board's own bar reads the first numbers.
      if (setup === null || (setup.step === 'numbers' && focus === 'add' && name !== 'escape')) return;
      const selected = shownStep(setup, at).selected?.id ?? null;
      if (name === 'enter' && setup.step === 'key' && selected === 'present') presentFor = asked();
      if (name === 'enter' && setup.step === 'save') chosenStore = selected;
      handleKey({ ...board(), keymap }, { name, text: null });
    },
    /** Enters text into the open line. In the line for a key or its command, it belongs to the current service. */
    give(text: string, isPasted: boolean): void {
      const { settingUp: setup } = ui;
      if (setup === null || setup.step === 'notify' || setup.step === 'numbers') return;
      const field = fieldOf(setup);
      if (field === 'key') insert(`${mark}${letterOf(asked())}`, isPasted);
      else if (field === 'command') insert(`pass${letterOf(asked())}`, false);
      // At a choice, a paste may be a key that came too early.
      else if (field === null) handlePaste(board(), `${mark}9`);
      else {
        handleKey({ ...board(), keymap }, { name: 'ctrl+u', text: null });
        insert(text, isPasted);
      }
    },
    /** The open step, with its selected choice. */
    at(): string {
      const { settingUp: setup } = ui;
      return setup === null ? '' : `${setup.step} ${shownStep(setup, at).selected?.id ?? ''}`;
    },
    /** Changes the settings, as another program would. */
    changeWorld(next: World): void {
      // If the settings are the same, so is the key.
      if (JSON.stringify(next) !== JSON.stringify(world)) presentFor = null;
      world = next;
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
  { weight: 3, arbitrary: fc.constant({ kind: 'give-key' } as const) },
  { weight: 12, arbitrary: keys.map((key) => ({ kind: 'key', key }) as const) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('text' as const), text: openText, isPasted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constantFrom(...worlds).map((world) => ({ kind: 'world', world }) as const) },
);

type Action = typeof actions extends fc.Arbitrary<infer Generated> ? Generated : never;

async function act(walk: ReturnType<typeof startWalk>, action: Action): Promise<void> {
  const pressUntil = async (name: string, isThere: () => boolean): Promise<void> => {
    for (let count = 0; count < 9 && !isThere(); count += 1) {
      walk.press(name);
      await walk.settle();
    }
  };
  const isIn = (start: string) => (): boolean => walk.at().startsWith(start);
  if (action.kind === 'world') walk.changeWorld(action.world);
  else if (action.kind === 'text') walk.give(action.text, action.isPasted);
  else if (action.kind === 'key') walk.press(action.key);
  else if (action.kind === 'give-key') {
    if (!isIn('key ')()) return;
    await pressUntil('up', isIn('key entered'));
    await pressUntil('down', isIn('key entered'));
    walk.give('', true);
    walk.press('enter');
  } else {
    await pressUntil('escape', isIn('service '));
    await pressUntil('down', isIn('service other address'));
    await pressUntil('enter', isIn('url '));
    walk.give(action.address, true);
    await pressUntil('enter', isIn('key '));
  }
}

test('a key goes only to its service and place, and is never shown', async () => {
  const all = { sent: 0, saved: 0 };
  await forAllLater(
    rounds(200, 60),
    fc.constantFrom(...worlds),
    fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
    fc.array(actions, { minLength: 10, maxLength: 40 }),
    async (world, outcomes, given) => {
      const walk = startWalk(world, () => outcomes.next().value !== 0);
      await walk.settle();
      for (const action of given) {
        await act(walk, action);
        await walk.settle();
        expect(walk.problems).toEqual([]);
      }
      all.sent += walk.seen.sent;
      all.saved += walk.seen.saved;
    },
  );
  // A walk that reaches neither proves nothing.
  expect(all.sent).toBeGreaterThan(20);
  expect(all.saved).toBeGreaterThan(5);
});
