import { expect, test } from 'vitest';
import { mergedLines, readLines, withEnteredNumbers, withoutNumbers } from '../../src/store/saved-view.ts';

const number = (trackNo: string, courierCode: string | null = null) => ({ trackNo, courierCode });

test('numbers that are entered at once are one line, with their couriers', () => {
  expect(withEnteredNumbers(['RB1'], [number('LX2', 'yanwen'), number('RB3')])).toEqual(['RB1', 'LX2 @yanwen, RB3']);
});

test('a line that is entered again becomes the newest', () => {
  expect(withEnteredNumbers(['RB1', 'RB2'], [number('RB1')])).toEqual(['RB2', 'RB1']);
});

test('a number that is to be forgotten is in no line, whatever its courier', () => {
  const lines = ['RB1', 'LX2 @yanwen, rb1 @usps, RB12', 'RB12'];
  expect(withoutNumbers(lines, ['RB1'])).toEqual(['LX2 @yanwen, RB12', 'RB12']);
});

test('a long list is no line that somebody edits', () => {
  const many = Array.from({ length: 11 }, (_, index) => number(`RB${index}`));
  expect(withEnteredNumbers(['RB1'], many)).toEqual(['RB1']);
  expect(withEnteredNumbers(['RB1'], [])).toEqual(['RB1']);
});

test('a hundred lines are kept, the newest ones', () => {
  const lines = Array.from({ length: 150 }, (_, index) => `RB${index}`);
  expect(mergedLines(lines.slice(0, 100), lines.slice(100))).toEqual(lines.slice(50));
  expect(readLines(lines)).toEqual(lines.slice(50));
});

test.each([undefined, 'RB1', [7, '', 'a\u001b[2Jb', 'x'.repeat(1_001), ' RB1']])(
  'what is no line of ours is not read: %j',
  (value) => {
    expect(readLines(value)).toEqual([]);
  },
);
