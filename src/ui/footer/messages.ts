import type { Board } from '../board.ts';
import type { Message } from './state.ts';

type CanShow = Pick<Board, 'change'>;

/** Shows a message in the footer. */
export function showMessage({ change }: CanShow, text: string, tone: Message['tone'] = 'plain'): void {
  change({ message: { text, tone } });
}

/** Runs something that takes time; a failure becomes a message. */
export function inBackground(board: CanShow, work: () => Promise<void>): void {
  work().catch((error: unknown) =>
    showMessage(board, error instanceof Error ? error.message : String(error), 'attention'),
  );
}

/** Says that something begins, runs it, and shows the sentence that it answers. */
export function runWithStatus(board: CanShow, beginning: string, work: () => Promise<string>): void {
  showMessage(board, beginning);
  inBackground(board, async () => showMessage(board, await work()));
}

/** A number with its noun. */
export const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
