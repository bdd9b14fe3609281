import { describe, expect, test } from 'vitest';
import { readTagEdit, sharedTags, tagEditWords, tagText } from '../../../src/ui/parcel/tag-list.ts';

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
    ['-odd', '-odd, new', '+new'],
    ['', 'bad\u001b[31m\u0007tag', '+badtag'],
    ['', ' , # , - ', null],
  ])('in place of "%s", "%s" changes %s', (shared, text, words) => {
    const before = shared === '' ? [] : shared.split(', ');
    expect(tagEditWords(readTagEdit(before, text))).toBe(words);
  });

  test('begins with those that all have', () => {
    const parcels = [{ tags: ['b', 'a'] }, { tags: ['a', 'c', 'b'] }];
    expect(tagText(sharedTags(parcels))).toBe('b, a');
    expect(sharedTags([...parcels, { tags: [] }])).toEqual([]);
    expect(sharedTags([])).toEqual([]);
  });
});
