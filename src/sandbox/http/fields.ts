import { isJsonObject, type JsonObject, type JsonValue } from '../../service/json.ts';
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
  if (value.length > batchLimit) throw tooMany();
  return value;
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

function tooMany(): RefusedCallError {
  return badParameter(`a maximum of ${batchLimit} tracking numbers is allowed per request`);
}
