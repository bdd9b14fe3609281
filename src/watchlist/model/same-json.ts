import { isJsonObject } from '../../service/text/json.ts';

/**
 * Whether two values that hold nothing but JSON are the same, in whatever order their names stand. Every answer is
 * compared with what is known; Node's own comparison, which takes any value, needs twice the time.
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
