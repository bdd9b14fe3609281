import { cleanText, cleanTextOrNull } from './clean-text.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param path field names and array indexes */
export function valueAt(object: JsonObject, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((part, name) => {
    if (typeof name === 'number') return Array.isArray(part) ? part[name] : undefined;
    return isJsonObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  }, object);
}

/** A number that a double may not represent exactly. */
const inexactNumber = /[:[,]\s*-?(?:\d{16}|\d+(?:\.\d+)?[eE])/;

/**
 * Parses JSON. Numbers that a double cannot represent become strings, so that ids keep every digit. Throws a
 * `SyntaxError`.
 */
export function parseJson(text: string): JsonValue {
  const withoutMark = text.startsWith('\ufeff') ? text.slice(1) : text;
  const parsed: unknown = JSON.parse(inexactNumber.test(withoutMark) ? quoteInexactNumbers(withoutMark) : withoutMark);
  return parsed as JsonValue;
}

/** Works on the text, because a reviver would overflow the stack on deeply nested responses. */
function quoteInexactNumbers(json: string): string {
  const quoteOrNumber = /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const parts: string[] = [];
  let copiedEnd = 0;
  for (let match = quoteOrNumber.exec(json); match !== null; match = quoteOrNumber.exec(json)) {
    const [token] = match;
    if (token === '"') quoteOrNumber.lastIndex = findStringEnd(json, match.index);
    else if (!isExact(Number(token))) {
      parts.push(json.slice(copiedEnd, match.index), `"${token}"`);
      copiedEnd = quoteOrNumber.lastIndex;
    }
  }
  parts.push(json.slice(copiedEnd));
  return parts.join('');
}

const isExact = (number: number): boolean =>
  Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number));

function findStringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return json.length;
}

/** Returns the cleaned string, a number as a string, or null. */
export function textField(source: JsonObject, name: string): string | null {
  const value = source[name];
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return cleanTextOrNull(value);
}

/** Returns a number or a numeric string as an integer, truncated. Returns null for other values and beyond 2^53. */
export function integerField(source: JsonObject, name: string): number | null {
  const value = source[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number') return null;
  // Adding 0 turns -0 into 0, which is also how it is written to JSON.
  const whole = Math.trunc(number) + 0;
  return Number.isSafeInteger(whole) ? whole : null;
}

export function objectField(source: JsonObject, name: string): JsonObject {
  const value = source[name];
  return isJsonObject(value) ? value : {};
}

export function arrayField(source: JsonObject, name: string): readonly JsonValue[] {
  const value = source[name];
  return Array.isArray(value) ? value : [];
}

const maxDepth = 16;

/** Returns a copy with cleaned keys and strings. Values nested more than 16 levels deep become null. */
export const cleanJsonObject = (value: JsonObject): JsonObject => cleanObject(value, 0);

function cleanValue(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return null;
  return isJsonObject(value) ? cleanObject(value, depth) : value.map((item) => cleanValue(item, depth + 1));
}

function cleanObject(value: JsonObject, depth: number): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const name = cleanText(key);
    // A key with invisible characters must not replace its visible twin.
    if (name !== key && Object.hasOwn(value, name)) continue;
    const item = cleanValue(value[key] ?? null, depth + 1);
    // Assigning to `__proto__` would set the prototype.
    if (name === '__proto__') {
      Object.defineProperty(copy, name, { value: item, writable: true, enumerable: true, configurable: true });
    } else copy[name] = item;
  }
  return copy;
}
