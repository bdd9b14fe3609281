import type { Bench } from './bench.ts';

/** What a check came to. */
export interface Finding {
  readonly state: 'held' | 'differs' | 'skipped';
  /** What was seen, or why nothing was tried. */
  readonly seen: string;
}

/**
 * One statement about the service. `interface` ones stand in the interface and have to hold; `facts` fill in what it
 * leaves open, and a deployment may differ in them.
 */
export interface Check {
  readonly title: string;
  readonly basis: 'interface' | 'facts';
  /** Section of the interface that states it, or leaves it open. */
  readonly section: string;
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
