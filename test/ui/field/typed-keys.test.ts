import fc from 'fast-check';
import { onTestFinished, test } from 'vitest';
import { fieldWindow } from '../../../src/ui/field/field-window.ts';
import { type LineCommand, runLineCommand } from '../../../src/ui/field/line-editor.ts';
import { emptyEdit } from '../../../src/ui/field/text-edit.ts';
import { aBoard } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

/** What terminals send, and what it does to the line. */
const keys: readonly (readonly [sent: string, command: LineCommand])[] = [
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
  ['\u001bx', { kind: 'move', to: 'right' }],
];

test('a field does with any keys what the line editor does', async () => {
  const { screen, stop } = await startBoard(aBoard(), { size: [60, 30] });
  onTestFinished(async () => void (await stop()));
  screen.type('e');
  await screen.waitForText('label of');
  screen.type('\u0015');
  let editor = { edit: emptyEdit, kills: [] as readonly string[] };
  const sequences = fc.sample(fc.array(fc.constantFrom(...keys.slice(0, -1)), { minLength: 20, maxLength: 60 }), {
    seed: 7,
    numRuns: 40,
  });
  for (const sequence of sequences) {
    for (const [sent, command] of sequence) {
      screen.type(sent);
      editor = runLineCommand(editor, command);
    }
    // Then the line has an end that was not there before.
    const { before, after } = fieldWindow(editor.edit, 60 - ' label of LX123456789CN ▸ '.length - 1);
    await screen.waitFor(
      (shown) =>
        shown.split('\n').some((line) => line.trimEnd() === ` label of LX123456789CN ▸ ${before}${after}`.trimEnd()),
      `${before}|${after}`,
    );
  }
});
