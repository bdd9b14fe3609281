import { expect, it } from 'vitest';
import { pasteTarget } from '../../../src/tui/app/handle-paste.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `JD${1000000 + n}`).join('\n');
const twoLines = 'Order of 12.11.2026\nThank you!';
const mail = 'Your parcel RB123456785CN is near';

it.each([
  ['list', 'RB123456785CN', null, 'bar'],
  ['list', 'RB123456785CN Blue socks\nLX123456785CN\tHat', null, 'bar'],
  ['list', 'no digits at all', null, 'bar'],
  ['list', '', null, 'nowhere'],
  ['list', lines(10), null, 'bar'],
  ['list', lines(11), null, 'rows'],
  ['list', mail, null, 'scan'],
  ['list', 'https://www.ups.com/track?tracknum=1Z999AA10123456784', null, 'scan'],
  ['list', twoLines, null, 'scan'],
  ['list', twoLines, twoLines, 'bar'],
  ['add', mail, null, 'bar'],
  ['add', `${mail}\nand more`, null, 'scan'],
  ['scan', 'RB123456785CN', null, 'rows'],
  ['scan', 'no digits at all', null, 'scan'],
  ['scan', twoLines, twoLines, 'scan'],
] as const)(
  'a paste in the context %s (%j, previously without a number: %j) goes to: %s',
  (context, text, pasteWithoutNumbers, target) => {
    expect(pasteTarget({ context, paste: text, text, pasteWithoutNumbers })).toBe(target);
  },
);

it('a paste that is too long for the bar is scanned', () => {
  expect(pasteTarget({ context: 'add', paste: lines(10_000), text: null, pasteWithoutNumbers: null })).toBe('scan');
});
