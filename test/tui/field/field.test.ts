import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellWidth } from '../../../src/lib/cells.ts';
import { fieldWindow } from '../../../src/tui/field/field.tsx';
import { emptyEdit, type LineCommand, type LineEditor, runLineCommand } from '../../../src/tui/text-edit.ts';
import { aBoard } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { rounds } from '../../support/rounds.ts';
import { startBoard } from '../board-harness.ts';

/** Input from a terminal, and the edit command that it means, or null if it changes nothing. */
const keys: readonly (readonly [sent: string, command: LineCommand | null])[] = [
  ...['a', 'a', 'a', 'b', ' ', '耳', 'é', '🇩🇪'].map((text) => [text, { kind: 'insert', text }] as const),
  ['\u001b[D', { kind: 'move', to: 'left' }],
  ['\u001b[C', { kind: 'move', to: 'right' }],
  ['\u001b[H', { kind: 'move', to: 'start' }],
  ['\u001b[F', { kind: 'move', to: 'end' }],
  ['\u007f', { kind: 'delete', to: 'left' }],
  ['\u001b[3~', { kind: 'delete', to: 'right' }],
  ['\u0017', { kind: 'kill', to: 'blank-left' }],
  ['\u0019', { kind: 'yank' }],
  ['\u001bd', { kind: 'kill', to: 'word-right' }],
  ['\u0014', { kind: 'transpose' }],
  ['\u001f', { kind: 'undo' }],
  // Ctrl+X, Up and F5, which the stock input would treat as a letter or ignore.
  ['\u0018', null],
  ['\u001b[A', null],
  ['\u001b[15~', null],
];

/** So narrow that most of a line is not visible. */
const columns = 60;

const name = ' label of LX123456789CN ▸ ';

test('a field behaves like the line editor for any sequence of keys', async () => {
  const { screen } = await startBoard(aBoard(), { size: [columns, 30] });
  await screen.type('e').waitForText('label of');
  screen.type('\u0015');
  let editor: LineEditor = { edit: emptyEdit, lastCut: '' };
  const sequences = fc.sample(fc.array(fc.constantFrom(...keys), { minLength: 20, maxLength: 60 }), {
    seed: 7,
    numRuns: rounds(20, 5),
  });
  for (const sequence of sequences) {
    for (const [sent, command] of sequence) {
      screen.type(sent);
      if (command !== null) editor = runLineCommand(editor, command);
    }
    const { before, after } = fieldWindow(editor.edit, columns - name.length - 1);
    const expected = `${name}${before}${after}`.trimEnd();
    await screen.waitFor((shown) => shown.split('\n').some((line) => line.trimEnd() === expected), expected);
    await eventually(() => expect(screen.cursor().column).toBe(name.length + cellWidth(before)));
  }
});
