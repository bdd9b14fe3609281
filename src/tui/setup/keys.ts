import { messageOf } from '../../lib/error-text.ts';
import type { Tone } from '../../lib/paint.ts';
import { knownProfile } from '../../settings/service-address.ts';
import { commandChannelId } from '../../settings/setup/board-setup.ts';
import type { Board } from '../board.ts';
import { inBackground, showMessage } from '../footer.ts';
import { openHelp } from '../help/keys.ts';
import { type Binding, type KeyGroup, movement } from '../keys/binding.ts';
import { moveWithin } from '../layout.ts';
import { createEdit, emptyEdit, type TextEdit } from '../text-edit.ts';
import type { SetupState, SetupStep } from '../ui-state.ts';
import { openSettings, submitAnswer, testResultNote } from './answers.ts';
import { currentConversation, goBack, goToNumbers, openSetup, readyConversation, skip } from './conversation.ts';
import {
  changeSetup,
  chosenService,
  enabledChannels,
  hasChannelQuestions,
  isRefusedKey,
  setField,
  stepAfter,
} from './state.ts';
import { currentField, currentStepChoices, isSecretField } from './steps.ts';

export const openSetupKey: Binding = {
  id: 'setup',
  keys: ['C'],
  description: 'Set up, or leave the sandbox',
  synonyms: ['configure', 'settings', 'login', 'service', 'notifications'],
  disabled: ({ setupEffects, setupProblem = 'There is nothing to set up here.' }) =>
    setupEffects === null ? setupProblem : null,
  run: openSetup,
};

const currentStep = ({ ui }: Board): SetupStep | null => ui.setupState?.step ?? null;

function scroll({ change, scroll: { last, offset } }: Board, by: number): void {
  change(changeSetup({ offset: moveWithin(offset, by, last) }));
}

/** Moves the selection. Past the first or last choice, scrolls the text. */
function move(board: Board, by: number): void {
  const conversation = currentConversation(board);
  if (conversation === null) return;
  const { choices, index } = conversation.stepChoices;
  const next = moveWithin(index, by, choices.length - 1);
  if (choices.length === 0 || next === index) scroll(board, by);
  else board.change(changeSetup({ index: next, offset: null }));
}

/** Returns the page where users get an API key for the selected or chosen service, or null if it is unknown. */
function keyPageUrl({ now, ui: { setupState: setup } }: Board): string | null {
  if (setup === null) return null;
  const chosen = chosenService(setup);
  const profile =
    setup.step === 'service'
      ? currentStepChoices(setup, now).selected?.id
      : chosen?.kind === 'profile'
        ? chosen.profile
        : null;
  return knownProfile(profile ?? '')?.page ?? null;
}

const openPageHint = (board: Board): string | null =>
  (currentStep(board) === 'service' || currentStep(board) === 'key') && keyPageUrl(board) !== null ? 'open page' : null;

function openKeyPage(board: Board): void {
  const page = keyPageUrl(board);
  if (page === null) {
    showMessage(board, 'This choice has no page.');
    return;
  }
  inBackground(board, async () => {
    const problem = await board.openPage(page);
    showMessage(board, problem === null ? `Opened ${page}.` : `Open the page yourself (${problem}): ${page}`, {
      durationMs: 60_000,
    });
  });
}

function toggleChannel(board: Board): void {
  const conversation = currentConversation(board);
  const selected = conversation?.stepChoices.selected ?? null;
  if (conversation === null || selected === null) return;
  const isUnconfigured = selected.unusable !== null && selected.isOn !== true;
  const hasSettings = selected.id === commandChannelId || hasChannelQuestions(conversation.setup, selected.id);
  if (isUnconfigured && hasSettings) openSettings(board);
  else if (selected.unusable !== null && selected.isOn !== true)
    showMessage(board, `${selected.title} is not available here; see the reason below its name.`);
  else
    board.change(
      changeSetup((setup) => {
        const enabledIds = enabledChannels(setup);
        const others = enabledIds.filter((channel) => channel !== selected.id);
        return { chosenChannels: others.length < enabledIds.length ? others : [...enabledIds, selected.id] };
      }),
    );
}

function testChannel(board: Board): void {
  const conversation = currentConversation(board);
  const name = conversation?.stepChoices.selected?.id;
  if (conversation === null || name === undefined) return;
  const note = (text: string, tone: Tone): void =>
    board.change(changeSetup(({ testResults }) => ({ testResults: { ...testResults, [name]: { text, tone } } })));
  note('Sending…', 'quiet');
  conversation.effects.testChannel(name).then(
    (failure) => {
      const { text, tone } = testResultNote(failure);
      note(text, tone);
    },
    (error: unknown) => note(messageOf(error), 'attention'),
  );
}

function checkAgain(board: Board): void {
  if (readyConversation(board) === null) return;
  board.change(changeSetup(({ run }) => ({ run: run + 1, checkResult: null, notes: [], offset: null })));
}

function completeZone(board: Board): void {
  const selected = currentConversation(board)?.stepChoices.selected ?? null;
  if (selected === null) return;
  board.change(
    changeSetup((setup) => ({ ...setField('zone', createEdit(selected.id))(setup), index: null, offset: null })),
  );
}

