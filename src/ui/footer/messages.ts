import { messageOf } from '../../service/failures/thrown.ts';
import { StoreError } from '../../watchlist/errors.ts';
import type { Change } from '../change.ts';
import type { FooterState, Message } from './state.ts';

/** A board that can show messages. */
export interface CanShow {
  readonly change: Change<FooterState>;
}

/** Shows a message in the footer. */
export function showMessage(
  { change }: CanShow,
  text: string,
  { tone = 'plain', ...more }: Partial<Omit<Message, 'text'>> = {},
): void {
  change({ message: { text, tone, ...more } });
}

/** Says something in passing; what needs the user stays in its place. */
export const sayInPassing = ({ change }: CanShow, text: string): void =>
  change(({ message }) => (message?.tone === 'attention' ? {} : { message: { text, tone: 'plain' } }));

/** Runs something that takes time; a failure becomes a message. */
export function inBackground(board: CanShow, work: () => Promise<void>): void {
  work().catch((error: unknown) =>
    showMessage(board, messageOf(error), {
      tone: 'attention',
      isCutOff: error instanceof StoreError && error.kind === 'cut-off',
    }),
  );
}

/** Says that something begins, runs it, and shows the sentence that it answers. */
export function runWithStatus(board: CanShow, beginning: string, work: () => Promise<string>): void {
  showMessage(board, beginning);
  inBackground(board, async () => showMessage(board, await work()));
}
