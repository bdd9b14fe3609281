import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBytes } from '../../src/lib/decode-bytes.ts';
import { forAll } from '../support/for-all.ts';

const list = 'number,label\r\nLX123456789CN,"Café – Größe 38 €"\r\n';
const chinese = '单号,标签\nLX123456789CN,台灯\nRB100000005CN,书\n';

const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();
const bytes = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

/** Windows-1252, defined independently of the code under test. */
const western: Readonly<Record<string, number>> = {
  '€': 0x80,
  '–': 0x96,
  é: 0xe9,
  ö: 0xf6,
  ß: 0xdf,
  ü: 0xfc,
  '’': 0x92,
};
const windows1252 = (text: string): Uint8Array =>
  Uint8Array.from([...text].map((letter) => western[letter] ?? letter.charCodeAt(0)));

describe('decodeBytes', () => {
  it.each([
    ['UTF-8', Buffer.from(list)],
    ['UTF-8 with a byte order mark', bytes([0xef, 0xbb, 0xbf], Buffer.from(list))],
    ['UTF-16, low byte first, with a byte order mark', bytes([0xff, 0xfe], utf16le(list))],
    ['UTF-16, high byte first, with a byte order mark', bytes([0xfe, 0xff], utf16be(list))],
    ['UTF-16, low byte first, without a byte order mark', utf16le(list)],
    ['UTF-16, high byte first, without a byte order mark', utf16be(list)],
  ])('reads %s as certain', (_name, content) => {
    expect(decodeBytes(content)).toEqual({ text: list, isGuess: false });
  });

  it.each([
    ['UTF-16, low byte first', utf16le(chinese)],
    ['UTF-16, high byte first', utf16be(chinese)],
    ['UTF-8', Buffer.from(chinese)],
  ])('reads Chinese in %s', (_name, content) => {
    expect(decodeBytes(content)).toEqual({ text: chinese, isGuess: false });
  });

  it('reads Windows-1252, and marks it as a guess', () => {
    expect(decodeBytes(windows1252(list))).toEqual({ text: list, isGuess: true });
    expect(decodeBytes(windows1252('LX1,Omas Füße’n'))?.text).toBe('LX1,Omas Füße’n');
  });

  it.each([
    ['a different alphabet (Windows-1251)', bytes(Buffer.from('LX1,'), [0xcb, 0xe0, 0xec, 0xef, 0xe0])],
    ['Chinese in GBK', bytes(Buffer.from('LX1,'), [0xcc, 0xa8, 0xb5, 0xc6])],
    ['Japanese in Shift JIS', bytes(Buffer.from('LX1,'), [0x83, 0x89, 0x83, 0x93, 0x83, 0x76])],
    ['damaged UTF-8', bytes(Buffer.from('LX1,Café, Größe, für'), [0xc3])],
    ['damaged UTF-8 with a byte order mark', bytes([0xef, 0xbb, 0xbf], Buffer.from('LX1,Caf'), [0xe9])],
    ['truncated UTF-16', bytes([0xff, 0xfe], utf16le('LX1'), [0x41])],
    ['UTF-32', bytes([0xff, 0xfe, 0, 0], [0x4c, 0, 0, 0])],
    ['a picture', bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
  ])('does not guess at %s', (_name, content) => expect(decodeBytes(content)).toBeNull());

  it('reads UTF-8 and UTF-16', () =>
    forAll(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const content = `LX123456789CN,${text.replaceAll('\0', '').toWellFormed()}`;
      expect(decodeBytes(Buffer.from(content))?.text).toBe(content);
      expect(decodeBytes(bytes([0xff, 0xfe], utf16le(content)))?.text).toBe(content);
      expect(decodeBytes(bytes([0xfe, 0xff], utf16be(content)))?.text).toBe(content);
    }));
});
