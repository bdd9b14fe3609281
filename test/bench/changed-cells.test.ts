import { expect, test } from 'vitest';
import { bytesOfChange, type Cell } from './changed-cells.ts';
import { Screen } from './screen.ts';

const row = (text: string, look = '0'): readonly Cell[] => [...text].map((character) => ({ text: character, look }));

test('a screen that stays as it is costs nothing', () => {
  expect(bytesOfChange([row('abc')], [row('abc')])).toBe(0);
});

test('a cell costs the way there and its text', () => {
  expect(bytesOfChange([row('abc')], [row('aXc')])).toBe('\u001b[1;2HX'.length);
});

test('a look is set once for all that has it', () => {
  expect(bytesOfChange([row('abc')], [row('abc', '0;1')])).toBe('\u001b[1;1H\u001b[0;1mabc'.length);
});

test('few cells between two changes are written again, many are skipped', () => {
  expect(bytesOfChange([row('a..b')], [row('X..Y')])).toBe('\u001b[1;1HX..Y'.length);
  expect(bytesOfChange([row('a........b')], [row('X........Y')])).toBe('\u001b[1;1HX\u001b[1;10HY'.length);
});

test('cells are what a terminal shows, with their looks', async () => {
  const screen = new Screen(6, 1);
  await screen.write('\u001b[1;38;5;9;48;2;1;2;3m深\u001b[0;31ma\u001b[0mb');
  expect(screen.everyCell[0]).toEqual([
    { text: '深', look: '0;1;38;5;9;48;2;1;2;3' },
    { text: '', look: '0;1;38;5;9;48;2;1;2;3' },
    { text: 'a', look: '0;38;5;1' },
    { text: 'b', look: '0' },
    { text: ' ', look: '0' },
    { text: ' ', look: '0' },
  ]);
});
