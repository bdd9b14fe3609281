import { messageOf } from '../../lib/error-text.ts';
import { isSameAddress } from '../../service/address.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import { commandLineOf, splitCommand } from '../../settings/command-settings.ts';
import { knownProfile } from '../../settings/profiles.ts';
import {
  headerProblem,
  hostWords,
  keyProblem,
  otherAddressId,
  readAddress,
  sandboxId,
} from '../../settings/setup/choices.ts';
import {
  commandChannelId,
  type KeySource,
  type ServiceChoice,
  type SetupEffects,
  type SetupOutcome,
} from '../../settings/setup/effects.ts';
import type { SetupNote } from '../../settings/setup/setup-lines.ts';
import { editOf, emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import {
  atStep,
  chosenChannelsOf,
  closeSetup,
  isSameSet,
  keyOf,
  lacksOwnKey,
  notSettingUp,
  openedSetup,
  type SettingUp,
  type SetupBoard,
  type SetupStep,
  serviceOf,
  stepAfter,
  stepBefore,
  withField,
  withService,
  withSetup,
} from './state.ts';
import { type ShownStep, shownStep } from './steps.ts';

interface Conversation {
  readonly board: SetupBoard;
  readonly setup: SettingUp;
  readonly effects: SetupEffects;
  readonly shown: ShownStep;
}

export function conversationOf(board: SetupBoard): Conversation | null {
  const { now, setupEffects: effects, ui } = board;
  const { settingUp: setup } = ui;
  return setup === null || effects === null ? null : { board, setup, effects, shown: shownStep(setup, now) };
}

/** The conversation that can be answered; null while there is none, or while something is done that has to end first, which is said. */
export function readyTalk(board: SetupBoard): Conversation | null {
  const talk = conversationOf(board);
  if (talk === null || talk.setup.busy === null) return talk;
  showMessage(board, 'One moment: it is still being done.');
  return null;
}

const complain = ({ board }: Conversation, text: string): void => showMessage(board, text, { tone: 'attention' });

/** Begins to set up; from the sandbox, behind the way back from it. */
export function openSetup(board: SetupBoard): void {
  const { change, setupEffects: effects } = board;
  if (effects === null) return;
  const open = (): void => change({ settingUp: openedSetup('service'), focus: 'list', message: null });
  if (!effects.isInSandbox) {
    open();
    return;
  }
  showMessage(board, 'Leaving the sandbox…');
  const leave = async (): Promise<void> => {
    await effects.leaveSandbox();
    const { key, service } = await effects.current();
    if (key === null || service === null) open();
    else showMessage(board, 'Your own parcels again.', { advice: 'C sets up the service.' });
  };
  leave().catch((error: unknown) => showMessage(board, messageOf(error), { tone: 'attention' }));
}

/** To another step; the last one takes numbers in the input bar at once, null is the board. */
function goTo(
  board: SetupBoard,
  step: SetupStep | null,
  more: Partial<SettingUp> = {},
  notes: readonly SetupNote[] = [],
): void {
  if (step === null) {
    closeSetup(board);
    return;
  }
  const focus = step === 'numbers' ? 'add' : 'list';
  // A proof is of what was settled when it began.
  const proof = ({ run }: SettingUp) => (step === 'check' ? { run: run + 1, proof: null } : {});
  board.change((ui) => ({
    ...withSetup((setup) => ({ ...atStep(step, notes), ...proof(setup), ...more }))(ui),
    focus,
  }));
}

function goOn({ board, setup }: Conversation, more: Partial<SettingUp> = {}, notes: readonly SetupNote[] = []): void {
  const answered = { ...setup, ...more, done: [...new Set([...setup.done, setup.step])] };
  goTo(board, stepAfter(answered), { ...more, done: answered.done }, notes);
}

export function skip(board: SetupBoard): void {
  const talk = readyTalk(board);
  if (talk === null) return;
  const { setup } = talk;
  const next = stepAfter(setup);
  const note = (text: string): readonly SetupNote[] => [{ text, tone: 'today' }];
  if (setup.step === 'key' && lacksOwnKey(setup)) {
    const [chosen, set] = [serviceOf(setup), setup.now?.service ?? null].map(hostWords);
    goTo(board, next, {}, note(`${chosen} has no key yet and is not taken: ${set} stays set.`));
  } else if (next === 'zone' && serviceOf(setup) === null) {
    const kept =
      setup.fields.url.text === ''
        ? 'Service and key are skipped: nothing is checked without them. Esc goes back.'
        : 'Service and key are skipped. The address that you typed is kept: Esc goes back to it.';
    goTo(board, next, {}, note(kept));
  } else goTo(board, next);
}

/** One question back; from the first one to the board. */
export function goBack(board: SetupBoard): void {
  const talk = readyTalk(board);
  if (talk === null) return;
  const { channels, step } = talk.setup;
  const before = stepBefore(talk.setup);
  const isAddress = step === 'url' && before === 'service';
  const index = isAddress
    ? shownStep({ ...talk.setup, step: 'service' }, board.now).choices.findIndex(({ id }) => id === otherAddressId)
    : step === 'hook'
      ? (channels ?? []).findIndex(({ id }) => id === commandChannelId)
      : null;
  goTo(board, before, { index });
}

/** To the last step, whatever the others say: numbers can be kept before anything else is set. */
export function toNumbers(board: SetupBoard): void {
  if (readyTalk(board) !== null) goTo(board, 'numbers');
}

export function answer(board: SetupBoard): void {
  const talk = readyTalk(board);
  if (talk !== null) answers[talk.setup.step](talk);
}

const answers: Readonly<Record<SetupStep, (talk: Conversation) => void>> = {
  service: answerService,
  url: answerAddress,
  header: answerHeader,
  key: answerKey,
  check: answerCheck,
  save: answerSave,
  zone: answerZone,
  notify: answerNotify,
  hook: answerHook,
  numbers: ({ board }) => closeSetup(board),
};

function answerService(talk: Conversation): void {
  const id = talk.shown.selected?.id ?? null;
  if (id === sandboxId) lookAround(talk);
  else if (id === otherAddressId) openAddress(talk);
  else if (id !== null && knownProfile(id) !== null)
    goOn(talk, withService(talk.setup, { kind: 'profile', profile: id }));
}

function openAddress({ board, setup }: Conversation): void {
  const set = serviceOf(setup);
  const isOpened = setup.fields.url.text === '' && set?.kind === 'base-url';
  goTo(board, 'url', isOpened ? withField('url', editOf(set.baseUrl))(setup) : {});
}

function answerAddress(talk: Conversation): void {
  const { board, setup } = talk;
  const address = readAddress(setup.fields.url.text);
  if (address.kind === 'unusable') {
    const { problem, proposal } = address;
    if (proposal !== null) board.change(withSetup(withField('url', editOf(proposal))));
    complain(talk, problem);
  } else if (address.kind === 'known') {
    goOn(talk, withService(setup, { kind: 'profile', profile: address.profile }));
  } else {
    const set = setup.now?.service;
    const isSet = set?.kind === 'base-url' && isSameAddress(set.baseUrl, address.baseUrl);
    const isFilled = isSet && setup.fields.header.text === '' && setup.service === null;
    goTo(board, 'header', isFilled ? withField('header', editOf(set.header ?? ''))(setup) : {});
  }
}

function answerHeader(talk: Conversation): void {
  const { setup } = talk;
  const address = readAddress(setup.fields.url.text);
  const header = setup.fields.header.text.trim();
  const problem = header === '' ? null : headerProblem(header);
  if (address.kind !== 'address') goTo(talk.board, 'url');
  else if (problem !== null) complain(talk, problem);
  else {
    const { baseUrl } = address;
    // The usual header makes no other service.
    const own = header === '' || header === defaultKeyHeader ? null : header;
    goOn(talk, withService(setup, { kind: 'base-url', baseUrl, header: own }));
  }
}

function lookAround({ board, effects }: Conversation): void {
  const { change } = board;
  change(withSetup({ busy: 'Starting the sandbox…', notes: [] }));
  effects.enterSandbox().then(
    () => {
      change({ ...notSettingUp, focus: 'list' });
      showMessage(board, 'This is the sandbox: nothing here is real.', { advice: 'C goes back.', shownMs: 30_000 });
    },
    (error: unknown) => change(withSetup(failedWith(error))),
  );
}

const failedWith = (error: unknown): Partial<SettingUp> => ({
  busy: null,
  notes: [{ text: messageOf(error), tone: 'attention' }],
  offset: 0,
});

/**
 * Takes a paste where one chooses. An address is meant as one. Anything else is not put elsewhere: it may be the key, which
 * nobody is to see. Answers whether it was taken; behind the questions for the service it may be numbers.
 */
export function takePasteWhereOneChooses(board: SetupBoard, text: string): boolean {
  const talk = conversationOf(board);
  if (talk === null || talk.setup.step === 'notify' || talk.setup.step === 'numbers') return false;
  const read = /^https?:/i.test(text.trim()) ? readAddress(text) : null;
  const isAddress = read !== null && (read.kind !== 'unusable' || read.proposal !== null);
  if (talk.setup.step === 'service' && isAddress) goTo(board, 'url', withField('url', editOf(text.trim()))(talk.setup));
  else showMessage(board, 'Nothing is typed here. Enter takes what is selected.');
  return true;
}

function answerKey(talk: Conversation): void {
  const { fields } = talk.setup;
  const id = talk.shown.selected?.id;
  const commandLine = fields.command.text.trim();
  const problem = id === 'entered' ? keyProblem(fields.key.text) : null;
  if (id === 'present') goOn(talk, { key: { kind: 'present' } });
  else if (problem !== null) complain(talk, problem);
  else if (id === 'entered') goOn(talk, { key: { kind: 'entered', key: fields.key.text.trim() } });
  else if (commandLine === '') complain(talk, 'There is no command yet, such as: pass show parcels/key');
  else goOn(talk, { key: { kind: 'command', commandLine } });
}

function answerCheck(talk: Conversation): void {
  const { board, setup } = talk;
  const { proof } = setup;
  if (proof === null) showMessage(board, 'Still checking. Esc goes back.');
  else if (proof.failure === null) goOn(talk);
  else if (proof.mistakeIn === 'key') goTo(board, 'key');
  else if (proof.mistakeIn === 'service') {
    if (serviceOf(setup)?.kind === 'base-url') openAddress(talk);
    else goTo(board, 'service');
  } else showMessage(board, 'r checks again, Tab goes on all the same, Esc goes back.');
}

function answerSave(talk: Conversation): void {
  const { board, setup, shown } = talk;
  const key = keyOf(setup);
  const service = serviceOf(setup);
  const { selected } = shown;
  if (service === null) skip(board);
  else if (key?.kind !== 'entered') saveService(talk, service, key, null);
  else if (selected === null) showMessage(board, 'Still looking for places to keep it.');
  else if (selected.unusable !== null) complain(talk, selected.unusable);
  else saveService(talk, service, key, selected.id);
}

function saveService(talk: Conversation, service: ServiceChoice, key: KeySource | null, keyStore: string | null): void {
  const { board, effects, setup } = talk;
  const saveUnlessOvertaken = async (): Promise<SetupOutcome> => {
    const now = await effects.current();
    if (isSameSet(now, setup.now)) return await effects.saveService({ service, key, keyStore });
    board.change(withSetup({ now }));
    return { kind: 'failed', message: 'What is set has changed meanwhile, so nothing was written. Answer again.' };
  };
  write(talk, saveUnlessOvertaken, { key: null, service: null, fields: { ...setup.fields, key: emptyEdit } });
}

/** Writes something, says what became of it, and goes on when it was written. */
function write(talk: Conversation, work: () => Promise<SetupOutcome>, more: Partial<SettingUp> = {}): void {
  const { board, effects } = talk;
  board.change(withSetup({ busy: 'Saving…', notes: [], offset: null }));
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
  writeAndLook().catch((error: unknown) => board.change(withSetup(failedWith(error))));
}

function answerZone(talk: Conversation): void {
  const { now } = talk.setup;
  const zone = talk.shown.selected?.id ?? null;
  const file = now?.configFile ?? 'config.json';
  const save = (value: string | undefined, summary: string): void =>
    write(talk, () => talk.effects.save([{ path: ['zone'], value }], summary));
  if (zone === null) complain(talk, 'Choose a zone first; Ctrl+U empties the line, Tab then skips it.');
  else if (zone === now?.zone) goOn(talk);
  else if (zone === now?.machineZone) save(undefined, `The machine's zone is followed (${file}).`);
  else save(zone, `${zone} is written to ${file}.`);
}

function answerNotify(talk: Conversation): void {
  const { now } = talk.setup;
  const chosen = chosenChannelsOf(talk.setup);
  const before = now?.channels ?? [];
  const file = now?.configFile ?? 'config.json';
  const summary =
    chosen.length === 0
      ? `Changes are not notified (${file}).`
      : `Changes are notified by ${chosen.join(', ')} (${file}).`;
  const value = chosen.length === 0 ? undefined : chosen;
  if (chosen.length === before.length && chosen.every((name) => before.includes(name))) goOn(talk);
  else write(talk, () => talk.effects.save([{ path: ['notify', 'channels'], value }], summary));
}

/** Opens the line for the command that each change is given to. */
export function openHook(board: SetupBoard): void {
  const talk = readyTalk(board);
  if (talk === null) return;
  const { fields, now } = talk.setup;
  if (talk.shown.selected?.id !== commandChannelId) showMessage(board, 'Select the command first.');
  else {
    const hook = fields.hook.text === '' ? editOf(now?.notifyCommand ?? '') : fields.hook;
    goTo(board, 'hook', { fields: { ...fields, hook } });
  }
}

/** Saves the command for changes and tries it; one that works is switched on. */
function answerHook(talk: Conversation): void {
  const { board, effects, setup } = talk;
  const command = splitCommand(setup.fields.hook.text);
  if (command.length === 0) {
    complain(talk, 'There is no command yet, such as: notify-send Parcels');
    return;
  }
  board.change(withSetup({ busy: 'Saving and trying it…', notes: [], offset: null }));
  const saveAndTry = async (): Promise<void> => {
    const outcome = await effects.save(
      [{ path: ['notify', 'command'], value: [...command] }],
      `Each change is given to: ${commandLineOf(command)} (${setup.now?.configFile ?? 'config.json'}).`,
    );
    if (outcome.kind === 'failed') throw new Error(outcome.message);
    const failure = await effects.tryChannel(commandChannelId);
    const [now, channels] = await Promise.all([effects.current(), effects.channels()]);
    const isOn =
      failure === null ? { chosenChannels: [...new Set([...chosenChannelsOf(setup), commandChannelId])] } : {};
    const trials = { ...setup.trials, [commandChannelId]: trialNote(failure) };
    const index = channels.findIndex(({ id }) => id === commandChannelId);
    goTo(board, 'notify', { now, channels, index, trials, ...isOn }, [{ text: `✓ ${outcome.summary}`, tone: 'done' }]);
  };
  saveAndTry().catch((error: unknown) => board.change(withSetup(failedWith(error))));
}

/** What came of trying a channel; null is no failure. */
export const trialNote = (failure: string | null): SetupNote =>
  failure === null ? { text: '✓ Sent. Did you notice it?', tone: 'done' } : { text: failure, tone: 'attention' };
