import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineWidth } from '../../../src/board/text/cells.ts';
import { inGlyphs } from '../../../src/board/text/stand-in.ts';
import { anyText } from '../texts.ts';

describe('inGlyphs', () => {
  it('replaces the signs of the board in ASCII and keeps looks and texts', () => {
    const line = [{ text: 'Köln · 深…', bold: true }, { text: '±' }];
    expect(inGlyphs(line, 'ascii')).toEqual([{ text: 'Köln - 深~', bold: true }, { text: '~' }]);
    expect(inGlyphs(line, 'symbols')).toBe(line);
  });

  it('keeps the width', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(lineWidth(inGlyphs([{ text }], 'ascii'))).toBe(lineWidth([{ text }]));
      }),
    );
  });
});
