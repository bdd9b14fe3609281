import { hostileCharacter, isHarmless, withoutInvisible } from '../lib/clean-text.ts';
import { isJsonObject, type JsonValue } from '../lib/json.ts';

type Hide = (text: string) => string;

interface Secret {
  readonly text: string;
  readonly mark: string;
  readonly anyCase?: boolean;
  /** Hides only whole words, because ordinary words and numbers may contain the text. */
  readonly isShort?: boolean;
}

const entityNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '/': 'sol',
  '\\': 'bsol',
  '+': 'plus',
  '=': 'equals',
  _: 'lowbar',
  '.': 'period',
  '@': 'commat',
  ':': 'colon',
  '#': 'num',
  '-': 'hyphen',
};

/**
 * Hides secrets in plain text, JSON escapes, percent encoding, HTML entities, hexadecimal and Base64, even if they
 * contain invisible characters.
 */
function hideSecrets(secrets: readonly Secret[]): Hide {
  const known = new Map(secrets.filter(({ text }) => text !== '').map((secret) => [secret.text, secret]));
  // Longest first, because one secret may contain another.
  const hides = [...known.values()].sort((a, b) => b.text.length - a.text.length).map(hideOne);
  return (text) => hides.reduce((hidden, hide) => hide(hidden), text);
}

function hideOne(secret: Secret): Hide {
  const { mark, text } = secret;
  const flags = secret.anyCase === true ? 'giu' : 'gu';
  const plain = bounded(secret, [...text].map(escaped).join(''));
  let encodedPattern: RegExp | null = null;
  const encoded = text.length < minEncodedLength ? null : new RegExp(`${inHexadecimal(text)}|${inBase64(text)}`, 'g');
  const plainPattern = new RegExp(plain, flags);
  return (given) => {
    if (given.length < text.length) return given;
    const isOrdinary = ordinary.test(given) || (isHarmless(given) && !/[\\%&]/.test(given));
    const shown = encoded === null ? given : given.replace(encoded, mark);
    if (isOrdinary) return shown.replace(plainPattern, mark);
    encodedPattern ??= new RegExp(bounded(secret, [...text].map(anyEncoding).join(invisiblesBetween(secret))), flags);
    const hidden = shown.replace(encodedPattern, mark);
    // Redact what will be displayed, too: removing a rare escape sequence also removes letters.
    const seen = withoutInvisible(hidden);
    const alsoSeen = seen.replace(encodedPattern, mark);
    return alsoSeen === seen ? hidden : alsoSeen;
  };
}

/** Shorter encoded text may be part of an ordinary word or number. */
const minEncodedLength = 8;

const ordinary = /^[ !-$'-[\]-~]*$/;

/** Matches invisible characters. Each has only one way to match, because a second one would make the time exponential. */
const invisiblesBetween = ({ isShort }: Secret): string => {
  const sequences = '\\u001b\\[[0-?]*[ -/]*[@-~]|\\u001b\\][^\\u0007]{0,200}\\u0007';
  const hidden = isShort === true ? hostileCharacter : hostileCharacter.replace('[', '[\\s');
  return `(?:${sequences}|${hidden})*`;
};

const bounded = ({ isShort }: Secret, pattern: string): string =>
  isShort === true ? `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])` : pattern;

const escaped = (character: string): string =>
  // A postal code may be written with a space, with a hyphen, or without either.
  character === ' ' ? '[\\s-]?' : character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Matches all encodings of a character. Repetitions are limited, so that the time stays linear. */
function anyEncoding(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const units = [...Array(character.length).keys()].map((at) => hex(character.charCodeAt(at), 4));
  const bytes = [...Buffer.from(character.toWellFormed(), 'utf8')].map((byte) => hex(byte, 2));
  const name = entityNames[character];
  const ways = [
    /[\da-z]/i.test(character) ? escaped(character) : `\\\\{0,4}${escaped(character)}`,
    units.map((unit) => `\\\\{1,4}u${unit}`).join(''),
    `\\\\{1,4}u\\{0{0,8}${hex(point, 1)}\\}`,
    ...(point < 0x100 ? [`\\\\{1,4}x${hex(point, 2)}`] : []),
    bytes.map((byte) => `%(?:25){0,4}${byte}`).join(''),
    `&(?:amp;){0,4}#0{0,8}${point};?`,
    `&(?:amp;){0,4}#[xX]0{0,8}${hex(point, 1)};?`,
    ...(name === undefined ? [] : [`&(?:amp;){0,4}${name};`]),
  ];
  return `(?:${ways.join('|')})`;
}

const hex = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const inHexadecimal = (text: string): string =>
  [...Buffer.from(text, 'utf8')].map((byte) => hex(byte, 2)).join('[\\s:-]?');

/** Matches text in Base64 at each of the three byte offsets, by the digits that do not depend on adjacent bytes. */
function inBase64(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const cores = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const written = whole.toString('base64').replace(/=+$/, '');
    const core = written.slice(before === 0 ? 0 : before + 1, Math.floor((whole.length * 8) / 6));
    const letters = [...core].map((letter) => (letter === '+' ? '[+-]' : letter === '/' ? '\\\\?[/_]' : letter));
    // Long Base64 text has line breaks.
    return letters.join('\\s*');
  });
  return `(?:${cores.join('|')})[\\w+/-]*={0,2}`;
}

