import { messageOf } from '../../lib/error-text.ts';
import { commandChannelId, type SetupEffects, type SetupNote } from '../../settings/setup/board-setup.ts';
import { hostText, otherAddressId } from '../../settings/setup/choices.ts';
import type { Board } from '../board.ts';
import { showMessage, showProblem } from '../footer.ts';
import { emptyEdit } from '../text-edit.ts';
import type { SetupState, SetupStep } from '../ui-state.ts';
import { atStep, closeSetup, lacksOwnKey, openedSetup, serviceOf, stepAfter, stepBefore, withSetup } from './state.ts';
import { type ShownStep, shownStep } from './steps.ts';

export interface Conversation {
  readonly board: Board;
  readonly setup: SetupState;
  readonly effects: SetupEffects;
  readonly shown: ShownStep;
}

export function conversationOf(board: Board): Conversation | null {
  const { now, setupEffects: effects, ui } = board;
  const { setupState: setup } = ui;
  return setup === null || effects === null ? null : { board, setup, effects, shown: shownStep(setup, now) };
}

/** Returns the conversation if the user can answer now. If it is busy, shows a message and returns null. */
export function readyConversation(board: Board): Conversation | null {
  const conversation = conversationOf(board);
  if (conversation === null || conversation.setup.busy === null) return conversation;
  showMessage(board, 'Still working, one moment.');
  return null;
}

/** Opens setup. In the sandbox, leaves the sandbox first, and opens setup only if the user has no service or key. */
export function openSetup(board: Board): void {
  const { change, setupEffects: effects } = board;
  if (effects === null) return;
  const open = (): void => change({ setupState: openedSetup('service'), focus: 'list', message: null });
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
  const newRun = ({ run }: SetupState) => (step === 'check' ? { run: run + 1, checkResult: null } : {});
  // Answers about a channel may be secrets, so they are cleared.
  const cleared = ({ fields }: SetupState) =>
    step === 'channel' ? {} : { asking: null, fields: { ...fields, channel: emptyEdit } };
  board.change((ui) => ({
    ...withSetup((setup) => ({ ...atStep(step, notes), ...newRun(setup), ...cleared(setup), ...more }))(ui),
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
  const next = stepAfter(setup);
  const note = (text: string): readonly SetupNote[] => [{ text, tone: 'today' }];
  if (setup.step === 'key' && lacksOwnKey(setup)) {
    const [chosen, set] = [serviceOf(setup), setup.now?.service ?? null].map(hostText);
    goTo(board, next, {}, note(`${chosen} has no key yet, so ${set} stays in use.`));
  } else if (next === 'zone' && serviceOf(setup) === null) {
    const kept =
      setup.fields.url.text === ''
        ? 'You skipped the service and the key. Parcels cannot be checked without them; press Esc to go back.'
        : 'You skipped the service and the key. Press Esc to return to the address you typed.';
    goTo(board, next, {}, note(kept));
  } else goTo(board, next);
}

/** Goes back one question, or from the first question to the board. */
export function goBack(board: Board): void {
  const conversation = readyConversation(board);
  if (conversation === null) return;
  const { asking, channels, step } = conversation.setup;
  const before = stepBefore(conversation.setup);
  const isAddress = step === 'url' && before === 'service';
  const index = isAddress
    ? shownStep({ ...conversation.setup, step: 'service' }, board.now).choices.findIndex(
        ({ id }) => id === otherAddressId,
      )
    : step === 'hook' || step === 'channel'
      ? (channels ?? []).findIndex(({ id }) => id === (asking?.id ?? commandChannelId))
      : null;
  goTo(board, before, { index });
}

/** Jumps to the last step: users can add numbers before anything is set up. */
export function goToNumbers(board: Board): void {
  if (readyConversation(board) !== null) goTo(board, 'numbers');
}
