import { expect, onTestFinished } from 'vitest';
import { demoParcels, startSandbox } from '../../src/sandbox/sandbox.ts';
import { startInProcess } from '../support/cli-in-process.ts';
import type { TerminalRun } from '../support/pseudo-terminal.ts';
import { createSkippingClock } from '../support/skipping-clock.ts';
import type { Home } from './home.ts';
import { runInTerminal } from './terminal-driver.ts';

/** A user with a key and a valid watchlist. */
export interface Account {
  readonly home: Home;
  /** The address of the sandbox that the saved data came from. It has been closed. */
  readonly formerBaseUrl: string;
  /** The environment for programs that use the service at this address. */
  environmentFor(baseUrl: string): Readonly<Record<string, string>>;
  /** Opens the board with the service at this address. */
  openBoard(baseUrl: string, environment?: Readonly<Record<string, string>>, options?: readonly string[]): TerminalRun;
}

/** Labels of the demo parcels on the account's watchlist. */
const watchedLabels = ['Headphones', 'Kettle', 'Desk lamp'];

/** How long ago the account is created, so that it contains no times in the future even if its clock skips ahead. */
const createdAgoMs = 30_000;

/** Creates a watchlist in a home by running `add` and `refresh` against a sandbox. */
export async function openAccount(home: Home, cli: string): Promise<Account> {
  const registered = demoParcels.filter(({ label }) => watchedLabels.includes(label ?? ''));
  const clock = createSkippingClock(-createdAgoMs);
  const sandbox = await startSandbox({ port: 0, speed: 1, seed: 1, clock, registered });
  onTestFinished(() => sandbox.close());
  const environmentFor = (baseUrl: string): Readonly<Record<string, string>> => ({
    ...home.environment,
    PARCEL_MONITOR_BASE_URL: baseUrl,
    PARCEL_MONITOR_API_KEY: sandbox.apiKey,
  });
  const run = async (...args: readonly string[]): Promise<void> => {
    const command = startInProcess(args, { environment: environmentFor(sandbox.baseUrl), clock });
    expect({ code: await command.ended, stderr: command.stderr() }).toEqual({ code: 0, stderr: '' });
  };
  for (const { trackNo, courierCode, label } of registered) {
    await run('add', trackNo, '--courier', courierCode ?? '', '--label', label ?? '');
  }
  await run('refresh', ...registered.map(({ trackNo }) => trackNo));
  await sandbox.close();
  return {
    home,
    formerBaseUrl: sandbox.baseUrl,
    environmentFor,
    openBoard: (baseUrl, environment = {}, options = []) =>
      runInTerminal(process.execPath, [cli, ...options], {
        size: [160, 40],
        environment: { ...environmentFor(baseUrl), ...environment },
      }),
  };
}
