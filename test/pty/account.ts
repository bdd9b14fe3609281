import { expect, onTestFinished } from 'vitest';
import { demoParcels } from '../../src/sandbox/demo-parcels.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { beginInProcess } from '../support/cli-in-process.ts';
import { createHurryingClock } from '../support/hurrying-clock.ts';
import type { TerminalRun } from '../support/pseudo-terminal.ts';
import type { Home } from './home.ts';
import { runInTerminal } from './terminal-driver.ts';

/** A user with a key and a valid watchlist. */
export interface Account {
  readonly home: Home;
  /** The former address of the service that the saved data came from. */
  readonly formerBaseUrl: string;
  /** The environment of its programs when the service is at this address. */
  environmentFor(baseUrl: string): Readonly<Record<string, string>>;
  /** Opens the board with a service at this address. */
  openBoard(baseUrl: string, environment?: Readonly<Record<string, string>>, options?: readonly string[]): TerminalRun;
}

/** Numbers of the demo that an account watches, at normal speed. */
const watched = ['Headphones', 'Kettle', 'Desk lamp'];

/** The account contains nothing from the future of its users, even if creating it skips time. */
const madeAgoMs = 30_000;

/** Creates a watchlist in a home with `add` and `refresh` against a sandbox. */
export async function openAccount(home: Home, cli: string): Promise<Account> {
  const registered = demoParcels.filter(({ label }) => watched.includes(label ?? ''));
  const clock = createHurryingClock(-madeAgoMs);
  const sandbox = await startSandbox({ port: 0, speed: 1, seed: 1, clock, registered });
  onTestFinished(() => sandbox.close());
  const service = (baseUrl: string): Readonly<Record<string, string>> => ({
    ...home.environment,
    PARCEL_MONITOR_BASE_URL: baseUrl,
    PARCEL_MONITOR_API_KEY: sandbox.apiKey,
  });
  const run = async (...args: readonly string[]): Promise<void> => {
    const command = beginInProcess(args, { environment: service(sandbox.baseUrl), clock });
    expect({ code: await command.ended, complaint: command.stderr() }).toEqual({ code: 0, complaint: '' });
  };
  for (const { trackNo, courierCode, label } of registered) {
    await run('add', trackNo, '--courier', courierCode ?? '', '--label', label ?? '');
  }
  await run('refresh', ...registered.map(({ trackNo }) => trackNo));
  await sandbox.close();
  return {
    home,
    formerBaseUrl: sandbox.baseUrl,
    environmentFor: service,
    openBoard: (baseUrl, environment = {}, options = []) =>
      runInTerminal(process.execPath, [cli, ...options], {
        size: [160, 40],
        environment: { ...service(baseUrl), ...environment },
      }),
  };
}
