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

/** What a check came to. */
export interface Finding {
  readonly state: 'held' | 'differs' | 'skipped';
  /** What was seen, or why nothing was tried. */
  readonly seen: string;
}

/**
 * One statement about the service. The provider's description states some, which have to hold; the others were observed,
 * and a deployment may differ in them.
 */
export interface Check {
  readonly title: string;
  readonly basis: 'stated' | 'observed';
  /** The heading in `src/service/README.md` above it. */
  readonly section: Heading;
  /** Whether the account is changed; such checks run only when that is allowed. */
  readonly writes?: true;
  readonly run: (bench: Bench) => Promise<Finding>;
}

export const held = (seen: string): Finding => ({ state: 'held', seen });
export const differs = (seen: string): Finding => ({ state: 'differs', seen });
export const skipped = (why: string): Finding => ({ state: 'skipped', seen: why });

/** Held unless there are complaints, which are what was seen then. */
export function unless(complaints: readonly string[], seen: string): Finding {
  const [first, ...others] = complaints;
  if (first === undefined) return held(seen);
  return differs(others.length === 0 ? first : `${first} (and ${others.length} more)`);
}
