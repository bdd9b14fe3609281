import { afterAll, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { ParcelRows } from '../../../src/store/postgres/parcel-rows.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { createTestDatabase } from '../../support/postgres/test-server.ts';
import { createSkippingClock } from '../../support/skipping-clock.ts';
import { startTestSandbox } from '../../support/test-sandbox.ts';

const clock = createSkippingClock();
let sandbox: Sandbox;
/** Has the watchlist in files, which are always read as a whole. */
let fileUser: CliUser;
/** Has the same watchlist in a database. */
let databaseUser: CliUser;
/** Has a watchlist in a database, and a service. */
let connectedUser: CliUser;
/** Counts how often all parcels were read. */
let allReads: MockInstance<ParcelRows['readAll']>;
beforeEach(() => {
  allReads = vi.spyOn(ParcelRows.prototype, 'readAll');
});

beforeAll(async () => {
  const tables = [createTestDatabase(), createTestDatabase()];
  const [alone, atService] = await Promise.all(tables);
  sandbox = await startTestSandbox({ clock });
  fileUser = await createCliUser({ clock });
  databaseUser = await createCliUser({ clock, environment: { PARCEL_MONITOR_STORE: alone?.address ?? '' } });
  connectedUser = await createCliUser({
    clock,
    environment: {
      PARCEL_MONITOR_BASE_URL: sandbox.baseUrl,
      PARCEL_MONITOR_API_KEY: sandbox.apiKey,
      PARCEL_MONITOR_STORE: atService?.address ?? '',
    },
  });
});
afterAll(async () => {
  await Promise.all([fileUser.remove(), databaseUser.remove(), connectedUser.remove(), sandbox.close()]);
});

/** Times that may differ, because hosts that share a database use its clock. */
const times = /(?:check overdue since|next check) .*|(?:[A-Z][a-z]{2} )?\d\d:\d\d/g;

/** Runs a command, and returns its output without the user's home and without times. */
async function outputOf(user: CliUser, line: readonly string[]): Promise<unknown> {
  const { exitCode, stderr, stdout } = await user.run(line);
  return { line, exitCode, stdout: stdout.replace(times, 'TIME'), stderr: stderr.replaceAll(user.home, '~') };
}

/**
 * Runs a command as both users and expects the same output. Returns how often all parcels were read in the database.
 */
async function runAsBoth(...line: readonly string[]): Promise<number> {
  allReads.mockClear();
  const shared = await outputOf(databaseUser, line);
  const count = allReads.mock.calls.length;
  expect(shared).toEqual(await outputOf(fileUser, line));
  return count;
}

describe('a command for individual parcels in a database', () => {
  it('reads only the needed parcels, with the same result as from files', async () => {
    for (const line of [
      ['add', 'RB100000005CN', 'LX123456789CN@yanwen', 'LX123456789CN@china-post', '123456789012'],
      ['add', 'RB100000013CN', '--label', 'Lamp'],
      ['add', 'rb100000013cn', '--tag', 'gift'],
      ['add', 'LX123456789CN@dhl', '--label', 'Kettle'],
      ['show', 'rb100000013cn'],
      ['show', 'LX123456789CN'],
      ['show', '1234-5678-9012'],
      ['show', 'LX123456789CN', '--courier', 'yanwen'],
      ['edit', 'LX123456789CN@yanwen', '--label', 'Desk', '--tag', 'gift'],
      ['edit', 'LX123456789CN', '--label', 'Stool'],
      ['edit', 'RB100000013CN', '--archive'],
      ['add', 'RB100000013CN'],
      ['edit', 'RB100000013CN', '--archive'],
      ['edit', 'RB100000013CN', '--restore'],
      ['remove', 'LX123456789CN@china-post', 'RB100000005CN', '1234-5678-9012'],
      ['add', 'RB100000005CN'],
    ])
      expect({ line, all: await runAsBoth(...line) }).toEqual({ line, all: 0 });
    expect(await runAsBoth('list', '--all')).toBe(1);
  });

  it('does not load all parcels if the argument may be a label or is unknown', async () => {
    for (const line of [
      ['add', '1Z999AA10123456784', '--label', 'Lamp'],
      ['show', 'Lamp'],
      ['show', 'desk'],
      ['show', 'RB999999999CN'],
      ['show', 'LX123456789CN', '--courier', 'fedex'],
      ['edit', 'Desk', '--label', 'Chair'],
      ['remove', 'RB100000005CN', 'RB999999999CN'],
      ['remove', 'LX123456789CN@dhl', 'kettle'],
    ])
      await runAsBoth(...line);
    await runAsBoth('list', '--all');
    expect(await runAsBoth('show', 'Chair')).toBe(1);
  });

  it('reads no parcels for the change log', async () => {
    const seqs = async (user: CliUser, ...line: readonly string[]): Promise<readonly number[]> => {
      const { stdout } = await user.run(['changes', '--json', ...line]);
      return stdout
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => JSON.parse(text).seq as number);
    };
    const all = await seqs(databaseUser);
    expect(all.length).toBeGreaterThan(5);
    for (const line of [[], ['--since', '3'], ['--since', '4000'], ['--since', '2000-01-01']])
      expect(await seqs(databaseUser, ...line)).toEqual(await seqs(fileUser, ...line));
    expect(await databaseUser.run(['changes', '--since', '4000'])).toEqual(
      await fileUser.run(['changes', '--since', '4000']),
    );
    expect(allReads).not.toHaveBeenCalled();
  });

  it('reads no other parcels when it queries the service', async () => {
    const done = async (...line: readonly string[]): Promise<string> => {
      const { exitCode, stderr, stdout } = await connectedUser.run(line);
      expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(allReads.mock.calls).toEqual([]);
      return stdout;
    };
    expect(await done('add', 'RB100000005CN', 'LX123456789CN@china-post')).toMatch(/registered\n.*registered\n/);
    expect(await done('add', 'LX123456789CN')).toContain('already on the list');
    expect(await done('refresh', 'RB100000005CN')).toContain('RB100000005CN');
    expect(await done('show', 'RB100000005CN', '--json')).toContain('"RB100000005CN"');
    expect(await done('edit', 'LX123456789CN', '--courier', 'yanwen')).toContain('moved to Yanwen');
    expect(await done('edit', 'LX123456789CN', '--postal-code', '10115')).toContain('saved at the service');
    expect(await done('remove', '--remote', 'LX123456789CN')).toContain('also at the service');
    const { stdout } = await connectedUser.run(['list', '--json', '--all']);
    expect(JSON.parse(stdout).parcels).toMatchObject([{ trackNo: 'RB100000005CN' }]);
  });
});
