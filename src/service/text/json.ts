/** Any value of JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a value is a plain JSON object (no array, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a place in an object; undefined for nothing. */
export function valueAt(object: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (isJsonObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    object,
  );
}
