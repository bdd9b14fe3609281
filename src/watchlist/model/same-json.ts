import { isJsonObject, type JsonObject, type JsonValue } from '../../service/text/json.ts';

/** Whether two JSON values are the same, whatever the order of their fields. Ends at the first difference. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameList(a, b);
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names) {
    const value = left[name];
    // What is no object cannot be taken for something that all objects have.
    const isPlainAndAlike = value === right[name] && typeof value !== 'object';
    if (!isPlainAndAlike && !(Object.hasOwn(right, name) && sameJson(value, right[name]))) return false;
  }
  return true;
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (!sameJson(a[index], b[index])) return false;
  return true;
}

/**
 * What is told, made of those parts of `known` that are the same; `known` itself when all are. What a parcel's records
 * repeat is so kept once, however often it is told.
 */
export function shareJson<Told extends JsonObject>(known: JsonObject | null, told: Told): Told;
export function shareJson(known: JsonValue | undefined, told: JsonValue): JsonValue;
export function shareJson(known: JsonValue | undefined, told: JsonValue): JsonValue {
  if (sameJson(known, told)) return known ?? null;
  // Lists grow at either end, and their parts are not worth finding again.
  if (known === undefined || !isJsonObject(known) || !isJsonObject(told)) return told;
  const names = Object.keys(told);
  // Set in the usual way, this one name would change what the object is.
  if (names.includes('__proto__')) return told;
  const shared: Record<string, JsonValue> = {};
  for (const name of names) {
    shared[name] = shareJson(Object.hasOwn(known, name) ? known[name] : undefined, told[name] ?? null);
  }
  return shared;
}
