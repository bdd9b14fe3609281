import { messageOf } from '../../lib/error-text.ts';
import { isSameAddress } from '../../service/connection.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import { knownProfile } from '../../settings/service-address.ts';
import {
  commandChannelId,
  type KeySource,
  type SaveResult,
  type ServiceChoice,
  type SetupNote,
} from '../../settings/setup/board-setup.ts';
import { headerProblem, keyProblem, otherAddressId, readAddress, sandboxId } from '../../settings/setup/choices.ts';
import { joinCommand, splitCommand } from '../../settings/usable-values.ts';
import type { Board } from '../board.ts';
import { showMessage, showProblem } from '../footer.ts';
import { createEdit, emptyEdit } from '../text-edit.ts';
import type { SetupState, SetupStep } from '../ui-state.ts';
import { advance, type Conversation, currentConversation, goTo, readyConversation, skip } from './conversation.ts';
import {
  askKeyAgain,
  changeSetup,
  channelQuestion,
  chooseService,
  chosenKey,
  chosenService,
  closeSetup,
  enabledChannels,
  hasChannelQuestions,
  isSameSetup,
  setField,
} from './state.ts';

export function submitAnswer(board: Board): void {
  const conversation = readyConversation(board);
  if (conversation !== null) answerHandlers[conversation.setup.step](conversation);
}

const answerHandlers: Readonly<Record<SetupStep, (conversation: Conversation) => void>> = {
  service: answerService,
  url: answerAddress,
  header: answerHeader,
  key: answerKey,
  check: answerCheck,
  save: answerSave,
  zone: answerZone,
  notify: answerNotify,
  hook: answerHook,
  channel: answerChannel,
  numbers: ({ board }) => closeSetup(board),
};

function answerService(conversation: Conversation): void {
  const id = conversation.stepChoices.selected?.id ?? null;
  if (id === sandboxId) enterSandbox(conversation);
  else if (id === otherAddressId) openAddress(conversation);
  else if (id !== null && knownProfile(id) !== null)
    advance(conversation, chooseService(conversation.setup, { kind: 'profile', profile: id }));
}

function openAddress({ board, setup }: Conversation): void {
  const configured = chosenService(setup);
  const isConfiguredAddress = setup.fields.url.text === '' && configured?.kind === 'base-url';
  goTo(board, 'url', isConfiguredAddress ? setField('url', createEdit(configured.baseUrl))(setup) : {});
}

function answerAddress(conversation: Conversation): void {
  const { board, setup } = conversation;
  const address = readAddress(setup.fields.url.text);
  if (address.kind === 'unusable') {
    const { problem, proposal } = address;
    if (proposal !== null) board.change(changeSetup(setField('url', createEdit(proposal))));
    showProblem(conversation.board, problem);
  } else if (address.kind === 'known') {
    advance(conversation, chooseService(setup, { kind: 'profile', profile: address.profile }));
  } else {
    const configured = setup.active?.service;
    const isConfigured = configured?.kind === 'base-url' && isSameAddress(configured.baseUrl, address.baseUrl);
    const isHeaderKnown = isConfigured && setup.fields.header.text === '' && setup.service === null;
    goTo(board, 'header', isHeaderKnown ? setField('header', createEdit(configured.header ?? ''))(setup) : {});
  }
}

function answerHeader(conversation: Conversation): void {
  const { setup } = conversation;
  const address = readAddress(setup.fields.url.text);
  const header = setup.fields.header.text.trim();
  const problem = header === '' ? null : headerProblem(header);
  if (address.kind !== 'address') goTo(conversation.board, 'url');
  else if (problem !== null) showProblem(conversation.board, problem);
  else {
    const { baseUrl } = address;
    // Naming the default header does not make it a different service.
    const customHeader = header === '' || header === defaultKeyHeader ? null : header;
    advance(conversation, chooseService(setup, { kind: 'base-url', baseUrl, header: customHeader }));
  }
}

function enterSandbox({ board, effects }: Conversation): void {
  whileBusy(board, 'Starting the sandbox…', async () => {
    await effects.enterSandbox();
    board.change({ setupState: null, focus: 'list' });
    showMessage(board, 'This is the sandbox: nothing here is real.', {
      advice: 'Press C to go back.',
      durationMs: 30_000,
    });
  });
}

function whileBusy({ change }: Board, busy: string, work: () => Promise<void>): void {
  change(changeSetup({ busy, notes: [], offset: null }));
  work().catch((error: unknown) =>
    change(changeSetup({ busy: null, notes: [{ text: messageOf(error), tone: 'attention' }], offset: 0 })),
  );
}

