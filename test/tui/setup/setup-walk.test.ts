import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameService, serviceWords } from '../../../src/settings/setup/choices.ts';
import type { ServiceChoice, SetupNow } from '../../../src/settings/setup/effects.ts';
import { handleKey } from '../../../src/tui/app/handle-input.ts';
import { lineEditing } from '../../../src/tui/app/keymap.ts';
import { type Board, initialUiState, type UiState } from '../../../src/tui/app/state.ts';
import { applyChange, type Changes } from '../../../src/tui/keys/binding.ts';
import { setupContent } from '../../../src/tui/setup/setup.tsx';
import { openedSetup, provedBy, type SettingUp, withSetup } from '../../../src/tui/setup/state.ts';
import { fieldOf, shownStep } from '../../../src/tui/setup/step.ts';
import { now as at, berlin } from '../../board/parcels.ts';
import { createFakeSetupEffects, nothingSet, refusedKey, workingProof } from '../../support/fake-setup-effects.ts';
import { rounds } from '../../support/rounds.ts';

/** What is set: the key with the service that it was entered for. */
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

const nowOf = ({ keyOf, service }: World): SetupNow => ({
  ...nothingSet,
  service: service === null ? null : { ...service, place: 'config.json', outranksFile: false },
  key: keyOf === null ? null : { place: 'config.json: apiKeyFile', outranksFile: false },
});

/** A conversation without a screen: keys in, what is sent and saved out. */
function startTalk(first: World, proofs: () => boolean) {
  let world = first;
  let ui: UiState = { ...initialUiState, settingUp: openedSetup('service') };
  let looked: string | null = null;
  const wrongs: string[] = [];
  /** As the screen said it when the first character was typed, or when the key that is set was chosen. */
  let typedFor: string | null = null;
  let chosenFor: string | null = null;
  let saves = 0;
  const change = (wanted: Changes<UiState>): void => {
    ui = applyChange(ui, wanted);
  };
  const known = createFakeSetupEffects().knownServices;
  const wordsOf = (service: ServiceChoice): string => serviceWords(service, known);
  const isAllowed = (service: ServiceChoice, kind: 'entered' | 'command' | 'present'): boolean => {
    if (kind !== 'present') return typedFor === wordsOf(service);
    return chosenFor === wordsOf(service) || (world.service !== null && wordsOf(world.service) === wordsOf(service));
  };
  const effects = createFakeSetupEffects(
    {},
    {
      current: async () => nowOf(world),
      saveService: ({ key, service }) => {
        saves += 1;
        const isOwn =
          key === null ? world.keyOf === null || isSameService(world.keyOf, service) : isAllowed(service, key.kind);
        if (!isOwn) wrongs.push(`saved ${key?.kind ?? 'no key'} for ${wordsOf(service)}`);
        world = { service, keyOf: key === null ? world.keyOf : service };
        return Promise.resolve({ kind: 'done', summary: 'Saved.', warnings: [] } as const);
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
      openPage: async () => null,
    }) as unknown as Board;
  const question = (setup: SettingUp): string => {
    const { lines } = setupContent(setup, effects, board(), { height: 40, width: 100 });
    const text = lines.flatMap((line) => line.map((segment) => segment.text)).join('\n');
    return /The key of (\S+)/.exec(text)?.[1] ?? '';
  };
  /** What the screen does by itself, until nothing is left to do. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 12; round += 1) {
      // What was begun has ended by then: here nothing takes time.
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      const { settingUp } = ui;
      if (settingUp === null) return;
      if (settingUp.step !== looked || !settingUp.hasLooked) {
        looked = settingUp.step;
        change(withSetup({ hasLooked: true, now: nowOf(world) }));
      }
      const proved = ui.settingUp === null ? null : provedBy(ui.settingUp);
      if (proved !== null && ui.settingUp?.proof.proof === null) {
        if (!isAllowed(proved.service, proved.key.kind)) {
          wrongs.push(
            `sent ${proved.key.kind} to ${wordsOf(proved.service)}, typed for ${typedFor}, chosen for ${chosenFor}`,
          );
        }
        const outcome = proofs() ? workingProof : refusedKey;
        change(withSetup(({ proof }) => ({ proof: { ...proof, checks: outcome.checks, proof: outcome } })));
      }
      if (ui.settingUp?.step === 'save' && ui.settingUp.stores === null) {
        const stores = await effects.keyStores(track123);
        change(withSetup({ stores }));
      }
      if (ui.settingUp?.step === 'notify' && ui.settingUp.channels === null) {
        const channels = await effects.channels();
        change(withSetup({ channels }));
      }
    }
  };
  const selected = (setup: SettingUp): string | null => shownStep(setup, effects, at).selected?.id ?? null;
  return {
    wrongs,
    get setup() {
      return ui.settingUp;
    },
    get saves() {
      return saves;
    },
    selected,
    settle,
    /** Whether a line is typed, and short enough for one row with what is typed next. */
    isTyping(): boolean {
      const field = ui.settingUp === null ? null : fieldOf(ui.settingUp);
      return field !== null && (ui.settingUp?.fields[field].text.length ?? 0) < 40;
    },
    async press(name: string, text: string | null = null): Promise<void> {
      const before = ui.settingUp;
      // The first numbers are taken by the bar of the board, which a walk leaves as it is.
      if (before?.step === 'numbers' && ui.focus === 'add' && name !== 'escape') return;
      const isKeyStep = before?.step === 'key';
      if (isKeyStep && name === 'enter' && selected(before) === 'present') chosenFor = question(before);
      const typed = before === null ? '' : before.fields.key.text + before.fields.command.text;
      handleKey(board(), { name, text });
      const after = ui.settingUp;
      const typedNow = after === null ? '' : after.fields.key.text + after.fields.command.text;
      if (isKeyStep && typed === '' && typedNow !== '') typedFor = question(before);
      await settle();
      if (ui.settingUp === null) {
        typedFor = null;
        chosenFor = null;
        looked = null;
        change({ settingUp: openedSetup('service'), focus: 'list', overlay: null });
        await settle();
      }
    },
    /** Somebody else has changed what is set. */
    changeWorld(other: World): void {
      world = other;
      chosenFor = null;
    },
  };
}

