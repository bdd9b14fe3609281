import type { SetupNote } from '../../board/setup/choice-lines.ts';
import { hostWords, isKeyOf } from '../../board/setup/key-choices.ts';
import { type SetupStep, stepAfter, stepBefore } from '../../board/setup/steps.ts';
import { messageOf } from '../../service/failures/thrown.ts';
import type { Board } from '../board.ts';
import { showMessage } from '../footer/messages.ts';
import { type Conversation, conversationOf, isBusy } from './conversation.ts';
import { atStep, openedSetup, type SettingUp, settledOf, withSetup } from './state.ts';

/** Begins to set up; from the sandbox, behind the way back from it. */
export function openSetup(board: Board): void {
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
export function goOn(
  { board, setup }: Conversation,
  more: Partial<SettingUp> = {},
  notes: readonly SetupNote[] = [],
): void {
  const next = stepAfter(setup.step, settledOf({ ...setup, ...more }));
  goTo(board, next, ({ done, step }, wanted) => ({
    ...atStep(wanted, notes),
    done: [...new Set([...done, step])],
    ...more,
  }));
}

/** Leaves the step without an answer. */
export function skip(board: Board): void {
  const talk = conversationOf(board);
  if (talk === null || isBusy(talk)) return;
  const { setup } = talk;
  const { key, now, service, step } = setup;
  if (step === 'key' && key === null && now?.key != null && now.service !== null && !isKeyOf(service, now)) {
    // Saved without a key of its own, it would be sent the one that is set for the other.
    const text = `${hostWords(service)} has no key yet and is not taken: ${hostWords(now.service)} stays set.`;
    goTo(board, 'zone', () => ({ ...atStep('zone', [{ text, tone: 'today' }]), service: null }));
    return;
  }
  const next = stepAfter(step, settledOf(setup));
  const isAllSkipped = step === 'service' && next === 'zone';
  const notes: readonly SetupNote[] = isAllSkipped ? [{ text: skippedText(setup), tone: 'today' }] : [];
  goTo(board, next, (_setup, wanted) => atStep(wanted, notes));
}

const skippedText = ({ fields: { url } }: SettingUp): string =>
  url.text === ''
    ? 'Service and key are skipped: nothing is checked without them. Esc goes back.'
    : 'Service and key are skipped. The address that you typed is kept: Esc goes back to it.';

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
