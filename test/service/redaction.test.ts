import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanJsonObject, type JsonValue, parseJson } from '../../src/lib/json.ts';
import { createRedaction } from '../../src/service/redaction.ts';
import { forAll } from '../support/for-all.ts';

const hexOf = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
const bytesOf = (character: string): readonly number[] => [...Buffer.from(character, 'utf8')];

/** Ways to write a character so that a reader or a program still sees that character. */
const spellings: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => (/[^\w]/.test(character) ? `\\${character}` : character),
  (character) => `\\u${hexOf(character.charCodeAt(0), 4)}`,
  (character) => `\\u${hexOf(character.charCodeAt(0), 4).toUpperCase()}`,
  (character) => `\\x${hexOf(character.charCodeAt(0), 2)}`,
  (character) =>
    bytesOf(character)
      .map((byte) => `%${hexOf(byte, 2)}`)
      .join(''),
  (character) =>
    bytesOf(character)
      .map((byte) => `%25${hexOf(byte, 2).toUpperCase()}`)
      .join(''),
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${hexOf(character.charCodeAt(0), 2).toUpperCase()};`,
  (character) =>
    ({ '/': '&sol;', '&': '&amp;', '+': '&plus;', '=': '&equals;', '@': '&commat;' })[character] ?? character,
];
/** Characters that are invisible, or only break a line. */
const between = ['', '\u200b', '\u00ad', '\u0007', '\u001b[31m', '\u001b', '\n', '\u2060', '\u0000', '\ufeff'];

const keyLetters = [...'abcdefABCDEF0189/+=_-.&%'];
const keys = fc
  .array(fc.constantFrom(...keyLetters), { minLength: 14, maxLength: 40 })
  .map((letters) => `Kq7${letters.join('')}Zx`);
const emails = fc.constantFrom('ann.lee+parcels@example.com', "o'hara@mail.example.org", 'Jürgen@example.de');

/** Generates a secret with each character written in one of these ways, and sometimes with a gap after it. */
const anySpellingOf = (secret: string) =>
  fc
    .array(
      fc.tuple(
        fc.nat(spellings.length - 1),
        fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom(...between)),
      ),
      {
        minLength: secret.length,
        maxLength: secret.length,
      },
    )
    .map((ways) =>
      [...secret]
        .map((character, at) => {
          const [way, gap] = ways[at] ?? [0, ''];
          return `${spellings[way]?.(character) ?? character}${at === secret.length - 1 ? '' : gap}`;
        })
        .join(''),
    );

/** Returns a response as a reader sees it: without invisible characters, and with all escapes decoded. */
function toReadableText(json: JsonValue): string {
  const clean = JSON.stringify(cleanJsonObject({ json }));
  let text = clean;
  for (let round = 0; round < 4; round += 1) {
    text = text
      .replace(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\+x([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/%25/g, '%')
      .replace(/\\/g, '');
  }
  return `${clean} ${text} ${text.replace(/\s/g, '')}`;
}

describe('a response that repeats data from its call', () => {
  it('contains no key in any spelling, whether in a failure or a success, in a value or a name', () =>
    forAll(
      keys.chain((key) => fc.tuple(fc.constant(key), anySpellingOf(key), fc.string())),
      ([key, written, around]) => {
        const redaction = createRedaction(key, undefined);
        const body = { data: { accepted: [{ detail: `${around} ${written} ${around}`, [written]: 1 }] } };
        // The sender may escape all of it, or only what JSON requires.
        const parsed = parseJson(JSON.stringify(body).replaceAll('/', '\\/'));
        for (const shown of [redaction.response(parsed), redaction.failure(parsed)]) {
          expect(toReadableText(shown)).not.toContain(key);
        }
      },
    ));

  it('contains no email address if it is an error', () =>
    forAll(
      emails.chain((email) => fc.tuple(fc.constant(email), anySpellingOf(email))),
      ([email, written]) => {
        const redaction = createRedaction('the-test-key', [{ trackNo: 'RB1', customerEmail: email }]);
        const shown = redaction.failure(parseJson(JSON.stringify({ msg: `Not valid: "${written}"!` })));
        expect(toReadableText(shown).toLowerCase()).not.toContain(email.toLowerCase());
      },
    ));

  it('contains no key in Base64 at any offset', () => {
    const key = 'Kq7/+abcdefgh0123456789';
    const redaction = createRedaction(key, undefined);
    for (const before of ['', 'x', 'xy', 'user:', 'Secret: ']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const written = Buffer.from(`${before}${key}\n`).toString(encoding);
        expect(Buffer.from(String(redaction.response(written)), encoding).toString()).not.toContain(key.slice(0, 12));
      }
    }
  });

  it('contains no key in hexadecimal, wrapped Base64 or code points, or, in an error, in a different case', () =>
    forAll(keys, fc.constantFrom('', ':', ' ', '-'), fc.integer({ min: 8, max: 76 }), (key, separator, length) => {
      const redaction = createRedaction(key, undefined);
      const bytes = [...Buffer.from(key, 'utf8')].map((byte) => hexOf(byte, 2)).join(separator);
      const lines = Buffer.from(`of ${key}`, 'utf8')
        .toString('base64')
        .replace(new RegExp(`.{${length}}`, 'g'), '$&\r\n');
      const codePoints = [...key].map((letter) => `\\u{${hexOf(letter.charCodeAt(0), 1)}}`).join('');
      for (const written of [bytes, bytes.toUpperCase(), lines, codePoints]) {
        for (const shown of [redaction.response([written]), redaction.failure([written])]) {
          expect(shown).toEqual([expect.stringContaining('[key]')]);
        }
      }
      expect(redaction.failure([key.toLowerCase(), key.toUpperCase()])).toEqual(['[key]', '[key]']);
    }));

  it('contains no postal code or phone digits if it is an error, and is unchanged otherwise', () => {
    const content = [
      { trackNo: 'RB100001234CN', postalCode: '10115', extendFieldMap: { phoneSuffix: '1234' } },
      { trackNo: 'RB2', postalCode: 'SW1A 1AA' },
    ];
    const redaction = createRedaction('the-test-key', content);
    const rejection = {
      trackNo: '1234',
      courierCode: '10115',
      error: {
        code: '1234',
        msg: 'RB100001234CN: postalCode=10115, phone "1234" or &#49;234, %31%30115 and sw1a1aa are wrong; 101150 and 12345 are not meant',
      },
    };
    expect(redaction.failure(rejection)).toEqual({
      ...rejection,
      error: {
        code: '1234',
        msg: 'RB100001234CN: postalCode=[postal code], phone "[phone]" or [phone], [postal code] and [postal code] are wrong; 101150 and 12345 are not meant',
      },
    });
    const event = { address: '10115 Berlin', detail: 'Call 1234 at the door' };
    expect(redaction.response(event)).toBe(event);
  });

  it('keeps words that contain a short key', () => {
    const redaction = createRedaction('test', undefined);
    expect(redaction.failure('The latest key "test" is wrong')).toBe('The latest key "[key]" is wrong');
  });

  it('is redacted quickly, however long or deeply nested it is', () => {
    const redaction = createRedaction('aaaaaaaaaaaaaaaaaaaa/b', [{ customerEmail: 'aaaaaaaa@aaaaaaaa.example' }]);
    for (const part of ['\\', 'a', '%25', '&amp;', '&#0', 'a\u200b', '\u001b[', 'a\n']) {
      const text = part.repeat(200_000 / part.length);
      expect(redaction.failure(text)).toBe(text);
    }
    let deep: JsonValue = 'x';
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    expect(JSON.stringify(redaction.response(deep)).length).toBeLessThan(200);
  });
});
