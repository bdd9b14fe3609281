import type { Check } from '../output/json-schemas.ts';

/** A finding that is as it should be. */
export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found, advice: null };
}

/** A finding that a person should know. */
export function warn(name: string, found: string, advice: string): Check {
  return { name, status: 'warn', found, advice };
}

/** A finding that keeps the program from its work. */
export function fail(name: string, found: string, advice: string): Check {
  return { name, status: 'fail', found, advice };
}