/**
 * Handles a paste while the user is choosing. An address answers the first question. Other text is dropped, because it
 * may be the key. Returns false in the last steps, where the paste may contain tracking numbers.
 */
export function handlePasteWhileChoosing(board: Board, text: string): boolean {
  const conversation = currentConversation(board);
  if (conversation === null || conversation.setup.step === 'notify' || conversation.setup.step === 'numbers')
    return false;
  const address = /^https?:/i.test(text.trim()) ? readAddress(text) : null;
  const isAddress = address !== null && (address.kind !== 'unusable' || address.proposal !== null);
  if (conversation.setup.step === 'service' && isAddress)
    goTo(board, 'url', setField('url', createEdit(text.trim()))(conversation.setup));
  else showMessage(board, 'You cannot type or paste here. Press Enter to use the selected choice.');
  return true;
}

function answerKey(conversation: Conversation): void {
  const { fields } = conversation.setup;
  const id = conversation.stepChoices.selected?.id;
  const commandLine = fields.command.text.trim();
  const problem = id === 'entered' ? keyProblem(fields.key.text) : null;
  // Forgets a key that was typed but not chosen.
  const withoutTypedKey = setField('key', emptyEdit)(conversation.setup);
  if (id === 'present') advance(conversation, { key: { kind: 'present' }, ...withoutTypedKey });
  else if (problem !== null) showProblem(conversation.board, problem);
  else if (id === 'entered') advance(conversation, { key: { kind: 'entered', key: fields.key.text.trim() } });
  else if (commandLine === '') showProblem(conversation.board, 'Type a command, such as: pass show parcels/key');
  else advance(conversation, { key: { kind: 'command', commandLine }, ...withoutTypedKey });
}

function answerCheck(conversation: Conversation): void {
  const { board, setup } = conversation;
  const { checkResult } = setup;
  if (checkResult === null) showMessage(board, 'Still checking. Press Esc to go back.');
  else if (checkResult.failure === null) advance(conversation);
  else if (checkResult.faultyStep === 'key') goTo(board, 'key');
  else if (checkResult.faultyStep === 'service') {
    if (chosenService(setup)?.kind === 'base-url') openAddress(conversation);
    else goTo(board, 'service');
  } else showMessage(board, 'Press r to check again, Tab to continue anyway, or Esc to go back.');
}

function answerSave(conversation: Conversation): void {
  const { board, setup, stepChoices } = conversation;
  const key = chosenKey(setup);
  const service = chosenService(setup);
  const { selected } = stepChoices;
  if (service === null) skip(board);
  else if (key?.kind !== 'entered') saveService(conversation, service, key, null);
  else if (selected === null) showMessage(board, 'Still looking for places to store the key.');
  else if (selected.unusable !== null) showProblem(conversation.board, selected.unusable);
  else saveService(conversation, service, key, selected.id);
}

function saveService(
  conversation: Conversation,
  service: ServiceChoice,
  key: KeySource | null,
  keyStore: string | null,
): void {
  const { board, effects, setup } = conversation;
  const saveIfUnchanged = async (): Promise<SaveResult> => {
    const active = await effects.current();
    if (isSameSetup(active, setup.active)) return await effects.saveService({ service, key, keyStore });
    board.change(changeSetup(askKeyAgain(active)));
    throw new Error('The settings were changed elsewhere, so nothing was saved. Choose the key again.');
  };
  save(conversation, saveIfUnchanged, { key: null, service: null, fields: { ...setup.fields, key: emptyEdit } });
}

/** Saves, and continues with the next step, which shows what was saved. After an error, stays in this step. */
function save(conversation: Conversation, work: () => Promise<SaveResult>, more: Partial<SetupState> = {}): void {
  whileBusy(conversation.board, 'Saving…', async () => {
    const { summary, warnings } = await work();
    // The next step must show the new settings.
    const active = await conversation.effects.current();
    advance(conversation, { ...more, active }, [
      { text: `✓ ${summary}`, tone: 'done' },
      ...warnings.map((warning): SetupNote => ({ text: `! ${warning}`, tone: 'today' })),
    ]);
  });
}

