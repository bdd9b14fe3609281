import type { Bench } from './bench.ts';

/** Headings of `src/service/README.md`. */
export const headings = [
  'Reaching the service',
  'Envelope',
  'Rejections',
  'Operations',
  'Register',
  'Query',
  'Get Carriers',
  'Delete, edit, change carrier',
  'The record',
  'Statuses',
  'Clocks',
  'Codes and failures',
  'Limits and cost',
] as const;
export type Heading = (typeof headings)[number];

/** The result of a check. */
export interface Finding {
  readonly state: 'held' | 'differs' | 'skipped';
  /** What was observed, or why nothing was tried. */
  readonly observed: string;
}

/**
 * One statement about the service. The provider's description makes some statements, which must hold. The others were
 * observed, and a deployment may differ.
 */
export interface Check {
  readonly title: string;
  readonly basis: 'stated' | 'observed';
  /** The heading in `src/service/README.md` under which the statement is made. */
  readonly section: Heading;
  /** Whether the check changes the account. Such checks run only if that is allowed. */
  readonly writes?: true;
  readonly run: (bench: Bench) => Promise<Finding>;
}

export const held = (observed: string): Finding => ({ state: 'held', observed });
export const differs = (observed: string): Finding => ({ state: 'differs', observed });
export const skipped = (why: string): Finding => ({ state: 'skipped', observed: why });

/** Held unless there are errors, which then describe what was observed. */
export function heldUnless(errors: readonly string[], observed: string): Finding {
  const [first, ...others] = errors;
  if (first === undefined) return held(observed);
  return differs(others.length === 0 ? first : `${first} (and ${others.length} more)`);
}
