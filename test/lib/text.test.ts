import { describe, expect, it, test } from 'vitest';
import { fold, nearestWord, withoutAddress } from '../../src/lib/text.ts';

describe('fold', () => {
  it.each([
    ['Lamp 2', 'lamp 2'],
    ['  Zürich\u00a0 STRASSE ', 'zurich strasse'],
    ['Straße', 'strasse'],
    ['Ｆｕｌｌ１', 'full1'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['か\u3099', 'が'],
    // Thai marks, in a different order that some people type.
    ['\u0e38\u0e3a', '\u0e3a\u0e38'],
    ['\u0e48\u0e39', '\u0e39\u0e48'],
  ])('folds %j to %j', (text, plain) => expect(fold(text)).toBe(plain));

  it('is fast even for a long word before a non-ASCII letter', () => {
    // A pattern that tries all ways to split the word would never end.
    expect(fold(`${'a'.repeat(200)}ü`)).toBe(`${'a'.repeat(200)}u`);
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
])('understands %s as %s', (typed, expected) => {
  expect(nearestWord(typed, ['stage', 'courier', 'to', 'from', 'tag'])).toBe(expected);
});

describe('withoutAddress', () => {
  it.each([
    ['postgres://ann@nas:5432/parcels cannot be reached.', 'The database cannot be reached.'],
    ['Changes wait. postgres://nas/parcels: there is none.', 'Changes wait. The database: there is none.'],
    ['The parcel 7 in postgresql://nas/parcels cannot be used.', 'The parcel 7 in the database cannot be used.'],
    ['What is in postgres://nas/parcels. Try again.', 'What is in the database. Try again.'],
  ])('shortens %o to %o', (text, short) => expect(withoutAddress(text)).toBe(short));

  it.each(['Run: parcel-monitor store copy postgres://nas/parcels', '"postgres://nas/parcels" is no folder.', 'Lamp'])(
    'does not change %o',
    (text) => {
      expect(withoutAddress(text)).toBe(text);
    },
  );
});
