import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

export const trackNo = '1Z999AA10123456784';
export const otherTrackNo = 'LX123456789CN';

/** The environment of the tests of `watch`. */
export interface WatchWorld {
  /** The same for all tests of a file. */
  readonly sandbox: Sandbox;
  /** A new one for each test. */
  readonly user: CliUser;
  /** Adds a number that is due now, because it is not registered yet. */
  addPending(number?: string): Promise<unknown>;
  /** Runs the function after the test, the last one first. */
  atEnd(work: () => Promise<unknown>): void;
}

/** The environment of a command that reaches a service with the sandbox's key. */
export const connectedTo = (baseUrl: string, { apiKey }: Sandbox) => ({
  PARCEL_MONITOR_BASE_URL: baseUrl,
  PARCEL_MONITOR_API_KEY: apiKey,
});

/** Prepares sandbox and user for the tests of a file. */
export function prepareWatch(): WatchWorld {
  const made: { sandbox?: Sandbox; user?: CliUser } = {};
  const cleanUp: (() => Promise<unknown>)[] = [];
  const atEnd = (work: () => Promise<unknown>): void => {
    cleanUp.push(work);
  };
  beforeAll(async () => {
    made.sandbox = await startTestSandbox();
  });
  afterAll(() => made.sandbox?.close());
  beforeEach(async () => {
    const user = await createCliUser();
    made.user = user;
    atEnd(() => user.remove());
  });
  afterEach(async () => {
    for (const work of cleanUp.splice(0).reverse()) await work();
  });
  const ready = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('Sandbox and user are there while a test runs.');
    return part;
  };
  return {
    get sandbox() {
      return ready(made.sandbox);
    },
    get user() {
      return ready(made.user);
    },
    addPending: (number = trackNo) => ready(made.user).run(['add', number]),
    atEnd,
  };
}