/** After a failed check, Enter goes back to the step to correct. */
function enterHint({ ui: { setupState } }: Board): string {
  const checkResult = setupState?.step === 'check' ? setupState.checkResult : null;
  if (checkResult === null || checkResult === undefined || checkResult.failure === null) return 'continue';
  if (checkResult.faultyStep === 'key') return 'edit key';
  return checkResult.faultyStep === 'service' ? 'edit address' : 'what to do';
}

/** Tab completes a typed zone. Otherwise it skips the step; skipping the service also skips the steps that need it. */
function tabHint({ ui: { setupState: setup } }: Board): string {
  if (setup?.step === 'zone' && setup.fields.zone.text !== '') return 'complete';
  return setup?.step === 'service' && stepAfter(setup) === 'zone' ? 'skip service and key' : 'skip';
}

const enter: Binding = {
  keys: ['enter'],
  hint: enterHint,
  description: 'Confirm the answer and continue',
  alwaysShown: true,
  run: submitAnswer,
};

const back: Binding = {
  keys: ['escape', 'shift+tab'],
  hint: 'back',
  description: 'Back one step, or to the board',
  alwaysShown: true,
  run: goBack,
};

const openPage: Binding = {
  keys: ['ctrl+o'],
  hint: openPageHint,
  description: 'Open the page with your API key',
  run: openKeyPage,
};

const tab: Binding = {
  keys: ['tab'],
  hint: tabHint,
  description: 'Skip this step, or complete a zone',
  alwaysShown: true,
  run: (board) => {
    const typed = currentFieldText(board.ui.setupState)?.text ?? '';
    if (currentStep(board) === 'zone' && typed !== '') completeZone(board);
    else skip(board);
  },
};

/** Returns the part of a binding that makes it work in one step only. */
const onlyInStep = (step: SetupStep, hint: string, reason: string): Pick<Binding, 'disabled' | 'hint'> => ({
  hint: (board) => (currentStep(board) === step ? hint : null),
  disabled: (board) => (currentStep(board) === step ? null : reason),
});

const pages: readonly Binding[] = [
  { keys: ['pageDown'], description: 'Scroll down a page', ...movement('page-down', scroll) },
  { keys: ['pageUp'], description: 'Scroll up a page', ...movement('page-up', scroll) },
];

export const setupKeys: KeyGroup = {
  context: 'setup',
  title: 'Setup',
  isClosed: true,
  bindings: [
    { keys: ['j', 'down'], description: 'Next choice', ...movement('down', move) },
    { keys: ['k', 'up'], description: 'Previous choice', ...movement('up', move) },
    enter,
    {
      keys: [' '],
      description: 'Turn the selected channel on or off',
      ...onlyInStep('notify', 'on/off', 'Press Enter to use the selected choice.'),
      run: toggleChannel,
    },
    {
      keys: ['t'],
      description: 'Send a test message through the selected channel',
      ...onlyInStep('notify', 'try', 'There is nothing to test here.'),
      run: testChannel,
    },
    {
      keys: ['e'],
      description: 'Enter the command, address or token of the selected channel',
      ...onlyInStep('notify', 'settings', 'There is nothing to type here.'),
      run: openSettings,
    },
    {
      keys: ['r'],
      description: 'Check the service and key again',
      ...onlyInStep('check', 'again', 'There is nothing to check here.'),
      run: checkAgain,
    },
    { ...openPage, keys: ['o', 'ctrl+o'] },
    tab,
    back,
    { keys: ['a', 'i'], description: 'Go to your first numbers', opensField: true, run: goToNumbers },
    ...pages,
    openHelp,
    { keys: ['q'], hint: 'quit', description: 'Quit, keeping saved answers', run: ({ quit }) => quit() },
  ],
};

/** Returns the key field after an edit. Typing or pasting replaces a refused key. */
function editKeyField(setup: SetupState, edit: TextEdit): TextEdit {
  const { cursor, text } = setup.fields.key;
  const inserted = edit.text.length - text.length;
  return isRefusedKey(setup) && inserted > 0 ? createEdit(edit.text.slice(cursor, cursor + inserted)) : edit;
}

function currentFieldText(setup: SetupState | null): TextEdit | null {
  const field = setup === null ? null : currentField(setup);
  return setup === null || field === null ? null : setup.fields[field];
}

export const setupFieldKeys: KeyGroup = {
  context: 'setup-field',
  title: 'Setup, typing',
  isClosed: true,
  text: {
    read: ({ setupState }) => currentFieldText(setupState) ?? emptyEdit,
    isSecret: ({ setupState }) => setupState !== null && isSecretField(setupState),
    write: ({ setupState }, edit) => {
      const field = setupState === null ? null : currentField(setupState);
      if (setupState === null || field === null) return {};
      // The list of zones changes with the text, so the selection starts again.
      const listsOtherZones = field === 'zone' && edit.text !== setupState.fields.zone.text;
      const fields = { ...setupState.fields, [field]: field === 'key' ? editKeyField(setupState, edit) : edit };
      return { setupState: { ...setupState, fields, offset: null, ...(listsOtherZones ? { index: null } : {}) } };
    },
  },
  bindings: [
    { keys: ['down', 'ctrl+n'], description: 'Next choice', ...movement('down', move) },
    { keys: ['up', 'ctrl+p'], description: 'Previous choice', ...movement('up', move) },
    enter,
    openPage,
    tab,
    back,
    ...pages,
  ],
};
