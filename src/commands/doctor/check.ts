/** How a check came out. `warn`: works, but a person should know. */
export type CheckStatus = 'ok' | 'warn' | 'fail';

/** One finding of `doctor`, in the shape of `--json`. Never holds the API key, a postal code or a phone number. */
export interface Check {
  readonly name: string;
  readonly status: CheckStatus;
  readonly found: string;
  /** What to do; null when nothing is to be done. */
  readonly advice: string | null;
}

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
