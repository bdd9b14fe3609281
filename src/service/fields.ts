import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { cleanText, cleanTextOrNull } from './text.ts';

/** A text field: cleaned text, a number as its digits, else null. One bad field never costs the record. */
export function textField(source: JsonObject, name: string): string | null {
  const value = source[name];
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return cleanTextOrNull(value);
}

/** A whole-number field, given as a number or as numeric text; null for anything else and beyond 2^53. */
export function integerField(source: JsonObject, name: string): number | null {
  const value = source[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number') return null;
  // Adding makes 0 of the -0 that JSON cannot write.
  const whole = Math.trunc(number) + 0;
  return Number.isSafeInteger(whole) ? whole : null;
}

/** A field that should hold an object; an empty one when it does not. */
export function objectField(source: JsonObject, name: string): JsonObject {
  const value = source[name];
  return isJsonObject(value) ? value : {};
}

/** A field that should hold an array; an empty one when it does not. */
export function arrayField(source: JsonObject, name: string): readonly JsonValue[] {
  const value = source[name];
  return Array.isArray(value) ? value : [];
}

/** Deeper nesting than any answer has; what lies below is dropped. */
const deepest = 16;

/** A copy of a received value in which every text, keys included, is cleaned, and which JSON can write and read again. */
export function cleanJson(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return null;
  if (!isJsonObject(value)) return value.map((item) => cleanJson(item, depth + 1));
  return cleanJsonObject(value, depth);
}

/** {@link cleanJson} for an object. */
export function cleanJsonObject(value: JsonObject, depth = 0): JsonObject {
  const cleaned: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const name = cleanText(key);
    // A name with something invisible in it must not take the place of the name that it looks like.
    if (name !== key && Object.hasOwn(value, name)) continue;
    const item = cleanJson(value[key] ?? null, depth + 1);
    // Set in the usual way, this one name would change what the object is.
    if (name === '__proto__') {
      Object.defineProperty(cleaned, name, { value: item, writable: true, enumerable: true, configurable: true });
    } else cleaned[name] = item;
  }
  return cleaned;
}
