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
  readonly seen: string;
}

/**
 * One statement about the service. The provider's description makes some statements, which must hold. The others were
 * observed, and a deployment may differ.
 */
export interface Check {
  readonly title: string;
  readonly basis: 'stated' | 'observed';
  /** The heading in `src/service/README.md` above it. */
  readonly section: Heading;
  /** Whether the check changes the account. Such checks run only if that is allowed. */
  readonly writes?: true;
  readonly run: (bench: Bench) => Promise<Finding>;
}

export const held = (seen: string): Finding => ({ state: 'held', seen });
export const differs = (seen: string): Finding => ({ state: 'differs', seen });
export const skipped = (why: string): Finding => ({ state: 'skipped', seen: why });

/** Passed unless there are complaints, which describe what was observed. */
export function unless(complaints: readonly string[], seen: string): Finding {
  const [first, ...others] = complaints;
  if (first === undefined) return held(seen);
  return differs(others.length === 0 ? first : `${first} (and ${others.length} more)`);
}
