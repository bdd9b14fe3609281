import xterm from '@xterm/headless';
import { expect, test } from 'vitest';
import { differences, pictureOf, watchAround } from './picture.ts';

/** The picture of a program's output on a terminal with 20 columns and 2 rows. */
async function pictureAfter(written: string): Promise<string> {
  const terminal = new xterm.Terminal({ cols: 20, rows: 2, allowProposedApi: true });
  const around = watchAround(terminal);
  await new Promise<void>((resolve) => terminal.write(written, resolve));
  return pictureOf(terminal, around());
}

const usual = '\u001b]0;board\u0007\u001b[1;36mLamp 灯\u001b[0m next\r\nq';

test('a picture of a screen shows text, colours, title and cursor', async () => {
  expect(await pictureAfter(usual)).toBe(
    [
      '20x2, normal screen',
      'title: board',
      'cursor: row 2, column 2',
      '',
      'Lamp 灯 next',
      'q',
      '',
      '1: 1-7 cyan bold',
      '2:',
      '',
    ].join('\n'),
  );
});

test.each([
  ['another letter', usual.replace('next', 'nest'), ['- Lamp 灯 next', '+ Lamp 灯 nest']],
  ['another colour', usual.replace('36', '31'), ['- 1: 1-7 cyan bold', '+ 1: 1-7 red bold']],
  [
    'an inverse blank',
    `${usual}\u001b[7m `,
    ['- cursor: row 2, column 2', '+ cursor: row 2, column 3', '- 2:', '+ 2: 2-2 inverse'],
  ],
  ['a hidden cursor', `${usual}\u001b[?25l`, ['- cursor: row 2, column 2', '+ cursor: hidden']],
  ['another title', `${usual}\u001b]0;bored\u0007`, ['- title: board', '+ title: bored']],
])('a comparison names the screen with %s, and how it differs', async (_what, written, lines) => {
  const [one, other] = [await pictureAfter(usual), await pictureAfter(written)];
  const before = new Map([
    ['a.txt', one],
    ['b.txt', one],
    ['c.txt', one],
  ]);
  const after = new Map([
    ['a.txt', one],
    ['b.txt', other],
    ['d.txt', one],
  ]);
  expect(differences(before, after)).toEqual([
    ['b.txt', ...lines.map((line) => `  ${line}`)].join('\n'),
    'c.txt\n  only in the first',
    'd.txt\n  only in the second',
  ]);
});

test('the colour of a blank makes no difference', async () => {
  expect(await pictureAfter(`${usual}\u001b[31m \u001b[0m\b`)).toBe(await pictureAfter(usual));
});
