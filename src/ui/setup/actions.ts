import { enteredKeyId, keyCommandId, keyProblem, presentKeyId } from '../../board/setup/key-choices.ts';
import { headerProblem, otherAddressId, readAddress, sandboxId } from '../../board/setup/service-choices.ts';
import type { KeySource, ServiceChoice, SetupEffects, SetupOutcome } from '../../board/setup/setup-effects.ts';
import { type SetupStep, stepAfter, stepBefore } from '../../board/setup/steps.ts';
import type { Board } from '../board.ts';
import { editOf, emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import { chosenChannels } from './channel-choices.ts';
import { type ShownStep, shownStep } from './shown-step.ts';
import {
  answered,
  atStep,
  keyOf,
  openedSetup,
  type SettingUp,
  type SetupNote,
  serviceOf,
  settledOf,
  withSetup,
} from './state.ts';

/** An open conversation with what it needs. */
export interface Conversation {
  readonly board: Board;
  readonly setup: SettingUp;
  readonly effects: SetupEffects;
  readonly shown: ShownStep;
}

/** The open conversation of a board; null while nobody sets up. */
export function conversationOf(board: Board): Conversation | null {
  const { now, setupEffects: effects, ui } = board;
  const { settingUp: setup } = ui;
  return setup === null || effects === null ? null : { board, setup, effects, shown: shownStep(setup, effects, now) };
}

/** Begins to set up; from the sandbox, behind the way back from it. */
export function openSetup(board: Board): void {
  const { change, setupEffects: effects } = board;
  if (effects === null) return;
  const open = (): void => change({ settingUp: openedSetup('service'), focus: 'list' });
  if (!effects.isInSandbox) {
    open();
    return;
  }
  showMessage(board, 'Leaving the sandbox…');
  effects.leaveSandbox().then(
    () => change({ settingUp: openedSetup('service'), focus: 'list', message: null }),
    (error: unknown) => showMessage(board, sentenceOf(error), { tone: 'attention' }),
  );
}

/** Ends the conversation, with the board behind it. */
export function closeSetup(board: Board, message: string): void {
  board.change({ settingUp: null, focus: 'list' });
  showMessage(board, message);
}

/** What is said when the conversation ends in the board. */
export function farewell({ setup, state }: Board): string {
  if (setup.kind !== 'ready') return 'Press C to set up later.';
  return state.parcels.length === 0 ? 'Set up. a adds a number, ? lists all keys.' : 'Set up. ? lists all keys.';
}

/** Goes to a step; the last one takes numbers in the input bar at once. */
function goTo(
  board: Board,
  next: SetupStep | null,
  change: (setup: SettingUp, next: SetupStep) => Partial<SettingUp>,
): void {
  if (next === null) closeSetup(board, farewell(board));
  else
    board.change((ui) => ({
      ...withSetup((setup) => change(setup, next))(ui),
      focus: next === 'numbers' ? 'add' : 'list',
    }));
}

/** Goes on behind a step that was answered. */
function goOn({ board, setup }: Conversation, more: Partial<SettingUp> = {}, notes: readonly SetupNote[] = []): void {
  const next = stepAfter(setup.step, settledOf({ ...setup, ...more }));
  goTo(board, next, (newest, step) => answered(newest, step, more, notes));
}

/** Leaves the step without an answer. */
export function skip(board: Board): void {
  const talk = conversationOf(board);
  if (talk === null || isBusy(talk)) return;
  const { setup } = talk;
  goTo(board, stepAfter(setup.step, settledOf(setup)), (_setup, next) => atStep(next));
}

/** One back: to the line before, to the step before, from the first step to the board. */
export function goBack(board: Board): void {
  const talk = conversationOf(board);
  if (talk === null || isBusy(talk)) return;
  const { setup } = talk;
  if (setup.addressField !== null) {
    board.change(withSetup({ addressField: setup.addressField === 'header' ? 'url' : null, notes: [], offset: null }));
    return;
  }
  const before = stepBefore(setup.step, settledOf(setup));
  if (before === null) closeSetup(board, farewell(board));
  else goTo(board, before, (_setup, step) => atStep(step));
}

/** To the last step, whatever the others say: numbers can be kept before anything else is set. */
export function toNumbers(board: Board): void {
  const talk = conversationOf(board);
  if (talk !== null && !isBusy(talk)) goTo(board, 'numbers', (_setup, next) => atStep(next));
}

function isBusy({ board, setup }: Conversation): boolean {
  if (setup.busy === null) return false;
  showMessage(board, 'One moment: this is being done.');
  return true;
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const complain = ({ board }: Conversation, text: string): void => showMessage(board, text, { tone: 'attention' });

/** Takes the answer of the open step. */
export function answer(board: Board): void {
  const talk = conversationOf(board);
  if (talk === null || isBusy(talk)) return;
  answers[talk.setup.step](talk);
}

const answers: Readonly<Record<SetupStep, (talk: Conversation) => void>> = {
  service: answerService,
  key: answerKey,
  check: answerCheck,
  save: answerSave,
  zone: answerZone,
  notify: answerNotify,
  numbers: ({ board }) => closeSetup(board, farewell(board)),
};

function answerService(talk: Conversation): void {
  const { effects, setup, shown } = talk;
  if (setup.addressField !== null) {
    answerAddress(talk);
    return;
  }
  const id = shown.selected?.id ?? null;
  if (id === sandboxId) lookAround(talk);
  else if (id === otherAddressId) openAddress(talk);
  else if (id !== null && effects.knownServices.some(({ profile }) => profile === id))
    goOn(talk, { service: { kind: 'profile', profile: id } });
}

/** Opens the line for another address, with the one that is set. */
function openAddress({ board, setup }: Conversation): void {
  const set = setup.service ?? setup.now?.service ?? null;
  const { url } = setup.fields;
  const prefilled = url.text === '' && set?.kind === 'base-url' ? editOf(set.baseUrl) : url;
  board.change(
    withSetup(({ fields }) => ({
      addressField: 'url',
      fields: { ...fields, url: prefilled },
      notes: [],
      offset: null,
    })),
  );
}

function answerAddress(talk: Conversation): void {
  const { board, effects, setup } = talk;
  const address = readAddress(setup.fields.url.text, effects.knownServices);
  if (address.kind === 'unusable') {
    complain(talk, address.problem);
    return;
  }
  if (address.kind === 'known') {
    goOn(talk, { service: { kind: 'profile', profile: address.profile } });
    return;
  }
  const { baseUrl } = address;
  if (setup.addressField === 'url') {
    const set = setup.now?.service;
    const header = set?.kind === 'base-url' && set.baseUrl === baseUrl ? (set.header ?? '') : setup.fields.header.text;
    board.change(
      withSetup(({ fields }) => ({
        addressField: 'header',
        fields: { ...fields, header: editOf(header) },
        offset: null,
      })),
    );
    return;
  }
  const header = setup.fields.header.text.trim();
  const problem = header === '' ? null : headerProblem(header);
  if (problem !== null) complain(talk, problem);
  else goOn(talk, { service: { kind: 'base-url', baseUrl, header: header === '' ? null : header } });
}

function lookAround(talk: Conversation): void {
  const { board, effects } = talk;
  const { change } = board;
  change(withSetup({ busy: 'Starting the sandbox…', notes: [] }));
  effects.enterSandbox().then(
    () => {
      change({ settingUp: null, focus: 'list' });
      showMessage(board, 'This is the sandbox: nothing here is real.', { advice: 'C goes back.', shownMs: 30_000 });
    },
    (error: unknown) => change(withSetup({ busy: null, notes: [{ text: sentenceOf(error), tone: 'attention' }] })),
  );
}

function answerKey(talk: Conversation): void {
  const { setup, shown } = talk;
  const { command, key } = setup.fields;
  if (shown.selected?.id === presentKeyId) {
    goOn(talk, { key: { kind: 'present' } });
  } else if (shown.selected?.id === enteredKeyId) {
    const problem = keyProblem(key.text);
    if (problem === null) goOn(talk, { key: { kind: 'entered', key: key.text.trim() } });
    else complain(talk, problem);
  } else if (shown.selected?.id === keyCommandId) {
    const commandLine = command.text.trim();
    if (commandLine === '') complain(talk, 'There is no command yet, such as: pass show parcels/key');
    else goOn(talk, { key: { kind: 'command', commandLine } });
  }
}

function answerCheck(talk: Conversation): void {
  const { board, setup } = talk;
  const { proof } = setup.proof;
  if (proof === null) {
    showMessage(board, 'Still checking. Esc goes back.');
  } else if (proof.works) {
    goOn(talk);
  } else if (proof.mistakeIn === 'key') {
    board.change(withSetup(atStep('key')));
  } else if (proof.mistakeIn === 'service') {
    const isTyped = serviceOf(setup)?.kind === 'base-url';
    board.change(withSetup(atStep('service')));
    if (isTyped) openAddress(talk);
  } else {
    showMessage(board, 'r checks again, Tab goes on all the same, Esc goes back.');
  }
}

/** Checks once more. */
export function checkAgain({ change }: Board): void {
  change(withSetup(({ proof }) => ({ proof: { ...proof, run: proof.run + 1, proof: null }, notes: [], offset: null })));
}

function answerSave(talk: Conversation): void {
  const { setup, shown } = talk;
  const key = keyOf(setup);
  const service = serviceOf(setup);
  if (service === null) {
    skip(talk.board);
    return;
  }
  if (key?.kind !== 'entered') {
    save(talk, service, key, null);
    return;
  }
  const { selected } = shown;
  if (selected === null) showMessage(talk.board, 'Still looking where it can be kept.');
  else if (selected.unusable !== null) complain(talk, selected.unusable);
  else save(talk, service, key, selected.id);
}

function save(talk: Conversation, service: ServiceChoice, key: KeySource | null, keyStore: string | null): void {
  const { effects, setup } = talk;
  const forgetKey = { key: null, service: null, fields: { ...setup.fields, key: emptyEdit } };
  write(talk, 'Saving…', () => effects.saveService({ service, key, keyStore }), forgetKey);
}

/** Writes something, says what became of it, and goes on when it was written. */
function write(
  talk: Conversation,
  doing: string,
  work: () => Promise<SetupOutcome>,
  more: Partial<SettingUp> = {},
): void {
  const { board, effects } = talk;
  board.change(withSetup({ busy: doing, notes: [], offset: null }));
  const writeAndLook = async (): Promise<void> => {
    const outcome = await work();
    if (outcome.kind === 'failed') throw new Error(outcome.message);
    // Looked at before the next step is shown, which would else show what was set before.
    const now = await effects.current();
    goOn(talk, { ...more, now }, [
      { text: `✓ ${outcome.summary}`, tone: 'done' },
      ...outcome.warnings.map((warning): SetupNote => ({ text: `! ${warning}`, tone: 'today' })),
    ]);
  };
  writeAndLook().catch((error: unknown) =>
    board.change(withSetup({ busy: null, notes: [{ text: sentenceOf(error), tone: 'attention' }], offset: 0 })),
  );
}

function answerZone(talk: Conversation): void {
  const { effects, setup, shown } = talk;
  const { now } = setup;
  const zone = shown.selected?.id ?? null;
  if (zone === null) complain(talk, 'No zone is called like that; Ctrl+U empties the line.');
  else if (zone === now?.zone) goOn(talk);
  else write(talk, 'Saving…', () => effects.saveZone(zone === now?.machineZone ? null : zone));
}

function answerNotify(talk: Conversation): void {
  const { effects, setup } = talk;
  const chosen = chosenChannels(setup);
  const before = setup.now?.channels ?? [];
  const isSame = chosen.length === before.length && chosen.every((name) => before.includes(name));
  if (isSame) goOn(talk);
  else write(talk, 'Saving…', () => effects.saveChannels(chosen));
}
