import { messageOf } from '../../lib/error-text.ts';
import { hostWords } from '../../settings/setup/choices.ts';
import type { SetupEffects } from '../../settings/setup/effects.ts';
import type { SetupNote } from '../../settings/setup/setup-lines.ts';
import { type FooterState, showMessage } from '../footer/messages.ts';
import type { Change } from '../keys/binding.ts';
import type { FocusState } from '../layout.ts';
import {
  atStep,
  type LeftQuestion,
  lacksOwnKey,
  notSettingUp,
  openedSetup,
  type SettingUp,
  type SetupBoard,
  type SetupState,
  serviceOf,
  settledOf,
  withSetup,
} from './state.ts';
import { type ShownStep, shownStep } from './step.ts';
import { hasSense, type SetupStep, stepAfter, stepBefore } from './steps.ts';

/** An open conversation with what it needs. */
export interface Conversation {
  readonly board: SetupBoard;
  readonly setup: SettingUp;
  readonly effects: SetupEffects;
  readonly shown: ShownStep;
}

/** The open conversation of a board; null while there is none. */
export function conversationOf(board: SetupBoard): Conversation | null {
  const { now, setupEffects: effects, ui } = board;
  const { settingUp: setup } = ui;
  return setup === null || effects === null ? null : { board, setup, effects, shown: shownStep(setup, effects, now) };
}

/** Whether something is being done that has to end first; says so. */
export function isBusy({ board, setup }: Conversation): boolean {
  if (setup.busy === null && setup.hasLooked) return false;
  showMessage(board, 'One moment: it is still being done.');
  return true;
}

/** Says what is wrong with an answer. */
export const complain = ({ board }: Conversation, text: string): void =>
  showMessage(board, text, { tone: 'attention' });

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

/** A board on which the conversation can end. */
export interface SetupCloser extends Pick<SetupBoard, 'setup' | 'state'> {
  readonly change: Change<FocusState & FooterState & SetupState>;
}

/** Ends the conversation, with the board behind it. */
export function closeSetup(board: Pick<SetupCloser, 'change'>, message: string): void {
  board.change({ ...notSettingUp, focus: 'list' });
  showMessage(board, message);
}

/** What is said when the conversation ends in the board. */
export function farewell({ setup, state }: Pick<SetupCloser, 'setup' | 'state'>): string {
  if (setup.kind !== 'ready') return 'Press C to set up later.';
  return state.parcels.length === 0 ? 'Set up. a adds a number, ? lists all keys.' : 'Set up. ? lists all keys.';
}

/** Goes on to a step, and remembers the way back; the last one takes numbers in the input bar at once. */
function goTo(
  { board, shown }: Conversation,
  next: SetupStep | null,
  change: (setup: SettingUp, next: SetupStep) => Partial<SettingUp>,
): void {
  if (next === null) {
    closeSetup(board, farewell(board));
    return;
  }
  board.change((ui) => ({
    ...withSetup((setup) => {
      const { openLine, left, step } = setup;
      const question = { step, openLine, chosen: shown.selected?.id ?? null };
      return { ...change(setup, next), left: withLeft(left, question) };
    })(ui),
    focus: next === 'numbers' ? 'add' : 'list',
  }));
}

type Question = Pick<LeftQuestion, 'step' | 'openLine'>;

const isQuestion =
  (wanted: Question) =>
  ({ openLine, step }: Question): boolean =>
    step === wanted.step && openLine === wanted.openLine;

/** The way back with another question at its end: once each, in the order of now. */
export const withLeft = (left: readonly LeftQuestion[], question: LeftQuestion): readonly LeftQuestion[] => [
  ...left.filter((one) => !isQuestion(question)(one)),
  question,
];

/** Back to a question, with the answer that was given there, and with the way back that led to it. */
export function backTo({ board }: Pick<Conversation, 'board'>, wanted: Question): void {
  board.change((ui) => ({
    ...withSetup(({ left }) => {
      const at = left.findLastIndex(isQuestion(wanted));
      const { chosen = null } = left[at] ?? {};
      const { openLine, step } = wanted;
      return { ...atStep(step), openLine, taken: chosen, left: at === -1 ? [] : left.slice(0, at) };
    })(ui),
    focus: 'list',
  }));
}

/** Goes on behind a step that was answered. */
export function goOn(talk: Conversation, more: Partial<SettingUp> = {}, notes: readonly SetupNote[] = []): void {
  const { setup } = talk;
  const next = stepAfter(setup.step, settledOf({ ...setup, ...more }));
  goTo(talk, next, ({ done, step }, wanted) => ({
    ...atStep(wanted, notes),
    done: [...new Set([...done, step])],
    ...more,
  }));
}

/** Leaves the step without an answer. */
export function skip(board: SetupBoard): void {
  const talk = conversationOf(board);
  if (talk === null || isBusy(talk)) return;
  const { setup } = talk;
  const { now, step } = setup;
  const next = stepAfter(step, settledOf(setup));
  const isAllSkipped = step === 'service' && next === 'zone';
  const texts = [
    ...(isAllSkipped ? [skippedText(setup)] : []),
    ...(step === 'key' && lacksOwnKey(setup)
      ? [
          `${hostWords(serviceOf(setup))} has no key yet and is not taken: ${hostWords(now?.service ?? null)} stays set.`,
        ]
      : []),
  ];
  const notes = texts.map((text): SetupNote => ({ text, tone: 'today' }));
  goTo(talk, next, (_setup, wanted) => atStep(wanted, notes));
}

const skippedText = ({ fields: { url } }: SettingUp): string =>
  url.text === ''
    ? 'Service and key are skipped: nothing is checked without them. Esc goes back.'
    : 'Service and key are skipped. The address that you typed is kept: Esc goes back to it.';

/** One question back, as it was answered; from the first one to the board. A check begins by itself, so the way back leads past it. */
export function goBack(board: SetupBoard): void {
  const talk = conversationOf(board);
  if (talk === null || isBusy(talk)) return;
  const { setup } = talk;
  const settled = settledOf(setup);
  const isStillAsked = ({ step }: LeftQuestion): boolean => step !== 'check' && hasSense(step, settled);
  // A conversation can begin behind the first questions: they are asked on the way back.
  const before = stepBefore(setup.step, settled);
  const question = setup.left.findLast(isStillAsked) ?? (before === null ? null : { step: before, openLine: null });
  if (question === null) closeSetup(board, farewell(board));
  else backTo(talk, question);
}

/** To the last step, whatever the others say: numbers can be kept before anything else is set. */
export function toNumbers(board: SetupBoard): void {
  const talk = conversationOf(board);
  if (talk !== null && !isBusy(talk)) goTo(talk, 'numbers', (_setup, next) => atStep(next));
}
