import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commonTags, readTagEdit, tagEditText, tagText } from '../../../src/tui/parcel/prompts.ts';
import { anyText } from '../../board/texts.ts';
import { forAll } from '../../support/for-all.ts';

describe('a list of tags', () => {
  test.each([
    ['', 'fragile, two words', '+fragile +two words'],
    ['gift', 'gift', null],
    ['gift, fragile', 'gift', '-fragile'],
    ['gift', '', '-gift'],
    ['gift', '#gift #fragile', '+fragile'],
    ['gift', ' # gift ,,  fragile, fragile ', '+fragile'],
    ['gift', 'gift, -old', '-old'],
    ['gift', 'gift, -gift', '-gift'],
    ['', 'old -#new', '+old -new'],
    ['', '"with, comma", "#sign", say "hi"', '+with, comma +#sign +say "hi"'],
    ['', '-"with, comma", a - b', '+a - b -with, comma'],
    ['', '"torn, b', '+"torn +b'],
    ['', 'bad\u001b[31m\u0007tag', '+badtag'],
    ['', ' , # , - ', null],
  ])('"%s" replaced by "%s" changes %s', (shared, text, changes) => {
    const before = shared === '' ? [] : shared.split(', ');
    expect(tagEditText(readTagEdit(before, text))).toBe(changes);
  });

  test.each([
    [['a, b']],
    [['#x', 'a #b']],
    [['-odd', 'a-b']],
    [['"']],
    [['"', '$', ',']],
    [['say "hi"', '"q"', 'a"b, c']],
    [['two words']],
  ])('can be parsed again: %j', (tags) => {
    expect(readTagEdit(tags, tagText(tags))).toEqual({ addTags: [], removeTags: [] });
  });

  test('can be parsed again with any tags', () =>
    forAll(fc.uniqueArray(anyText.filter((tag) => tag !== '')), (tags) => {
      expect(readTagEdit(tags, tagText(tags))).toEqual({ addTags: [], removeTags: [] });
    }));

  test('starts with the common tags', () => {
    const parcels = [{ tags: ['b', 'a'] }, { tags: ['a', 'c', 'b'] }];
    expect(tagText(commonTags(parcels))).toBe('b, a');
    expect(commonTags([...parcels, { tags: [] }])).toEqual([]);
    expect(commonTags([])).toEqual([]);
  });
});
