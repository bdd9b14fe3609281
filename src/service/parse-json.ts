import type { JsonValue } from './json.ts';

/** A number with more digits than a double keeps, outside of a text in the common layouts. */
const longNumber = /[:[,]\s*-?\d{16,}/;

/** V8 hands the source text of a primitive to the reviver; TypeScript does not know that yet. */
type SourceReviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

const keepLongNumbers: SourceReviver = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value;

/**
 * Parses JSON; whole numbers beyond 2^53 come out as text, so that ids keep every digit.
 * Throws a SyntaxError for what is no JSON.
 */
export function parseJson(text: string): JsonValue {
  const withoutMark = text.startsWith('\ufeff') ? text.slice(1) : text;
  const parsed: unknown = longNumber.test(withoutMark)
    ? JSON.parse(withoutMark, keepLongNumbers)
    : JSON.parse(withoutMark);
  return parsed as JsonValue;
}
