import type { Check } from '../output/json-schemas.ts';

/** A finding that is as it should be. */
export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found, advice: null };
}

/** A finding that a person should know. */
export function warn(name: string, found: string, advice: string): Check {
  return { name, status: 'warn', found, advice };
}

/**
 * A finding that keeps the program from its work. What is to be done ends with the command that does it, or that shows
 * what is in the way.
 */
export function fail(name: string, found: string, advice: string, command: string): Check {
  return { name, status: 'fail', found, advice: advice.includes(command) ? advice : withCommand(advice, command) };
}

/** What is not used while somebody else can write the file; the command that mends it stands at the end of the reason. */
export function withheldCheck(name: string, reason: string, meanwhile: string): Check {
  return fail(name, reason, meanwhile, reason.slice(reason.lastIndexOf(': ') + 2));
}

/** An advice that ends with a command. */
export const withCommand = (advice: string, command: string): string => `${advice} Run: ${command}`;
