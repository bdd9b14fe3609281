import { describe, expect, it } from 'vitest';
import { cellWidth } from '../../src/lib/cells.ts';
import { colourPainter, inGlyphs, paint, plainPainter } from '../../src/lib/paint.ts';
import { anyText } from '../board/texts.ts';
import { forAll } from '../support/for-all.ts';

const plain = { colour: true, glyphs: 'symbols', hyperlinks: false } as const;

describe('paint', () => {
  it('colours a tone, with bold and dim', () => {
    expect(
      paint(
        [
          { text: 'a', tone: 'attention', bold: true },
          { text: 'b', dim: true },
        ],
        plain,
      ),
    ).toBe('\u001b[31m\u001b[1ma\u001b[22m\u001b[39m\u001b[2mb\u001b[22m');
    expect(paint([{ text: 'plain' }], plain)).toBe('plain');
  });

  it('joins segments of the same style, with blanks in between', () => {
    const line = [
      { text: ' ', tone: 'accent' },
      { text: 'a', dim: true },
      { text: ' ' },
      { text: 'b', dim: true },
      { text: 'c' },
    ] as const;
    expect(paint(line, plain)).toBe(' \u001b[2ma b\u001b[22mc');
  });

  it('keeps bold and dim if there are no colours, without repeating them', () => {
    const look = { ...plain, colour: false };
    expect(paint([{ text: 'a', tone: 'today', bold: true }], look)).toBe('\u001b[1ma\u001b[22m');
    expect(paint([{ text: 'a', tone: 'quiet', dim: true }], look)).toBe('\u001b[2ma\u001b[22m');
  });

  it('writes a link if the terminal supports links', () => {
    const line = [{ text: '▸ LX1…', link: 'https://c.example/' }];
    expect(paint(line, plain)).toBe('▸ LX1…');
    expect(paint(line, { ...plain, hyperlinks: true })).toContain(']8;;https://c.example/');
  });

  it('writes plain text to a pipe', () => {
    expect(plainPainter('ascii')({ text: '✓ 2', tone: 'done', bold: true })).toBe('v 2');
    expect(colourPainter('ascii')({ text: '✓ 2', tone: 'done' })).toBe('\u001b[32mv 2\u001b[39m');
    expect(colourPainter('symbols')({ text: '2', tone: 'done' })).toBe('\u001b[32m2\u001b[39m');
  });
});

describe('inGlyphs', () => {
  it("replaces the board's symbols in ASCII, and keeps other text", () => {
    expect(inGlyphs('Köln · 深… ±', 'ascii')).toBe('Köln - 深> ?');
    expect(inGlyphs('Köln · 深… ±', 'symbols')).toBe('Köln · 深… ±');
  });

  it('keeps the width', () =>
    forAll(anyText, (text) => {
      expect(cellWidth(inGlyphs(text, 'ascii'))).toBe(cellWidth(text));
    }));
});
