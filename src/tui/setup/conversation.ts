import { messageOf } from '../../lib/error-text.ts';
import { commandChannelId, type SetupEffects, type SetupNote } from '../../settings/setup/board-setup.ts';
import { hostText, otherAddressId } from '../../settings/setup/choices.ts';
import type { Board } from '../board.ts';
import { showMessage, showProblem } from '../footer.ts';
import { emptyEdit } from '../text-edit.ts';
import type { SetupState, SetupStep } from '../ui-state.ts';
import {
  changeSetup,
  chosenService,
  closeSetup,
  createSetupState,
  lacksOwnKey,
  openStep,
  stepAfter,
  stepBefore,
} from './state.ts';
import { currentStepChoices, type StepChoices } from './steps.ts';

export interface Conversation {
  readonly board: Board;
  readonly setup: SetupState;
  readonly effects: SetupEffects;
  readonly stepChoices: StepChoices;
}

export function currentConversation(board: Board): Conversation | null {
  const { now, setupEffects: effects, ui } = board;
  const { setupState: setup } = ui;
  return setup === null || effects === null
    ? null
    : { board, setup, effects, stepChoices: currentStepChoices(setup, now) };
}

/** Returns the conversation if the user can answer now. If it is busy, shows a message and returns null. */
export function readyConversation(board: Board): Conversation | null {
  const conversation = currentConversation(board);
  if (conversation === null || conversation.setup.busy === null) return conversation;
  showMessage(board, 'Still working, one moment.');
  return null;
}

/** Opens setup. In the sandbox, leaves the sandbox first, and opens setup only if the user has no service or key. */
export function openSetup(board: Board): void {
  const { change, setupEffects: effects } = board;
  if (effects === null) return;
  const open = (): void => change({ setupState: createSetupState('service'), focus: 'list', message: null });
  if (!effects.isInSandbox) {
    open();
    return;
  }
  showMessage(board, 'Leaving the sandbox…');
  const leave = async (): Promise<void> => {
    await effects.leaveSandbox();
    const { key, service } = await effects.current();
    if (key === null || service === null) open();
    else showMessage(board, 'Back to your own parcels.', { advice: 'Press C to set up the service.' });
  };
  leave().catch((error: unknown) => showProblem(board, messageOf(error)));
}

/** Goes to a step, or to the board if it is null. The last step takes numbers in the input bar. */
export function goTo(
  board: Board,
  step: SetupStep | null,
  more: Partial<SetupState> = {},
  notes: readonly SetupNote[] = [],
): void {
  if (step === null) {
    closeSetup(board);
    return;
  }
  const focus = step === 'numbers' ? 'add' : 'list';
  // A new run number starts a new check.
  const startRun = ({ run }: SetupState) => (step === 'check' ? { run: run + 1, checkResult: null } : {});
  // Answers about a channel may be secrets, so they are cleared.
  const clearChannelAnswers = ({ fields }: SetupState) =>
    step === 'channel' ? {} : { channelSetup: null, fields: { ...fields, channel: emptyEdit } };
  board.change((ui) => ({
    ...changeSetup((setup) => ({
      ...openStep(step, notes),
      ...startRun(setup),
      ...clearChannelAnswers(setup),
      ...more,
    }))(ui),
    focus,
  }));
}

export function advance(
  { board, setup }: Conversation,
  more: Partial<SetupState> = {},
  notes: readonly SetupNote[] = [],
): void {
  const answered = { ...setup, ...more, done: [...new Set([...setup.done, setup.step])] };
  goTo(board, stepAfter(answered), { ...more, done: answered.done }, notes);
}

export function skip(board: Board): void {
  const conversation = readyConversation(board);
  if (conversation === null) return;
  const { setup } = conversation;
  const nextStep = stepAfter(setup);
  const note = (text: string): readonly SetupNote[] => [{ text, tone: 'today' }];
  if (setup.step === 'key' && lacksOwnKey(setup)) {
    const [chosen, set] = [chosenService(setup), setup.active?.service ?? null].map(hostText);
    goTo(board, nextStep, {}, note(`${chosen} has no key yet, so ${set} stays in use.`));
  } else if (nextStep === 'zone' && chosenService(setup) === null) {
    const skippedText =
      setup.fields.url.text === ''
        ? 'You skipped the service and the key. Parcels cannot be checked without them; press Esc to go back.'
        : 'You skipped the service and the key. Press Esc to return to the address you typed.';
    goTo(board, nextStep, {}, note(skippedText));
  } else goTo(board, nextStep);
}

/** Goes back one question, or from the first question to the board. */
export function goBack(board: Board): void {
  const conversation = readyConversation(board);
  if (conversation === null) return;
  const { channelSetup, channels, step } = conversation.setup;
  const previousStep = stepBefore(conversation.setup);
  const isFromAddress = step === 'url' && previousStep === 'service';
  const index = isFromAddress
    ? currentStepChoices({ ...conversation.setup, step: 'service' }, board.now).choices.findIndex(
        ({ id }) => id === otherAddressId,
      )
    : step === 'hook' || step === 'channel'
      ? (channels ?? []).findIndex(({ id }) => id === (channelSetup?.id ?? commandChannelId))
      : null;
  goTo(board, previousStep, { index });
}

/** Jumps to the last step, because users can add numbers before anything is set up. */
export function goToNumbers(board: Board): void {
  if (readyConversation(board) !== null) goTo(board, 'numbers');
}