const typing = fc.constantFrom('k', 'https://a.example', 'https://b.example', 'http://127.0.0.1:8080', 'X-Other', '2');
const keys = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('enter') },
  { weight: 4, arbitrary: fc.constantFrom('escape', 'down', 'up') },
  { weight: 2, arbitrary: fc.constantFrom('tab', 'ctrl+u', 'a') },
);
const actions = fc.oneof(
  { weight: 12, arbitrary: keys.map((key) => ({ kind: 'key', key }) as const) },
  { weight: 5, arbitrary: typing.map((text) => ({ kind: 'type', text }) as const) },
  { weight: 1, arbitrary: fc.constantFrom(...worlds).map((world) => ({ kind: 'world', world }) as const) },
);

test('whatever is typed, a key goes where the screen said when it was given, and Esc goes back to the question as it was answered', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...worlds),
      fc.infiniteStream(fc.boolean()),
      fc.array(actions, { minLength: 5, maxLength: 60 }),
      async (world, proofs, given) => {
        const talk = startTalk(world, () => proofs.next().value ?? true);
        await talk.settle();
        let isAlone = true;
        for (const action of given) {
          if (action.kind === 'world') {
            talk.changeWorld(action.world);
            isAlone = false;
          } else if (action.kind === 'type') {
            // Where one chooses, letters are keys.
            for (const text of talk.isTyping() ? action.text : '') await talk.press(text, text);
          } else {
            const { saves, setup: before } = talk;
            const chosen = before === null ? null : talk.selected(before);
            await talk.press(action.key);
            const after = talk.setup;
            const isForward = action.key === 'enter' || action.key === 'tab';
            const hasMoved = after?.step !== before?.step || after?.openLine !== before?.openLine;
            if (!hasMoved) continue;
            if (!isForward || before === null || after === null || !isAlone) continue;
            if (before.step === 'check' || after.left.length <= before.left.length || talk.saves > saves) continue;
            await talk.press('escape');
            // The first one leaves the bar.
            if (after.step === 'numbers') await talk.press('escape');
            const back = talk.setup;
            expect([back?.step, back?.openLine, back && talk.selected(back)]).toEqual([
              before.step,
              before.openLine,
              chosen,
            ]);
            await talk.press(action.key);
          }
          expect(talk.wrongs).toEqual([]);
        }
      },
    ),
    { numRuns: rounds(800) },
  );
});
