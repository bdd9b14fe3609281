import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { createHurryingClock } from '../support/hurrying-clock.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { listContract } from './contract.ts';

/** A sandbox for all tests of a file, and a new user of the command line for each. */
export function sandboxUser() {
  const clock = createHurryingClock();
  let sandbox: Sandbox;
  let current: CliUser;
  beforeAll(async () => {
    sandbox = await startTestSandbox({ clock });
  });
  afterAll(() => sandbox.close());
  beforeEach(async () => {
    current = await createCliUser({ clock });
  });
  afterEach(() => current.remove());
  const user: Pick<CliUser, 'begin' | 'home' | 'run'> = {
    get home() {
      return current.home;
    },
    run: (...given) => current.run(...given),
    begin: (...given) => current.begin(...given),
  };
  return {
    clock,
    user,
    connected: () => ({ PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey }),
    parcels: async (...options: readonly string[]) =>
      v.parse(listContract, JSON.parse((await user.run(['list', '--json', ...options])).stdout)).parcels,
  };
}
