import { cleanText } from '../../src/lib/clean-text.ts';
import type { Clock, Random } from '../../src/lib/clock.ts';
import { accountChecks } from './account-checks.ts';
import { type Bench, createBench } from './bench.ts';
import { callChecks } from './call-checks.ts';
import { type Check, differs, type Finding, skipped } from './check.ts';
import { listingChecks } from './listing-checks.ts';
import { queryChecks } from './query-checks.ts';
import { createRawService } from './raw-service.ts';
import { recordChecks } from './record-checks.ts';
import { registerChecks } from './register-checks.ts';

/** All checks. Checks that write register first and delete last. In between, the account contains records to check. */
export const checks: readonly Check[] = [
  ...callChecks,
  ...registerChecks,
  ...queryChecks,
  ...listingChecks,
  ...recordChecks,
  ...accountChecks,
];

/** What to check, and how. */
export interface SuiteOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly header: string;
  /** Whether the account may be changed. */
  readonly write: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly onResult?: (result: Result) => void;
}

/** The result of a check. */
export interface Result extends Finding {
  readonly check: Check;
}

async function findingOf(check: Check, bench: Bench, write: boolean): Promise<Finding> {
  if (check.writes === true && !write) return skipped('changes the account; --write allows it');
  try {
    return await check.run(bench);
  } catch (error) {
    return differs(`no answer: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Runs all checks, one after another. Observations do not contain the key or control characters. */
export async function runSuite(options: SuiteOptions): Promise<readonly Result[]> {
  const { apiKey, clock, random, write } = options;
  const bench = createBench(createRawService(options), clock, random);
  const results: Result[] = [];
  for (const check of checks) {
    const { state, seen } = await findingOf(check, bench, write);
    const result = { check, state, seen: cleanText(apiKey === '' ? seen : seen.replaceAll(apiKey, '[key]')) };
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}

/** Whether all stated facts hold. Observed facts may differ. */
export function isConformant(results: readonly Result[]): boolean {
  return results.every(({ check, state }) => check.basis !== 'stated' || state !== 'differs');
}
