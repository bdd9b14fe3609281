import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fold, folded, nearestWord, withoutAddress } from '../../src/lib/text.ts';
import { rounds } from '../support/rounds.ts';

const characters = fc.oneof(
  fc.constantFrom(...' aZß09İ,.éÉﬁ１Ａ、。がガ゙パ한글航班已พัสดุ่ำ่ึู๊ຳΣσς\u00a0\u3000\u0301'),
  fc.integer({ min: 0x0e01, max: 0x0e5b }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x3041, max: 0x30fa }).map((code) => String.fromCharCode(code)),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);

describe('fold', () => {
  it('answers usual texts the short way as it does all others', () => {
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(fold(text)).toBe(folded(text));
      }),
      { numRuns: rounds(3000) },
    );
  });

  it('puts marks of Thai in the order in which others spell them', () => {
    expect(fold('\u0e38\u0e3a')).toBe('\u0e3a\u0e38');
    expect(fold('\u0e48\u0e39')).toBe('\u0e39\u0e48');
  });
});

test.each([
  ['courir', 'courier'],
  ['Courrier', 'courier'],
  ['tga', 'tag'],
  ['form', 'from'],
  ['ton', 'to'],
  ['label', null],
  ['', null],
])('the word that was meant by %s is %s', (typed, meant) => {
  expect(nearestWord(typed, ['stage', 'courier', 'to', 'from', 'tag'])).toBe(meant);
});

describe('withoutAddress', () => {
  it.each([
    ['postgres://ann@nas:5432/parcels cannot be reached.', 'The database cannot be reached.'],
    ['Changes wait. postgres://nas/parcels: there is none.', 'Changes wait. The database: there is none.'],
    ['The parcel 7 in postgresql://nas/parcels cannot be used.', 'The parcel 7 in the database cannot be used.'],
    ['What is in postgres://nas/parcels. Try again.', 'What is in the database. Try again.'],
  ])('says %o as %o', (text, short) => {
    expect(withoutAddress(text)).toBe(short);
  });

  it.each(['Run: parcel-monitor store copy postgres://nas/parcels', '"postgres://nas/parcels" is no folder.', 'Lamp'])(
    'leaves %o as it is',
    (text) => {
      expect(withoutAddress(text)).toBe(text);
    },
  );
});
