import { showMessage } from '../footer/messages.ts';
import type { Binding, EditedText } from '../keys/binding.ts';
import { type CompletingBoard, complete } from './complete.ts';

/** The keys that complete a line in which Tab has no other meaning. */
export const completeKeys = <Ui, Board extends CompletingBoard<Ui>>(
  text: EditedText<Ui, Board>,
  what: string,
): readonly Binding<Board>[] => [
  {
    keys: ['tab'],
    description: `Complete ${what}; again: the next one that begins so`,
    run: (board) => {
      if (!complete(board, text, 1)) showMessage(board, 'Nothing known begins like that.');
    },
  },
  {
    keys: ['shift+tab'],
    description: 'In place of what was completed, the one before',
    run: (board) => void complete(board, text, -1),
  },
];
