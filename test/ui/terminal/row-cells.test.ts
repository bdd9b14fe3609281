import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paint } from '../../../src/board/text/paint.ts';
import { KeptCells, rowUpdate } from '../../../src/ui/terminal/row-cells.ts';
import { rounds } from '../../support/rounds.ts';

const columns = 30;

/** What a terminal shows in each cell of its only row after this. */
async function shown(text: string): Promise<readonly string[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 1, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const line = terminal.buffer.active.getLine(0);
  const cells = Array.from({ length: columns }, (_, at) => {
    const cell = line?.getCell(at);
    if (cell === undefined) return '';
    const blank = cell.getChars() === '' || cell.getChars() === ' ';
    return blank && cell.getWidth() === 1
      ? ' '
      : `${cell.getChars()} ${cell.getFgColor()} ${cell.isBold()} ${cell.isDim()}`;
  });
  terminal.dispose();
  return cells;
}

const segment = fc.record({
  text: fc.stringMatching(/^[ab 中│กั●-]{0,6}$/),
  tone: fc.constantFrom('plain', 'attention', 'quiet', 'accent' as const),
  bold: fc.boolean(),
});
/** At most four segments of six wide characters would not fit; a terminal of thirty cells has room for two and a half. */
const row = fc
  .array(segment, { maxLength: 4 })
  .map((line) => paint(line, { colour: true, hyperlinks: false }))
  .filter(
    (text) => [...text.replace(/\u001b\[\d+m/g, '')].reduce((sum, sign) => sum + (sign === '中' ? 2 : 1), 0) <= columns,
  );

test('what is written makes one row look as the other', async () => {
  const kept = new KeptCells();
  await fc.assert(
    fc.asyncProperty(row, row, async (before, after) => {
      const update = rowUpdate(0, before, after);
      expect(await shown(`${before}${update}`)).toEqual(await shown(after));
      expect(rowUpdate(0, before, after, kept)).toBe(update);
    }),
    { numRuns: rounds(300) },
  );
});

test('rows that look the same need no byte, however they are written', () => {
  const one = '\u001b[35m\u001b[1mab\u001b[22m\u001b[39m\u001b[35mc\u001b[39m';
  const other = '\u001b[1m\u001b[35mab\u001b[22mc\u001b[39m  ';
  expect(rowUpdate(3, one, other)).toBe('');
  expect(rowUpdate(3, '\u001b[2m \u001b[22m', '')).toBe('');
});

test('only what differs is written', () => {
  expect(rowUpdate(4, 'one two three and four', 'one two seven and four')).toBe('\u001b[5;9Hseven');
  expect(rowUpdate(4, 'one two', 'one')).toBe('\u001b[5;5H\u001b[K');
  expect(rowUpdate(4, 'one', '\u001b[31mo\u001b[39mne two')).toBe('\u001b[5;1H\u001b[31mo\u001b[mne two');
});

test('where a link leads is part of the look', () => {
  const linked = (address: string) => `\u001b]8;;${address}\u001b\\x\u001b]8;;\u001b\\`;
  expect(rowUpdate(0, linked('https://a.example'), linked('https://b.example'))).toBe(
    `\u001b[1;1H${linked('https://b.example')}`,
  );
});

test('a row whose widths depend on the terminal, or behind one that is not known, is written whole', () => {
  expect(rowUpdate(0, 'a 👩‍👩‍👧 b', 'a 👩‍👩‍👧 c')).toBe('\u001b[1;1H\u001b[Ka 👩‍👩‍👧 c');
  expect(rowUpdate(0, null, 'a')).toBe('\u001b[1;1H\u001b[Ka');
});
