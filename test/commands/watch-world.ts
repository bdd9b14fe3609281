import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

export const trackNo = '1Z999AA10123456784';
export const otherTrackNo = 'LX123456789CN';

/** What the `watch` tests need. */
export interface WatchWorld {
  /** Shared by all tests in a file. */
  readonly sandbox: Sandbox;
  /** A new one for each test. */
  readonly user: CliUser;
  /** Adds a number that is due immediately, because it is not registered yet. */
  addPending(number?: string): Promise<unknown>;
  /** Runs the function after the test. Functions run in reverse order. */
  atEnd(work: () => Promise<unknown>): void;
}

/** The environment of a command that uses a service with the sandbox's key. */
export const connectedTo = (baseUrl: string, { apiKey }: Sandbox) => ({
  PARCEL_MONITOR_BASE_URL: baseUrl,
  PARCEL_MONITOR_API_KEY: apiKey,
});

/** Prepares the sandbox and the users for the tests in a file. */
export function prepareWatch(): WatchWorld {
  const current: { sandbox?: Sandbox; user?: CliUser } = {};
  const cleanUp: (() => Promise<unknown>)[] = [];
  const atEnd = (work: () => Promise<unknown>): void => {
    cleanUp.push(work);
  };
  beforeAll(async () => {
    current.sandbox = await startTestSandbox();
  });
  afterAll(() => current.sandbox?.close());
  beforeEach(async () => {
    const user = await createCliUser();
    current.user = user;
    atEnd(() => user.remove());
  });
  afterEach(async () => {
    for (const work of cleanUp.splice(0).reverse()) await work();
  });
  const required = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('The sandbox and the user exist only while a test runs.');
    return part;
  };
  return {
    get sandbox() {
      return required(current.sandbox);
    },
    get user() {
      return required(current.user);
    },
    addPending: (number = trackNo) => required(current.user).run(['add', number]),
    atEnd,
  };
}
