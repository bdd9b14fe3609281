import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runKeys } from '../../../src/tui/app/keymap.ts';
import { isPaste, pasteEnd, pasteStart, tokenise } from '../../../src/tui/terminal/input-tokens.ts';
import { forAll } from '../../support/for-all.ts';

const tokenText = (token: string): string =>
  isPaste(token) ? `paste:${token.slice(pasteStart.length, -pasteEnd.length)}` : token;
const tokensOf = (input: string): readonly string[] => tokenise(input, runKeys).tokens.map(tokenText);

describe('tokenise', () => {
  test.each([
    ['single letters', 'jk', ['j', 'k']],
    ['a held letter', 'jjjjjjjjjjjj', Array.from({ length: 12 }, () => 'j')],
    ['movement keys typed ahead', 'gjjjjjjkjjG', [...'gjjjjjjkjjG']],
    ['a held letter and the key after it', 'jjjjjjjjq', [...'jjjjjjjj', 'q']],
    ['a held letter, another letter, and a paste', 'jjjjkkkkRB100000005CN', [...'jjjjkkkk', 'paste:RB100000005CN']],
    ['text and Enter', 'abc\r', ['a', 'b', 'c', '\r']],
    ['a line feed as Enter', 'a\n', ['a', '\r']],
    ['CR LF as one Enter', 'a\r\nb', ['a', '\r', 'b']],
    ['backspaces', '\u007f\u007fx', ['\u007f', '\u007f', 'x']],
    ['arrows between letters', 'a\u001b[Ab\u001bOB', ['a', '\u001b[A', 'b', '\u001bOB']],
    ['modified keys', '\u001b[1;5C\u001b[3~', ['\u001b[1;5C', '\u001b[3~']],
    ['Alt with an editing letter', '\u001bb', ['\u001bb']],
    ['Alt and Ctrl with an editing key', '\u001bd\u001b\b\u001b\u001f', ['\u001bd', '\u001b\b', '\u001b\u001f']],
    ['Escape and a key right after it', '\u001b/b\u001be', ['\u001b', '/', 'b', '\u001b', 'e']],
    ['Escape before a sequence', '\u001b\u001b[A', ['\u001b\u001b[A']],
    [
      'Escape right before a bracketed paste',
      '\u001b\u001b[200~one\rtwo\u001b[201~q',
      ['\u001b', 'paste:one\rtwo', 'q'],
    ],
    [
      'several long lines as one paste',
      '1Z999AA10123456784\rRB123456785CN\r',
      ['paste:1Z999AA10123456784\rRB123456785CN\r'],
    ],
    [
      'several long lines with short lines, blanks and tabs between them',
      '  Hello,\r\r1Z999AA10123456784\tLamp\r\nRB123456785CN\u001b[A',
      ['paste:  Hello,\r\r1Z999AA10123456784\tLamp\r\nRB123456785CN', '\u001b[A'],
    ],
    [
      'numbers that a script enters one after the other',
      'a1Z999AA10123456784\raRB123456785CN\r',
      ['a', 'paste:1Z999AA10123456784', '\r', 'a', 'paste:RB123456785CN', '\r'],
    ],
    [
      'a number that a script enters, and keys after it',
      'a1Z999AA10123456784\rjjjjjjjj\rx\r',
      ['a', 'paste:1Z999AA10123456784', '\r', ...'jjjjjjjj', '\r', 'x', '\r'],
    ],
    ['a bracketed paste', '\u001b[200~one\rtwo\u001b[201~q', ['paste:one\rtwo', 'q']],
    ['a long run as a paste, and Enter after it as a key', '1Z999AA10123456784\r', ['paste:1Z999AA10123456784', '\r']],
    [
      'the key of the input bar before a long run, as a script types it',
      'a1Z999AA10123456784\r',
      ['a', 'paste:1Z999AA10123456784', '\r'],
    ],
    ['the key of the filter before a long run', '/headphones', ['/', 'paste:headphones']],
    ['blanks around a long run as typed', '  lamp in the hall ', [' ', ' ', 'paste:lamp in the hall', ' ']],
    ['text into whole graphemes', '👩‍👩‍👧é한', ['👩‍👩‍👧', 'é', '한']],
  ])('splits %s', (_name, input, expected) => expect(tokensOf(input)).toEqual(expected));

  test.each(['\u001b', '\u001b[', '\u001b[1;', '\u001bO', '\u001b[200~half a paste'])('%j waits for more', (input) => {
    expect(tokenise(input, runKeys)).toEqual({ tokens: [], rest: input });
  });

  test('a sequence or paste yields the same tokens wherever it is split', () => {
    const input = 'a\u001b[1;5Cb\u001b[200~pasted text\r\u001b[201~\u001b[A\u007f';
    forAll(fc.integer({ min: 0, max: input.length }), (at) => {
      const first = tokenise(input.slice(0, at), runKeys);
      const second = tokenise(input.slice(at), runKeys, first.rest);
      expect([...first.tokens, ...second.tokens].map(tokenText)).toEqual(tokensOf(input));
    });
  });

  test('no typed character is ever lost', () =>
    forAll(fc.string({ unit: 'grapheme' }), (text) => {
      const typed = text.replaceAll('\n', '\r').replaceAll('\u001b', '');
      const { rest, tokens } = tokenise(typed, runKeys);
      const seen = tokens.join('').replaceAll(pasteStart, '').replaceAll(pasteEnd, '');
      expect(seen + rest).toBe(typed);
    }));
});
