import { expect, test } from 'vitest';
import { readBackground, readMouseReport } from '../../../src/tui/terminal/input-tokens.ts';

test.each([
  ['0;1;1M', { kind: 'click', column: 0, row: 0, times: 1 }],
  ['0;300;200M', { kind: 'click', column: 299, row: 199, times: 1 }],
  ['64;3;4M', { kind: 'wheel-up', column: 2, row: 3, times: 2 }],
  ['65;3;4M', { kind: 'wheel-down', column: 2, row: 3, times: 2 }],
  ['69;3;4M', { kind: 'wheel-down', column: 2, row: 3, times: 2 }],
  ['0;1;1m', null],
  ['1;1;1M', null],
  ['2;1;1M', null],
  ['4;1;1M', null],
  ['16;1;1M', null],
  ['32;1;1M', null],
  ['66;1;1M', null],
  ['128;1;1M', null],
])('the mouse report %s is read as %j', (sent, report) =>
  expect(readMouseReport(`\u001b[<${sent}`, 2)).toEqual(report),
);

test.each([
  ['rgb:ffff/ffff/ffff\u0007', 'light'],
  ['rgb:fdfd/f6f6/e3e3\u001b\\', 'light'],
  ['rgb:ff/ff/d7\u0007', 'light'],
  ['rgba:0000/0000/0000/ffff\u0007', 'dark'],
  ['rgb:0000/2b2b/3636\u001b\\', 'dark'],
  ['rgb:0/0/f\u0007', 'dark'],
  ['?\u0007', null],
])('the reply %j means that the background is %s', (sent, background) => {
  expect(readBackground(`\u001b]11;${sent}`)).toBe(background);
});
