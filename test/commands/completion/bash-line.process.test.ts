import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bashReplacement, readBashLine } from '../../../src/commands/completion/completion.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { forAll, forAllIn } from '../../support/for-all.ts';

/** Lets bash parse words without running anything, by assigning them to a variable. */
function parseWithBash(typed: string): string {
  return execFileSync('bash', ['--norc', '-c', `words=(${typed}); printf '%s|' "\${words[@]}"`], {
    encoding: 'utf8',
    env: { LANG: 'C.UTF-8' },
  });
}

describe('readBashLine', () => {
  it.each<[string, readonly string[], string]>([
    ['parcel-monitor sh', ['parcel-monitor'], 'sh'],
    ['parcel-monitor show ', ['parcel-monitor', 'show'], ''],
    ['parcel-monitor show "Red l', ['parcel-monitor', 'show'], 'Red l'],
    ['parcel-monitor show Red\\ l', ['parcel-monitor', 'show'], 'Red l'],
    ["parcel-monitor show 'it''s", ['parcel-monitor', 'show'], 'its'],
    ['parcel-monitor show "a\\$b\\c" x', ['parcel-monitor', 'show', 'a$b\\c'], 'x'],
    ['', [], ''],
    ['parcel-monitor show "a;b|', ['parcel-monitor', 'show'], 'a;b|'],
  ])('splits %j', (line, before, current) => {
    const read = readBashLine(line);
    expect(read.before).toEqual(before);
    expect(read.current.value).toBe(current);
  });

  it('never throws, for any text', () => forAll(fc.string({ unit: anyCharacter }), (line) => void readBashLine(line)));
});

describe('bashReplacement', () => {
  const replacementOf = (typed: string, end: string, offered: string): string | null =>
    bashReplacement(readBashLine(`parcel-monitor show ${typed}`).current, end, offered);

  it.each<[string, string, string, string | null]>([
    ['Re', 'Re', 'Red lamp', 'Red\\ lamp'],
    ['Red\\ l', 'Red\\ l', 'Red lamp', 'Red\\ lamp'],
    // bash replaces the text after an open quote.
    ['"Red l', 'Red l', 'Red lamp', 'Red lamp'],
    ['"', '', 'costs $5', null],
    ["'", '', 'costs $5', 'costs $5'],
    ["'", '', "don't", null],
    // bash also starts a new part after "=", ":" and "@".
    ['--courier=u', 'u', '--courier=ups', 'ups'],
    ['LX1@ch', 'ch', 'LX1@china-post', 'china-post'],
    ['', '', '$(touch x)', '\\$\\(touch\\ x\\)'],
    ['', '', '~', '\\~'],
    ['', '', '雪', '雪'],
  ])('replaces the end of %j (%j) for %j', (typed, end, offered, replacement) => {
    expect(replacementOf(typed, end, offered)).toBe(replacement);
  });

  it('inserts words that bash reads back as offered, without running anything', () => {
    const labels = fc.array(
      fc.string({ unit: fc.constantFrom(...'ab $`"\'\\!*?~{},;|&()<>[]#=:@雪é^%-+') }).filter((text) => text !== ''),
      { minLength: 20, maxLength: 40 },
    );
    forAllIn(10, labels, (offered) => {
      const typed = offered.map((label) => replacementOf('', '', label)).join(' ');
      expect(parseWithBash(typed)).toBe(offered.map((label) => `${label}|`).join(''));
    });
  });
});
