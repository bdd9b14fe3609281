import { vi } from 'vitest';

/** Long enough for a machine that is busy with something else. */
const patienceMs = 25_000;

/** Waits until `check` does not throw or reject, and resolves with what it answers. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: patienceMs, interval: 10 });
}
