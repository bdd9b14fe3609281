import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../service/text/json.ts';

/**
 * `received`, made of those parts of `known` that are the same; `known` itself when all are. What the records of a parcel
 * repeat is so kept in memory once, however often it comes.
 */
export function shareJson<Received extends JsonObject>(known: JsonObject | null, received: Received): Received;
export function shareJson(known: JsonValue | undefined, received: JsonValue): JsonValue;
export function shareJson(known: JsonValue | undefined, received: JsonValue): JsonValue {
  if (isDeepStrictEqual(known, received)) return known ?? null;
  // Lists grow at either end, and their parts are not worth finding again.
  if (known === undefined || !isJsonObject(known) || !isJsonObject(received)) return received;
  const names = Object.keys(received);
  // Set in the usual way, this one name would change what the object is.
  if (names.includes('__proto__')) return received;
  const shared: Record<string, JsonValue> = {};
  for (const name of names) {
    shared[name] = shareJson(Object.hasOwn(known, name) ? known[name] : undefined, received[name] ?? null);
  }
  return shared;
}
