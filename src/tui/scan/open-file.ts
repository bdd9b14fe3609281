import { completionsAt } from '../../board/input/completions.ts';
import type { Board } from '../board.ts';
import { inBackground } from '../footer/messages.ts';
import type { Binding } from '../keys/binding.ts';
import { askText } from '../prompt/prompt.ts';
import { scanPasted } from './add-found.ts';

/** Lists the numbers in a file, like those in a pasted text. */
export function listFile(board: Board, file: string): void {
  inBackground(board, async () => {
    const text = await board.files?.read(file);
    if (text !== undefined) scanPasted(board, { text, source: file, notes: [], onNothingFound: () => null });
  });
}

export const openFile: Binding = {
  id: 'import',
  keys: ['I'],
  writes: true,
  description: 'Add the numbers in a file',
  opensField: true,
  alsoFoundBy: ['import', 'csv', 'open', 'mail', 'table', 'shop'],
  disabled: ({ files }) => (files === undefined ? 'The demo cannot read files.' : null),
  command: { name: 'import', argument: 'FILE', known: ({ files }) => files?.beginningWith('') ?? [], run: listFile },
  run: (board) =>
    askText(board, {
      name: 'add the numbers in a file',
      placeholder: 'a table, email or web page, such as orders.csv; Tab completes',
      hint: 'read',
      complete: (text, cursor) =>
        cursor < text.length ? null : completionsAt(0, text.length, board.files?.beginningWith(text) ?? []),
      problemOf: (text) => (text === '' ? 'Type a file name.' : null),
      accept: (file) => listFile(board, file),
    }),
};
