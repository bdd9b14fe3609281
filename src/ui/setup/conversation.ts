import type { SetupEffects } from '../../board/setup/setup-effects.ts';
import type { Board } from '../app/board.ts';
import { showMessage } from '../footer/messages.ts';
import { type ShownStep, shownStep } from './shown-step.ts';
import type { SettingUp } from './state.ts';

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

/** Whether something is being done that has to end first; says so. */
export function isBusy({ board, setup }: Conversation): boolean {
  if (setup.busy === null && setup.hasLooked) return false;
  showMessage(board, 'One moment: it is still being done.');
  return true;
}

/** Says what is wrong with an answer. */
export const complain = ({ board }: Conversation, text: string): void =>
  showMessage(board, text, { tone: 'attention' });