function answerZone(conversation: Conversation): void {
  const { active } = conversation.setup;
  const zone = conversation.stepChoices.selected?.id ?? null;
  const file = active?.configFile ?? 'config.json';
  const saveZone = (value: string | undefined, summary: string): void =>
    save(conversation, () => conversation.effects.save([{ path: ['zone'], value }], summary));
  if (zone === null)
    showProblem(conversation.board, 'Choose a zone first, or press Ctrl+U to clear the line, then Tab to skip.');
  else if (zone === active?.zone) advance(conversation);
  else if (zone === active?.machineZone) saveZone(undefined, `Using this machine's zone (${file}).`);
  else saveZone(zone, `Saved ${zone} in ${file}.`);
}

function answerNotify(conversation: Conversation): void {
  const { active } = conversation.setup;
  const channels = enabledChannels(conversation.setup);
  const previousChannels = active?.channels ?? [];
  const file = active?.configFile ?? 'config.json';
  const summary =
    channels.length === 0
      ? `Notifications are off (${file}).`
      : `You will be notified by ${channels.join(', ')} (${file}).`;
  const value = channels.length === 0 ? undefined : channels;
  if (channels.length === previousChannels.length && channels.every((name) => previousChannels.includes(name)))
    advance(conversation);
  else save(conversation, () => conversation.effects.save([{ path: ['notify', 'channels'], value }], summary));
}

export function openSettings(board: Board): void {
  const conversation = readyConversation(board);
  if (conversation === null) return;
  const { setup, stepChoices } = conversation;
  const id = stepChoices.selected?.id ?? '';
  const { fields, active } = setup;
  if (id === commandChannelId) {
    const hook = fields.hook.text === '' ? createEdit(active?.notifyCommand ?? '') : fields.hook;
    goTo(board, 'hook', { fields: { ...fields, hook } });
  } else if (hasChannelQuestions(setup, id)) askChannelQuestion(conversation, { id, at: 0, answers: {} });
  else showMessage(board, 'This channel has no settings.');
}

type ChannelSetup = NonNullable<SetupState['channelSetup']>;

const askChannelQuestion = ({ board, setup }: Conversation, channelSetup: ChannelSetup): void =>
  goTo(board, 'channel', { channelSetup, fields: { ...setup.fields, channel: emptyEdit } });

function answerChannel(conversation: Conversation): void {
  const { effects, setup } = conversation;
  const { channelSetup } = setup;
  const question = channelQuestion(setup);
  if (channelSetup === null || question === null) return;
  const text = setup.fields.channel.text.trim();
  const { id } = channelSetup;
  const next: ChannelSetup = {
    id,
    at: channelSetup.at + 1,
    answers: { ...channelSetup.answers, [question.field]: text },
  };
  if (text === '' && !question.isOptional)
    showProblem(conversation.board, 'Type or paste a value first, or press Esc to leave the channel unchanged.');
  else if (channelQuestion({ ...setup, channelSetup: next }) !== null) askChannelQuestion(conversation, next);
  else saveAndTestChannel(conversation, id, () => effects.saveChannel(id, next.answers));
}

function answerHook(conversation: Conversation): void {
  const { board, effects, setup } = conversation;
  const command = splitCommand(setup.fields.hook.text);
  const change = { path: ['notify', 'command'], value: [...command] } as const;
  const summary = `Each change will run: ${joinCommand(command)} (${setup.active?.configFile ?? 'config.json'}).`;
  if (command.length === 0) showProblem(board, 'Type a command, such as: notify-send Parcels');
  else saveAndTestChannel(conversation, commandChannelId, () => effects.save([change], summary));
}

/** Saves a channel's settings and sends a test message. Turns the channel on if that succeeds. */
function saveAndTestChannel(
  { board, effects, setup }: Conversation,
  id: string,
  save: () => Promise<SaveResult>,
): void {
  whileBusy(board, 'Saving and testing…', async () => {
    const { summary } = await save();
    const failure = await effects.testChannel(id);
    const [active, channels] = await Promise.all([effects.current(), effects.channels()]);
    const testResults = { ...setup.testResults, [id]: testResultNote(failure) };
    const index = channels.findIndex((channel) => channel.id === id);
    const change = failure === null ? { chosenChannels: [...new Set([...enabledChannels(setup), id])] } : {};
    goTo(board, 'notify', { active, channels, index, testResults, ...change }, [
      { text: `✓ ${summary}`, tone: 'done' },
    ]);
  });
}

/** @param failure why the test message was not sent; null if it was */
export const testResultNote = (failure: string | null): SetupNote =>
  failure === null ? { text: '✓ Sent. Did you see or hear it?', tone: 'done' } : { text: failure, tone: 'attention' };
