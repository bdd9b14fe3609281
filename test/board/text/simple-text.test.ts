import cliTruncate from 'cli-truncate';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import wrapAnsi from 'wrap-ansi';
import { drawable } from '../../../src/board/text/cells.ts';
import { cutSimple, cutSimpleMiddle, isSimple, simpleWidth, wrapSimple } from '../../../src/board/text/simple-text.ts';

/** Every character that counts as simple. */
const simple = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(isSimple);
const simpleText = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...'ab c, é') }, fc.constantFrom(...simple)), {
    maxLength: 60,
  })
  .map((characters) => characters.join(''));

describe('a simple text', () => {
  it('is drawn as it is, and as wide as the width table says', () => {
    expect(simple.length).toBeGreaterThan(30_000);
    const wrong = simple.filter(
      (character) => stringWidth(character) !== simpleWidth(character) || character.normalize() !== character,
    );
    expect(wrong).toEqual([]);
  });

  it('is measured, cut and wrapped as any other text', () => {
    fc.assert(
      fc.property(simpleText, fc.integer({ min: 1, max: 40 }), (text, width) => {
        expect(drawable(text)).toBe(text);
        expect(simpleWidth(text)).toBe(stringWidth(text));
        if (simpleWidth(text) > width) {
          expect(cutSimple(text, width)).toBe(cliTruncate(text, width));
          expect(cutSimpleMiddle(text, width)).toBe(cliTruncate(text, width, { position: 'middle' }));
        }
        const rows = wrapSimple(text, width);
        if (rows !== null) expect(rows).toEqual(wrapAnsi(text, width, { hard: true }).split('\n'));
      }),
      { numRuns: 2000 },
    );
  });

  it('holds nothing that joins, has no width, or is drawn in two ways', () => {
    for (const other of ['e\u0301', '\u200b', '\u00ad', '🎁', 'ไทย', '\t', '\u001b[1m', '1\ufe0f\u20e3']) {
      expect(isSimple(other)).toBe(false);
    }
  });
});
