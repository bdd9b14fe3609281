import { isJsonObject, type JsonObject, type JsonValue } from '../../service/text/json.ts';
import { badFormat, badParameter, type RefusedCallError } from './answers.ts';

/** Most numbers in one call, of any operation. */
export const batchLimit = 100;

/** The value as an object. Throws a {@link RefusedCallError}. */
export function objectOf(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw badFormat();
  return value;
}

/** The value as an array of up to 100 elements. Throws a {@link RefusedCallError}. */
export function batchOf(value: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(value)) throw badFormat();
  return checkBatch(value);
}

/** The same list when it holds up to 100 elements. Throws a {@link RefusedCallError}. */
export function checkBatch<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length > batchLimit)
    throw badParameter(`a maximum of ${batchLimit} tracking numbers is allowed per request`);
  return items;
}

/** An array field of up to 100 elements; empty when it is absent or null. Throws a {@link RefusedCallError}. */
export function batchField(source: JsonObject, name: string): readonly JsonValue[] {
  const value = source[name];
  return value === undefined || value === null ? [] : batchOf(value);
}

/** A trimmed text field; null when it is absent, null or blank. Throws a {@link RefusedCallError}. */
export function textField(source: JsonObject, name: string): string | null {
  const value = source[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw badFormat();
  const text = value.trim();
  return text === '' ? null : text;
}
