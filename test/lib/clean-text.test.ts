import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cleanText,
  cleanTextOrNull,
  printableText,
  savedAddressOrNull,
  webAddressOrNull,
} from '../../src/lib/clean-text.ts';
import { anyCharacter } from '../support/any-character.ts';
import { forAll } from '../support/for-all.ts';
import { rounds } from '../support/rounds.ts';

describe('cleanText', () => {
  test.each([
    ['a colour sequence', '\u001b[31mred\u001b[0m', 'red'],
    ['a sequence that clears the screen', 'a\u001b[2Jb', 'ab'],
    ['an 8-bit control sequence', 'a\u009b2Jb', 'ab'],
    ['a title change', 'x\u001b]0;owned\u0007y', 'xy'],
    ['a bell', 'ding\u0007', 'ding'],
    ['a bidirectional override', 'abc\u202egpj.exe', 'abcgpj.exe'],
    ['bidirectional isolates', '\u2066a\u2069', 'a'],
    ['zero-width characters', 'a\u200b\u200d\ufeffb', 'ab'],
    ['line breaks', 'one\r\ntwo\u2028three', 'one two three'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a variation selector', '✈\ufe0f', '✈'],
    ['surrounding and doubled spaces', '  a   b ', 'a b'],
  ])('removes %s', (_name, hostile, clean) => expect(cleanText(hostile)).toBe(clean));

  test.each(['航班已起飞', 'กำลังจัดส่ง', '배송 출발', 'خرجت للتسليم', 'Zürich — Straße 5', '📦 sent'])(
    'keeps %s',
    (text) => {
      expect(cleanText(text)).toBe(text);
    },
  );

  test('limits stacked combining marks to what scripts need', () => {
    expect(cleanText(`a${'\u0301'.repeat(50)}`).length).toBeLessThan(10);
  });

  test('removes every control, override and invisible character', () =>
    forAll(fc.string({ unit: anyCharacter }), (text) => {
      const clean = cleanText(`\u001b[1m${text}\u202e`);
      expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u);
      expect(cleanText(clean)).toBe(clean);
    }));

  test('returns the same for any character on the fast path and the slow path', () => {
    const every = Math.round(0xffff / rounds(0xffff));
    for (let code = 0; code <= 0xffff; code += every) {
      const character = String.fromCharCode(code);
      for (const text of [`a${character}b`, `a${character.repeat(4)}b`, `a${character.repeat(5)}b`]) {
        if (cleanText(text) !== cleanText(`${text}\u200b`)) expect(cleanText(text)).toBe(cleanText(`${text}\u200b`));
      }
    }
  });

  test('returns null for empty strings and other types', () => {
    expect(cleanTextOrNull(5)).toBeNull();
    expect(cleanTextOrNull(' \u200b ')).toBeNull();
  });
});

test('webAddressOrNull accepts only http and https', () => {
  expect(webAddressOrNull('https://www.ups.com/track?n=1')).toBe('https://www.ups.com/track?n=1');
  expect(webAddressOrNull('javascript:alert(1)')).toBeNull();
  expect(webAddressOrNull('file:///etc/passwd')).toBeNull();
  expect(webAddressOrNull('https://user:pass@host/')).toBeNull();
  expect(webAddressOrNull('www.ups.com')).toBeNull();
});

test('printableText removes control sequences and keeps lines', () => {
  expect(printableText('/tmp/\u001b]0;owned\u0007a  b\u009b2J\u202e/x: gone.\n    at f\r\n')).toBe(
    '/tmp/a  b/x: gone.\n    at f\n',
  );
  expect(printableText(`${'x'.repeat(5000)}\u0007`)).toBe('x'.repeat(5000));
});

test.each([
  'https://ups.example/',
  'http://a.example:8080/track?number=1#x',
  'https://a.example/~user@home',
  'https://user:pass@a.example/',
  'https://user@a.example',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https:\\\\a.example',
  '//a.example',
  'https://a.example/\u001b[2J',
])('savedAddressOrNull returns the same for %j as webAddressOrNull', (address) => {
  expect(savedAddressOrNull(address)).toBe(webAddressOrNull(address));
});
