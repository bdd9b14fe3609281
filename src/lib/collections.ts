import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

export function createIsFirst(met: Set<string> = new Set()): (key: string) => boolean {
  return (key) => {
    const isFirst = !met.has(key);
    met.add(key);
    return isFirst;
  };
}

export class LatestMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    super.delete(key);
    super.set(key, value);
    const [oldest] = super.keys();
    if (this.size > this.#most && oldest !== undefined) super.delete(oldest);
    return this;
  }
}

/**
 * Whether two JSON values are the same in any order of names. Twice as fast as Node's comparison, and used for every
 * answer.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}

/** `received` with those parts of `known` that are the same, so that repeated records share memory. */
export function shareJson<Received extends JsonObject>(known: JsonObject | null, received: Received): Received;
export function shareJson(known: JsonValue | undefined, received: JsonValue): JsonValue;
export function shareJson(known: JsonValue | undefined, received: JsonValue): JsonValue {
  // Lists grow at either end, and their parts are not worth finding again.
  if (known === undefined || !isJsonObject(known) || !isJsonObject(received)) return sharedWhole(known, received);
  const names = Object.keys(received);
  // Set in the usual way, this one name would change what the object is.
  if (names.includes('__proto__')) return sharedWhole(known, received);
  let isSame = names.length === Object.keys(known).length;
  if (!mayShareParts(known, received, names)) {
    return isSame && names.every((name) => Object.is(known[name], received[name])) ? known : received;
  }
  const shared: Record<string, JsonValue> = {};
  let isAllNew = true;
  for (const name of names) {
    const part = Object.hasOwn(known, name) ? known[name] : undefined;
    const sharedPart = shareJson(part, received[name] ?? null);
    isSame &&= Object.is(sharedPart, part);
    isAllNew &&= Object.is(sharedPart, received[name]);
    shared[name] = sharedPart;
  }
  if (isSame) return known;
  // What has nothing of what is known, or is made of it already, stays what it is, and is found to be so the next time.
  return isAllNew ? received : shared;
}

function mayShareParts(known: JsonObject, received: JsonObject, names: readonly string[]): boolean {
  for (const name of names) {
    const part = received[name];
    if (typeof part === 'object' && part !== null && part !== known[name]) return true;
  }
  return false;
}

function sharedWhole(known: JsonValue | undefined, received: JsonValue): JsonValue {
  return known !== undefined && sameJson(known, received) ? known : received;
}
