import * as v from 'valibot';
import { afterAll, beforeAll } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { userForEachTest } from '../support/cli-user.ts';
import { createSkippingClock } from '../support/skipping-clock.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { listContract } from './contract.ts';

/** One sandbox for all tests in a file, and a new command-line user for each test. They share a clock. */
export function sandboxUser() {
  const clock = createSkippingClock();
  const user = userForEachTest({ clock });
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox({ clock });
  });
  afterAll(() => sandbox.close());
  return {
    clock,
    user,
    connected: () => ({ PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey }),
    parcels: async (...options: readonly string[]) =>
      v.parse(listContract, JSON.parse((await user.run(['list', '--json', ...options])).stdout)).parcels,
  };
}
