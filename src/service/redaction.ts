import { hostileCharacter, isHarmless, withoutInvisible } from '../lib/clean-text.ts';
import { isJsonObject, type JsonValue } from '../lib/json.ts';

type Hide = (text: string) => string;

interface Secret {
  readonly text: string;
  readonly mark: string;
  readonly anyCase?: boolean;
  /** Part of ordinary words and numbers: then only a whole word is the secret. */
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
 * Finds secrets plain, JSON-escaped, percent-encoded, as HTML entities, in hexadecimal or Base64, and with invisible
 * characters in between.
 */
function hideSecrets(secrets: readonly Secret[]): Hide {
  const known = new Map(secrets.filter(({ text }) => text !== '').map((secret) => [secret.text, secret]));
  // The longest first, since one may be part of another.
  const hides = [...known.values()].sort((a, b) => b.text.length - a.text.length).map(hideOne);
  return (text) => hides.reduce((hidden, hide) => hide(hidden), text);
}

function hideOne(secret: Secret): Hide {
  const { mark, text } = secret;
  const flags = secret.anyCase === true ? 'giu' : 'gu';
  const plain = bounded(secret, [...text].map(literally).join(''));
  let spelled: RegExp | null = null;
  const encoded = text.length < shortestEncoded ? null : new RegExp(`${inHexadecimal(text)}|${inBase64(text)}`, 'g');
  const plainPattern = new RegExp(plain, flags);
  return (given) => {
    if (given.length < text.length) return given;
    const isOrdinary = ordinary.test(given) || (isHarmless(given) && !/[\\%&]/.test(given));
    const shown = encoded === null ? given : given.replace(encoded, mark);
    if (isOrdinary) return shown.replace(plainPattern, mark);
    spelled ??= new RegExp(bounded(secret, [...text].map(anySpelling).join(between(secret))), flags);
    const hidden = shown.replace(spelled, mark);
    // As it is shown: an escape sequence of a rare kind takes letters with it.
    const seen = withoutInvisible(hidden);
    const alsoSeen = seen.replace(spelled, mark);
    return alsoSeen === seen ? hidden : alsoSeen;
  };
}

/** Fewer characters can stand in an ordinary word or number when they are encoded. */
const shortestEncoded = 8;

const ordinary = /^[ !-$'-[\]-~]*$/;

/** Exactly one way to read each of them: with two, the time would double with each. */
const between = ({ isShort }: Secret): string => {
  const sequences = '\\u001b\\[[0-?]*[ -/]*[@-~]|\\u001b\\][^\\u0007]{0,200}\\u0007';
  const hidden = isShort === true ? hostileCharacter : hostileCharacter.replace('[', '[\\s');
  return `(?:${sequences}|${hidden})*`;
};

const bounded = ({ isShort }: Secret, pattern: string): string =>
  isShort === true ? `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])` : pattern;

const literally = (character: string): string =>
  // Postal codes are written with and without.
  character === ' ' ? '[\\s-]?' : character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** All spellings of a character. Repetitions have a limit, so that no text costs more than its length. */
function anySpelling(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const units = [...Array(character.length).keys()].map((at) => hex(character.charCodeAt(at), 4));
  const bytes = [...Buffer.from(character.toWellFormed(), 'utf8')].map((byte) => hex(byte, 2));
  const name = entityNames[character];
  const ways = [
    /[\da-z]/i.test(character) ? literally(character) : `\\\\{0,4}${literally(character)}`,
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

/** Finds the bytes of a text as digits. */
const inHexadecimal = (text: string): string =>
  [...Buffer.from(text, 'utf8')].map((byte) => hex(byte, 2)).join('[\\s:-]?');

/** Finds a text in Base64, at each of the three offsets by the part that its surroundings do not change. */
function inBase64(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const cores = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const written = whole.toString('base64').replace(/=+$/, '');
    const core = written.slice(before === 0 ? 0 : before + 1, Math.floor((whole.length * 8) / 6));
    const letters = [...core].map((letter) => (letter === '+' ? '[+-]' : letter === '/' ? '\\\\?[/_]' : letter));
    // Long ones are broken into lines.
    return letters.join('\\s*');
  });
  return `(?:${cores.join('|')})[\\w+/-]*={0,2}`;
}

/** Keeps the API key and personal data out of what is shown and kept: some services repeat what they refuse. */
export interface Redaction {
  /** Any answer, without the key. What a carrier says of a parcel stays: a postal code there is a place. */
  answer(json: JsonValue): JsonValue;
  /** What an answer says about a call that failed or was rejected in part: without e-mail addresses, postal codes and phone digits, too. */
  complaint(json: JsonValue): JsonValue;
}

/** A shorter key, such as a test's, may be part of an ordinary word or number. */
const shortestSecret = 12;
/** What is shorter says nothing about anybody, and is in every sentence. */
const shortestPersonal = 3;

const deepest = 64;

/** Fields that name what the call was about, and never personal data. */
const neverPersonal: ReadonlySet<string> = new Set(['trackNo', 'courierCode', 'code', 'index', 'traceId']);

const personalMarks: Readonly<Record<string, string>> = {
  customerEmail: '[e-mail]',
  postalCode: '[postal code]',
  phoneSuffix: '[phone]',
};

export function createRedaction(apiKey: string, content: JsonValue | undefined): Redaction {
  const key: Secret = { text: apiKey, mark: '[key]', isShort: apiKey.length < shortestSecret };
  const hideKey = hideSecrets([key]);
  let hideAll: Hide | null = null;
  return {
    answer: (json) => (apiKey.length < shortestSecret ? json : inTexts(json, hideKey, hideKey)),
    complaint: (json) => {
      // Answers of success are many, and hardly any of them complains.
      hideAll ??= hideSecrets([{ ...key, anyCase: true }, ...personalIn(content ?? null)]);
      return inTexts(json, hideAll, hideKey);
    },
  };
}

function personalIn(content: JsonValue): readonly Secret[] {
  if (Array.isArray(content)) return content.flatMap((item: JsonValue) => personalIn(item));
  if (!isJsonObject(content)) return [];
  return Object.entries(content).flatMap(([name, value]): readonly Secret[] => {
    const mark = personalMarks[name];
    if (mark === undefined || typeof value !== 'string') return personalIn(value);
    const text = value.trim();
    return text.length < shortestPersonal ? [] : [{ text, mark, anyCase: true, isShort: !text.includes('@') }];
  });
}

function inTexts(value: JsonValue, hide: Hide, hideInNames: Hide, depth = 0): JsonValue {
  if (typeof value === 'string') return hide(value);
  if (typeof value === 'number') {
    const text = String(value);
    return hide(text) === text ? value : hide(text);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return null;
  if (!isJsonObject(value)) {
    const items = value.map((item: JsonValue) => inTexts(item, hide, hideInNames, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  let isSame = true;
  const entries = Object.entries(value).map(([name, item]) => {
    const shownName = hideInNames(name);
    const shown = inTexts(item, neverPersonal.has(name) ? hideInNames : hide, hideInNames, depth + 1);
    if (shown !== item || shownName !== name) isSame = false;
    return [shownName, shown] as const;
  });
  return isSame ? value : Object.fromEntries(entries);
}