/** Removes the API key and personal data from responses, because services echo rejected values. */
export interface Redaction {
  /** Removes the key. Postal codes stay, because in tracking data they are places. */
  response(json: JsonValue): JsonValue;
  /** For failed and rejected calls: also removes email addresses, postal codes and phone digits. */
  failure(json: JsonValue): JsonValue;
}

/** Shorter keys may be part of an ordinary word or number. */
const minSecretLength = 12;
/** Shorter text does not identify anyone. */
const minPersonalLength = 3;

const maxDepth = 64;

const neverPersonal: ReadonlySet<string> = new Set(['trackNo', 'courierCode', 'code', 'index', 'traceId']);

const personalMarks: Readonly<Record<string, string>> = {
  customerEmail: '[email]',
  postalCode: '[postal code]',
  phoneSuffix: '[phone]',
};

export function createRedaction(apiKey: string, content: JsonValue | undefined): Redaction {
  const key: Secret = { text: apiKey, mark: '[key]', isShort: apiKey.length < minSecretLength };
  const hideKey = hideSecrets([key]);
  let hideAll: Hide | null = null;
  return {
    response: (json) => (apiKey.length < minSecretLength ? json : redactTexts(json, hideKey, hideKey)),
    failure: (json) => {
      // Created on demand, because most calls succeed.
      hideAll ??= hideSecrets([{ ...key, anyCase: true }, ...personalSecrets(content ?? null)]);
      return redactTexts(json, hideAll, hideKey);
    },
  };
}

/** Removes a parcel's postal code, phone digits and email address from what the service says about it. */
export const withoutPersonal = (
  words: string,
  fields: Readonly<Partial<Record<'customerEmail' | 'phoneSuffix' | 'postalCode', string | null>>>,
): string => hideSecrets(personalSecrets({ ...fields }))(words);

function personalSecrets(content: JsonValue): readonly Secret[] {
  if (Array.isArray(content)) return content.flatMap((item: JsonValue) => personalSecrets(item));
  if (!isJsonObject(content)) return [];
  return Object.entries(content).flatMap(([name, value]): readonly Secret[] => {
    const mark = personalMarks[name];
    if (mark === undefined || typeof value !== 'string') return personalSecrets(value);
    const text = value.trim();
    return text.length < minPersonalLength ? [] : [{ text, mark, anyCase: true, isShort: !text.includes('@') }];
  });
}

function redactTexts(value: JsonValue, hide: Hide, hideInNames: Hide, depth = 0): JsonValue {
  if (typeof value === 'string') return hide(value);
  if (typeof value === 'number') {
    const text = String(value);
    return hide(text) === text ? value : hide(text);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return null;
  if (!isJsonObject(value)) {
    const items = value.map((item: JsonValue) => redactTexts(item, hide, hideInNames, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  let isSame = true;
  const entries = Object.entries(value).map(([name, item]) => {
    const shownName = hideInNames(name);
    const shown = redactTexts(item, neverPersonal.has(name) ? hideInNames : hide, hideInNames, depth + 1);
    if (shown !== item || shownName !== name) isSame = false;
    return [shownName, shown] as const;
  });
  return isSame ? value : Object.fromEntries(entries);
}
