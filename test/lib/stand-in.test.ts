import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellWidth } from '../../src/lib/cells.ts';
import { inGlyphs } from '../../src/lib/paint.ts';
import { anyText } from '../board/texts.ts';

describe('inGlyphs', () => {
  it('replaces the signs of the board in ASCII and keeps texts', () => {
    expect(inGlyphs('Köln · 深… ±', 'ascii')).toBe('Köln - 深~ ?');
    expect(inGlyphs('Köln · 深… ±', 'symbols')).toBe('Köln · 深… ±');
  });

  it('keeps the width', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(cellWidth(inGlyphs(text, 'ascii'))).toBe(cellWidth(text));
      }),
    );
  });
});
