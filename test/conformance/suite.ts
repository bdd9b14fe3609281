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

/** All checks. Those that write register first and delete last, so that the account contains records in between. */
export const checks: readonly Check[] = [
  ...callChecks,
  ...registerChecks,
  ...queryChecks,
  ...listingChecks,
  ...recordChecks,
  ...accountChecks,
];

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

async function runCheck(check: Check, bench: Bench, write: boolean): Promise<Finding> {
  if (check.writes === true && !write) return skipped('changes the account; --write allows it');
  try {
    return await check.run(bench);
  } catch (error) {
    return differs(`no response: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Runs all checks, one after the other. Observations contain neither the key nor control characters. */
export async function runSuite(options: SuiteOptions): Promise<readonly Result[]> {
  const { apiKey, clock, random, write } = options;
  const bench = createBench(createRawService(options), clock, random);
  const results: Result[] = [];
  for (const check of checks) {
    const { state, observed } = await runCheck(check, bench, write);
    const result = {
      check,
      state,
      observed: cleanText(apiKey === '' ? observed : observed.replaceAll(apiKey, '[key]')),
    };
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}

/** Whether all stated facts hold. Observed facts may differ. */
export function isConformant(results: readonly Result[]): boolean {
  return results.every(({ check, state }) => check.basis !== 'stated' || state !== 'differs');
}
