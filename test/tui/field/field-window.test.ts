import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellWidth } from '../../../src/lib/cells.ts';
import { fieldWindow } from '../../../src/tui/field/field.tsx';
import { forAll } from '../../support/for-all.ts';

const parseCursor = (marked: string): { text: string; cursor: number } => ({
  text: marked.replace('|', ''),
  cursor: marked.indexOf('|'),
});

describe('a field', () => {
  test.each([
    ['a line that fits', 'LX1|', 10, 'LX1', 3],
    ['a line that leaves room only for the cursor', '123456789|', 10, '123456789', 9],
    ['a line that fills it, with the cursor inside', '12345678|90', 10, '1234567890', 8],
    ['the end of a longer line', '1234567890|', 10, '…34567890', 9],
    ['the beginning', '|123456789012', 10, '123456789…', 0],
    ['both sides of the cursor', 'abcdefgh|ijklmnop', 10, '…efghijkl…', 5],
    ['whole wide characters', '耳机耳机耳机|', 10, '…耳机耳机', 9],
    ['the cursor on a wide character', 'ab耳|机cd', 20, 'ab耳机cd', 4],
    ['flags in a form that all terminals draw alike', '🇩🇪|a', 20, 'DEa', 2],
    ['both parts of a flag once, with the cursor inside it', '🇩|🇪a', 20, 'DEa', 1],
    ['several lines as one', 'RB1\nR|B2', 20, 'RB1 ⏎ RB2', 7],
    ['no ellipses if there is no room', '12345678|', 5, '5678', 4],
  ])('shows %s', (_name, marked, width, text, cursorCell) => {
    const { before, after, ...view } = fieldWindow(parseCursor(marked), width);
    expect({ ...view, text: before + after }).toEqual({ text, cursorCell });
    expect(cellWidth(before)).toBe(cursorCell);
  });

  test('shows the cursor, and the character under it, at every width', () => {
    const anyLine = fc.string({ unit: fc.constantFrom('a', '1', ' ', '耳', 'é', '👩‍👩‍👧', '\n', 'กำ', '🇩🇪') });
    forAll(anyLine, fc.nat(), fc.integer({ min: 8, max: 30 }), (text, position, width) => {
      const ends = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
        (piece) => piece.index,
      );
      const cursor = [...ends, text.length][position % (ends.length + 1)] ?? 0;
      const view = fieldWindow({ text, cursor }, width);
      expect(cellWidth(view.before + view.after)).toBeLessThanOrEqual(width);
      expect(view.cursorCell).toBeLessThan(width);
      if (cursor < text.length) expect(view.after).not.toBe('');
      expect(cellWidth(view.before)).toBe(view.cursorCell);
    });
  });

  test('shows the right part of a line of a hundred thousand characters', () => {
    const text = 'RB100000005CN\n'.repeat(7_000);
    const { before, after } = fieldWindow({ text, cursor: 50_000 }, 20);
    expect(before + after).toBe('… ⏎ RB100000005CN…');
    expect(fieldWindow({ text: '\u0301'.repeat(50_000), cursor: 50_000 }, 20).cursorCell).toBeLessThan(20);
  });
});
