import { hostileCharacter, isHarmless, withoutInvisible } from '../lib/clean-text.ts';
import { isJsonObject, type JsonValue } from '../lib/json.ts';

type Redactor = (text: string) => string;

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
function createRedactor(secrets: readonly Secret[]): Redactor {
  const unique = new Map(secrets.filter(({ text }) => text !== '').map((secret) => [secret.text, secret]));
  // Longest first, because one secret may contain another.
  const redactors = [...unique.values()].sort((a, b) => b.text.length - a.text.length).map(createSecretRedactor);
  return (text) => redactors.reduce((redacted, redact) => redact(redacted), text);
}

function createSecretRedactor(secret: Secret): Redactor {
  const { mark, text } = secret;
  const flags = secret.anyCase === true ? 'giu' : 'gu';
  const plain = wholeWord(secret, [...text].map(escapePattern).join(''));
  let encodedPattern: RegExp | null = null;
  const encoded = text.length < minEncodedLength ? null : new RegExp(`${inHexadecimal(text)}|${inBase64(text)}`, 'g');
  const plainPattern = new RegExp(plain, flags);
  return (input) => {
    if (input.length < text.length) return input;
    const isOrdinary = ordinaryText.test(input) || (isHarmless(input) && !/[\\%&]/.test(input));
    const withoutEncoded = encoded === null ? input : input.replace(encoded, mark);
    if (isOrdinary) return withoutEncoded.replace(plainPattern, mark);
    encodedPattern ??= new RegExp(wholeWord(secret, [...text].map(anyEncoding).join(invisiblesBetween(secret))), flags);
    const redacted = withoutEncoded.replace(encodedPattern, mark);
    // Also redact what will be displayed: removing a rare escape sequence also removes letters.
    const visible = withoutInvisible(redacted);
    const redactedVisible = visible.replace(encodedPattern, mark);
    return redactedVisible === visible ? redacted : redactedVisible;
  };
}

/** Shorter encoded text may be part of an ordinary word or number. */
const minEncodedLength = 8;

const ordinaryText = /^[ !-$'-[\]-~]*$/;

/** Matches invisible characters. Each has only one way to match, because a second one would make the time exponential. */
const invisiblesBetween = ({ isShort }: Secret): string => {
  const sequences = '\\u001b\\[[0-?]*[ -/]*[@-~]|\\u001b\\][^\\u0007]{0,200}\\u0007';
  const hidden = isShort === true ? hostileCharacter : hostileCharacter.replace('[', '[\\s');
  return `(?:${sequences}|${hidden})*`;
};

const wholeWord = ({ isShort }: Secret, pattern: string): string =>
  isShort === true ? `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])` : pattern;

const escapePattern = (character: string): string =>
  // A postal code may be written with a space, with a hyphen, or without either.
  character === ' ' ? '[\\s-]?' : character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Matches all encodings of a character. Repetitions are limited, so that the time stays linear. */
function anyEncoding(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const units = [...Array(character.length).keys()].map((at) => hex(character.charCodeAt(at), 4));
  const bytes = [...Buffer.from(character.toWellFormed(), 'utf8')].map((byte) => hex(byte, 2));
  const name = entityNames[character];
  const encodings = [
    /[\da-z]/i.test(character) ? escapePattern(character) : `\\\\{0,4}${escapePattern(character)}`,
    units.map((unit) => `\\\\{1,4}u${unit}`).join(''),
    `\\\\{1,4}u\\{0{0,8}${hex(point, 1)}\\}`,
    ...(point < 0x100 ? [`\\\\{1,4}x${hex(point, 2)}`] : []),
    bytes.map((byte) => `%(?:25){0,4}${byte}`).join(''),
    `&(?:amp;){0,4}#0{0,8}${point};?`,
    `&(?:amp;){0,4}#[xX]0{0,8}${hex(point, 1)};?`,
    ...(name === undefined ? [] : [`&(?:amp;){0,4}${name};`]),
  ];
  return `(?:${encodings.join('|')})`;
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
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const base64 = shifted.toString('base64').replace(/=+$/, '');
    const core = base64.slice(before === 0 ? 0 : before + 1, Math.floor((shifted.length * 8) / 6));
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

const impersonalFields: ReadonlySet<string> = new Set(['trackNo', 'courierCode', 'code', 'index', 'traceId']);

const personalMarks: Readonly<Record<string, string>> = {
  customerEmail: '[email]',
  postalCode: '[postal code]',
  phoneSuffix: '[phone]',
};

export function createRedaction(apiKey: string, content: JsonValue | undefined): Redaction {
  const key: Secret = { text: apiKey, mark: '[key]', isShort: apiKey.length < minSecretLength };
  const redactKey = createRedactor([key]);
  let redactAll: Redactor | null = null;
  return {
    response: (json) => (apiKey.length < minSecretLength ? json : redactTexts(json, redactKey, redactKey)),
    failure: (json) => {
      // Created on demand, because most calls succeed.
      redactAll ??= createRedactor([{ ...key, anyCase: true }, ...personalSecrets(content ?? null)]);
      return redactTexts(json, redactAll, redactKey);
    },
  };
}

/** Removes a parcel's postal code, phone digits and email address from what the service says about it. */
export const withoutPersonal = (
  message: string,
  fields: Readonly<Partial<Record<'customerEmail' | 'phoneSuffix' | 'postalCode', string | null>>>,
): string => createRedactor(personalSecrets({ ...fields }))(message);

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

function redactTexts(value: JsonValue, redact: Redactor, redactName: Redactor, depth = 0): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') {
    const text = String(value);
    return redact(text) === text ? value : redact(text);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return null;
  if (!isJsonObject(value)) {
    const items = value.map((item: JsonValue) => redactTexts(item, redact, redactName, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  let isUnchanged = true;
  const entries = Object.entries(value).map(([name, item]) => {
    const newName = redactName(name);
    const newItem = redactTexts(item, impersonalFields.has(name) ? redactName : redact, redactName, depth + 1);
    if (newItem !== item || newName !== name) isUnchanged = false;
    return [newName, newItem] as const;
  });
  return isUnchanged ? value : Object.fromEntries(entries);
}
