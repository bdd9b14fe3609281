import cliTruncate from 'cli-truncate';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import wrapAnsi from 'wrap-ansi';
import { cellWidth, cut, cutMiddle, fitLine, fitText, lineText, lineWidth, wrap } from '../../src/lib/cells.ts';
import { cleanText } from '../../src/lib/clean-text.ts';
import { drawable, type Line } from '../../src/lib/paint.ts';
import { anyText, anyWidth } from '../board/texts.ts';
import { forAll, forAllIn } from '../support/for-all.ts';
import { rounds } from '../support/rounds.ts';

const anyLine: fc.Arbitrary<Line> = fc.array(
  fc.record({ text: anyText.map((text) => `${text} `), bold: fc.boolean() }),
  { maxLength: 6 },
);

it.each([
  ['Leipzig', 7],
  ['深圳', 4],
  ['한국어', 6],
  ['กำลัง', 4],
  ['مُحَمَّد', 4],
  ['📦', 2],
  ['नमस्ते', 4],
])('cellWidth measures %s as %i cells', (text, width) => expect(cellWidth(text)).toBe(width));

describe('drawable', () => {
  it('writes flags as their letters', () => expect(drawable('to 🇩🇪')).toBe('to DE'));

  it('removes keycaps and skin tones', () => expect(drawable('1\u20E3 👍🏽')).toBe('1 👍'));

  it('splits Thai AM into its two parts, before the tone mark', () => {
    expect(drawable('น้ำ')).toBe('น\u0E4D\u0E49\u0E32');
  });

  it('does not change text without ambiguous clusters', () => {
    expect(drawable('Köln 深圳 한국어 📦')).toBe('Köln 深圳 한국어 📦');
  });

  it('changes nothing when applied again', () =>
    forAll(anyText, (text) => drawable(drawable(text)) === drawable(text)));
});

describe('fitText', () => {
  it('pads on the right, or on the left for right-aligned text', () => {
    expect(fitText('2d', 4)).toBe('2d  ');
    expect(fitText('2d', 4, 'right')).toBe('  2d');
  });

  it('marks a cut', () => expect(fitText('Arrived at the sorting centre', 12)).toBe('Arrived at …'));

  it('never cuts a wide character in half', () => expect(fitText('深圳市', 4)).toBe('深… '));

  it('is exactly as wide as requested for any text', () =>
    forAllIn(
      rounds(2000),
      anyText,
      anyWidth,
      fc.constantFrom('left' as const, 'right' as const),
      (text, width, align) => {
        expect(cellWidth(fitText(text, width, align))).toBe(width);
      },
    ));
});

describe('cut', () => {
  it('does not change text that fits', () => expect(cut('Köln', 4)).toBe('Köln'));

  it('cuts before a mark that belongs to a wide character', () => {
    // A nasal sign, which takes one cell and forms a cluster with the next character.
    const sign = '\u{1193f}';
    expect([1, 2, 3].map((width) => cut(`${sign}⺀`, width))).toEqual(['…', '…', `${sign}⺀`]);
    expect(cut(`a${sign}⺀bc`, 4)).toBe('a…');
    expect(cut(`a${sign}⺀bc`, 5)).toBe(`a${sign}⺀…`);
    expect(cellWidth(cutMiddle(`a${sign}⺀b${sign}⺀c`, 6))).toBeLessThanOrEqual(6);
  });

  it('keeps the beginning and the end of a number when it cuts in the middle', () => {
    expect(cutMiddle('1Z999AA10123456784', 9)).toBe('1Z99…6784');
  });

  it('never exceeds the width', () =>
    forAll(anyText, anyWidth, (text, width) => {
      expect(cellWidth(cut(text, width))).toBeLessThanOrEqual(width);
      expect(cellWidth(cutMiddle(text, width))).toBeLessThanOrEqual(width);
    }));
});

describe('wrap', () => {
  it('breaks between words', () => {
    expect(wrap('Held by customs, documents asked for', 16)).toEqual(['Held by customs,', 'documents asked', 'for']);
  });

  it('breaks Chinese between characters', () =>
    expect(wrap('航班已起飞离开中国', 8)).toEqual(['航班已起', '飞离开中', '国']));

  it('breaks a word that is longer than a line', () => expect(wrap('ABCDEFGHIJ', 4)).toEqual(['ABCD', 'EFGH', 'IJ']));

  it('returns an empty line for an empty string, and no lines for no width', () => {
    expect(wrap('', 5)).toEqual(['']);
    expect(wrap('a', 0)).toEqual([]);
  });

  it('never exceeds the requested width', () =>
    forAll(anyText, anyWidth, (text, width) => {
      for (const row of wrap(text, width)) expect(cellWidth(row)).toBeLessThanOrEqual(width);
    }));

  it('loses nothing but white space if wide characters fit', () =>
    forAll(anyText, fc.integer({ min: 4, max: 60 }), (text, width) => {
      const bare = (value: string): string => value.normalize('NFC').replace(/\s/g, '');
      expect(bare(wrap(text, width).join(''))).toBe(bare(drawable(text)));
    }));
});

describe('fitLine', () => {
  it('marks a cut between two pieces', () => {
    expect(lineText(fitLine([{ text: 'abc' }, { text: 'def' }], 3))).toBe('ab…');
  });

  it('keeps the style of what remains', () => {
    expect(
      fitLine(
        [
          { text: 'ab', bold: true },
          { text: 'cdef', dim: true },
        ],
        4,
      ),
    ).toEqual([
      { text: 'ab', bold: true },
      { text: 'c…', dim: true },
    ]);
  });

  it('is exactly as wide as requested', () =>
    forAllIn(rounds(1000), anyLine, anyWidth, (line, width) => {
      const fitted = fitLine(line, width);
      expect(lineWidth(fitted)).toBe(width);
      expect(cellWidth(lineText(fitted))).toBe(width);
    }));
});

describe('text of letters and symbols that are known to take one cell', () => {
  const anyCharacter = fc.oneof(
    fc.constantFrom(...'ab c, éΘж…▌✓·│'),
    fc.integer({ min: 0, max: 0x27ff }).map((unit) => String.fromCharCode(unit)),
  );

  it('is measured, cut and wrapped as the packages do', () =>
    forAllIn(
      rounds(2000),
      fc.array(anyCharacter, { maxLength: 40 }),
      fc.integer({ min: 1, max: 30 }),
      (characters, width) => {
        const text = drawable(cleanText(characters.join('')));
        expect(cellWidth(text)).toBe(stringWidth(text));
        expect(wrap(text, width)).toEqual(
          wrapAnsi(text, width, { hard: true })
            .split('\n')
            .map((row) => cut(row, width)),
        );
        expect(cut(text, width)).toBe(cliTruncate(text, width));
        expect(cutMiddle(text, width)).toBe(cliTruncate(text, width, { position: 'middle' }));
      },
    ));
});
