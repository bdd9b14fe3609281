import { isJsonObject, type JsonObject, type JsonValue } from '../service/json.ts';

/** Whether two JSON values are the same, whatever the order of their fields. Ends at the first difference. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(Reflect.get(a, name), Reflect.get(b, name)))
  );
}

/**
 * What is told, made of those parts of `known` that are the same; `known` itself when all are. What a parcel's records
 * repeat is so kept once, however often it is told.
 */
export function shareJson<Told extends JsonObject>(known: JsonObject | null, told: Told): Told;
export function shareJson(known: JsonValue | undefined, told: JsonValue): JsonValue;
export function shareJson(known: JsonValue | undefined, told: JsonValue): JsonValue {
  if (known === told || typeof known !== 'object' || typeof told !== 'object') return told;
  if (known === null || told === null) return told;
  // Lists grow at either end, and their parts are not worth finding again.
  if (!isJsonObject(known) || !isJsonObject(told)) return sameJson(known, told) ? known : told;
  const names = Object.keys(told);
  const shared: Record<string, JsonValue> = {};
  let isKnown = names.length === Object.keys(known).length;
  for (const name of names) {
    // Set in the usual way, this one name would change what the object is.
    if (name === '__proto__') return sameJson(known, told) ? known : told;
    const before = Object.hasOwn(known, name) ? known[name] : undefined;
    const part = shareJson(before, told[name] ?? null);
    shared[name] = part;
    isKnown &&= part === before;
  }
  return isKnown ? known : shared;
}
