import { messageOf } from '../../lib/error-text.ts';
import { isSameAddress } from '../../service/address.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import {
  headerProblem,
  keyProblem,
  otherAddressId,
  readAddress,
  sandboxId,
  type TypedAddress,
} from '../../settings/setup/choices.ts';
import {
  commandChannelId,
  type KeySource,
  type ServiceChoice,
  type SetupOutcome,
} from '../../settings/setup/effects.ts';
import type { SetupNote } from '../../settings/setup/setup-lines.ts';
import { editOf, emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import {
  backTo,
  type Conversation,
  closeSetup,
  complain,
  conversationOf,
  farewell,
  goOn,
  isBusy,
  skip,
  withLeft,
} from './navigation.ts';
import {
  chosenChannelsOf,
  isSameSet,
  keyOf,
  lacksOwnKey,
  notSettingUp,
  type SettingUp,
  type SetupBoard,
  serviceOf,
  withSetup,
} from './state.ts';
import type { SetupStep } from './steps.ts';

/** Takes which service it is, or the address of one. */
function answerService(talk: Conversation): void {
  const { effects, setup, shown } = talk;
  if (setup.openLine !== null) {
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
  const set = serviceOf(setup);
  const { url } = setup.fields;
  const prefilled = url.text === '' && set?.kind === 'base-url' ? editOf(set.baseUrl) : url;
  board.change(
    withSetup(({ fields, left }) => ({
      left: withLeft(left, { step: 'service', openLine: null, chosen: otherAddressId }),
      openLine: 'url',
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
    const { problem, proposal } = address;
    if (proposal !== null) {
      board.change(withSetup(({ fields }) => ({ fields: { ...fields, url: editOf(proposal) }, offset: null })));
    }
    complain(talk, problem);
    return;
  }
  if (address.kind === 'known') {
    goOn(talk, { service: { kind: 'profile', profile: address.profile } });
    return;
  }
  const { baseUrl } = address;
  if (setup.openLine === 'url') {
    const set = setup.now?.service;
    const typed = setup.fields.header.text;
    const isSet = set?.kind === 'base-url' && isSameAddress(set.baseUrl, baseUrl);
    const header = typed === '' && setup.service === null && isSet ? (set.header ?? '') : typed;
    board.change(
      withSetup(({ fields, left }) => ({
        left: withLeft(left, { step: 'service', openLine: 'url', chosen: null }),
        openLine: 'header',
        fields: { ...fields, header: editOf(header) },
        offset: null,
      })),
    );
    return;
  }
  const header = setup.fields.header.text.trim();
  const problem = header === '' ? null : headerProblem(header);
  if (problem !== null) complain(talk, problem);
  else goOn(talk, { service: { kind: 'base-url', baseUrl, header: usualAsNull(header) } });
}

/** The usual header is none of its own, so that naming it makes no other service. */
const usualAsNull = (header: string): string | null => (header === '' || header === defaultKeyHeader ? null : header);

function lookAround(talk: Conversation): void {
  const { board, effects } = talk;
  const { change } = board;
  change(withSetup({ busy: 'Starting the sandbox…', notes: [] }));
  effects.enterSandbox().then(
    () => {
      change({ ...notSettingUp, focus: 'list' });
      showMessage(board, 'This is the sandbox: nothing here is real.', { advice: 'C goes back.', shownMs: 30_000 });
    },
    (error: unknown) => change(withSetup({ busy: null, notes: [{ text: messageOf(error), tone: 'attention' }] })),
  );
}

const isAddressLike = (read: TypedAddress): boolean => read.kind !== 'unusable' || read.proposal !== null;

/**
 * Takes a paste where one chooses. An address is meant as one. Anything else is not put elsewhere: it may be the key, which
 * nobody is to see. Answers whether it was taken; behind the questions for the service it may be numbers.
 */
export function takePasteWhereOneChooses(board: SetupBoard, text: string): boolean {
  const talk = conversationOf(board);
  if (talk === null) return false;
  const { effects, setup } = talk;
  if (setup.step === 'notify' || setup.step === 'numbers') return false;
  const isAddress = /^https?:/i.test(text.trim()) && isAddressLike(readAddress(text, effects.knownServices));
  if (setup.step === 'service' && isAddress) {
    board.change(
      withSetup(({ fields, left }) => ({
        left: withLeft(left, { step: 'service', openLine: null, chosen: otherAddressId }),
        openLine: 'url',
        fields: { ...fields, url: editOf(text.trim()) },
        notes: [],
      })),
    );
  } else {
    showMessage(board, 'Nothing is typed here. Enter takes what is selected.');
  }
  return true;
}

/** Takes the answer of the open step. */
export function answer(board: SetupBoard): void {
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

function answerKey(talk: Conversation): void {
  const { setup, shown } = talk;
  const { command, key } = setup.fields;
  if (shown.selected?.id === 'present') {
    goOn(talk, { key: { kind: 'present' } });
  } else if (shown.selected?.id === 'entered') {
    const problem = keyProblem(key.text);
    if (problem === null) goOn(talk, { key: { kind: 'entered', key: key.text.trim() } });
    else complain(talk, problem);
  } else if (shown.selected?.id === 'command') {
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
    backTo(talk, { step: 'key', openLine: null });
  } else if (proof.mistakeIn === 'service') {
    const isTyped = serviceOf(setup)?.kind === 'base-url';
    backTo(talk, { step: 'service', openLine: null });
    if (isTyped) openAddress(talk);
  } else {
    showMessage(board, 'r checks again, Tab goes on all the same, Esc goes back.');
  }
}

/** Checks once more. */
export function checkAgain({ change }: SetupBoard): void {
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
  if (lacksOwnKey(setup)) {
    // What is set has changed since the question was put.
    backTo(talk, { step: 'key', openLine: null });
    return;
  }
  if (key?.kind !== 'entered') {
    save(talk, service, key, null);
    return;
  }
  const { selected } = shown;
  if (selected === null) showMessage(talk.board, 'Still looking for places to keep it.');
  else if (selected.unusable !== null) complain(talk, selected.unusable);
  else save(talk, service, key, selected.id);
}

function save(talk: Conversation, service: ServiceChoice, key: KeySource | null, keyStore: string | null): void {
  const { board, effects, setup } = talk;
  const forgetKey = { key: null, service: null, fields: { ...setup.fields, key: emptyEdit } };
  const saveUnlessOvertaken = async (): Promise<SetupOutcome> => {
    const now = await effects.current();
    if (isSameSet(now, setup.now)) return await effects.saveService({ service, key, keyStore });
    board.change(withSetup({ now }));
    return { kind: 'failed', message: 'What is set has changed meanwhile, so nothing was written. Answer again.' };
  };
  write(talk, saveUnlessOvertaken, forgetKey);
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
  writeAndLook().catch((error: unknown) =>
    board.change(withSetup({ busy: null, notes: [{ text: messageOf(error), tone: 'attention' }], offset: 0 })),
  );
}

function answerZone(talk: Conversation): void {
  const { effects, setup, shown } = talk;
  const { now } = setup;
  const zone = shown.selected?.id ?? null;
  if (zone === null) complain(talk, 'Choose a zone first; Ctrl+U empties the line, Tab then skips it.');
  else if (zone === now?.zone) goOn(talk);
  else write(talk, () => effects.saveZone(zone === now?.machineZone ? null : zone));
}

function answerNotify(talk: Conversation): void {
  const { effects, setup } = talk;
  if (setup.openLine !== null) {
    answerHook(talk);
    return;
  }
  const chosen = chosenChannelsOf(setup);
  const before = setup.now?.channels ?? [];
  const isSame = chosen.length === before.length && chosen.every((name) => before.includes(name));
  if (isSame) goOn(talk);
  else write(talk, () => effects.saveChannels(chosen));
}

/** Saves the command for changes and tries it; one that works is switched on. */
function answerHook(talk: Conversation): void {
  const { board, effects, setup } = talk;
  const line = setup.fields.hook.text.trim();
  if (line === '') {
    complain(talk, 'There is no command yet, such as: notify-send Parcels');
    return;
  }
  board.change(withSetup({ busy: 'Saving and trying it…', notes: [], offset: null }));
  const saveAndTry = async (): Promise<void> => {
    const outcome = await effects.saveNotifyCommand(line);
    if (outcome.kind === 'failed') throw new Error(outcome.message);
    const failure = await effects.tryChannel(commandChannelId);
    const [now, channels] = await Promise.all([effects.current(), effects.channels()]);
    backTo(talk, { step: 'notify', openLine: null });
    board.change(
      withSetup((newest) => ({
        now,
        channels,
        chosenChannels:
          failure === null ? [...new Set([...chosenChannelsOf(newest), commandChannelId])] : newest.chosenChannels,
        trials: { ...newest.trials, [commandChannelId]: trialNote(failure) },
        notes: [{ text: `✓ ${outcome.summary}`, tone: 'done' }],
      })),
    );
  };
  saveAndTry().catch((error: unknown) =>
    board.change(withSetup({ busy: null, notes: [{ text: messageOf(error), tone: 'attention' }], offset: 0 })),
  );
}

/** What came of trying a channel; null is no failure. */
export const trialNote = (failure: string | null): SetupNote =>
  failure === null ? { text: '✓ Sent. Did you notice it?', tone: 'done' } : { text: failure, tone: 'attention' };
