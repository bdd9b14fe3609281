import cliTruncate from 'cli-truncate';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import wrapAnsi from 'wrap-ansi';
import { cutSimple, cutSimpleMiddle, isSimple, simpleWidth, wrapSimple } from '../../src/lib/cells.ts';
import { drawable } from '../../src/lib/paint.ts';
import { rounds } from '../support/rounds.ts';

/** Every character that counts as simple. */
const simple = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(isSimple);
const alone = new Set(simple);
/** Thai letters with the marks above and below them. */
const marked = simple
  .filter((character) => /[ก-ฮ]/.test(character))
  .flatMap((letter) =>
    Array.from({ length: 0x80 }, (_, offset) => letter + String.fromCharCode(0x0e00 + offset)).filter(
      (text) => isSimple(text) && !alone.has(text.charAt(1)),
    ),
  );
const tones = ['', '', '\u0e48', '\u0e49', '\u0e4a', '\u0e4b', '\u0e4c'];
const thai = fc.tuple(fc.constantFrom(...marked), fc.constantFrom(...tones)).map((parts) => parts.join(''));
const simpleText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'ab c, é') },
      { weight: 2, arbitrary: thai },
      fc.constantFrom(...simple),
    ),
    { maxLength: 60 },
  )
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
      { numRuns: rounds(2000) },
    );
  });

  it('may be Greek, Vietnamese or Thai', () => {
    for (const text of ['Θεσσαλονίκη', 'Thành phố Hồ Chí Minh', 'พัสดุถึงศูนย์คัดแยก', 'ไปรษณีย์', 'ผู้รับ']) {
      expect(isSimple(text)).toBe(true);
      expect(simpleWidth(text)).toBe(stringWidth(text));
    }
    expect(marked.length).toBeGreaterThan(500);
  });

  it('holds nothing that is drawn in two ways, and no mark without a letter that it belongs to', () => {
    for (const other of [
      'e\u0301',
      '\u200b',
      '\u00ad',
      '🎁',
      '\u0e48',
      'a\u0e48',
      'เ\u0e48',
      'น้ำ',
      '\t',
      '\u001b[1m',
      '1\ufe0f\u20e3',
    ]) {
      expect(isSimple(other)).toBe(false);
    }
  });
});
