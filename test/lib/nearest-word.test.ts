import { expect, test } from 'vitest';
import { nearestWord } from '../../src/lib/text.ts';

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
