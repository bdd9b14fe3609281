import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type CliResult, type CliUser, createCliUser } from '../support/cli-user.ts';
import { mountSmallDisk, type SmallDisk } from '../support/faulty-disk.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

let sandbox: Sandbox;
let user: CliUser;
let disk: SmallDisk | null;
beforeEach(async () => {
  sandbox = await startTestSandbox();
  user = await createCliUser();
  disk = await mountSmallDisk();
});
afterEach(async () => {
  await disk?.remove();
  await user.remove();
  await sandbox.close();
});

const run = (place: SmallDisk, ...cliArguments: readonly string[]): Promise<CliResult> =>
  user.run(cliArguments, {
    environment: {
      PARCEL_MONITOR_BASE_URL: sandbox.baseUrl,
      PARCEL_MONITOR_API_KEY: sandbox.apiKey,
      XDG_DATA_HOME: join(place.path, 'data'),
      XDG_STATE_HOME: join(place.path, 'state'),
    },
  });

/** Two ways in which a disk refuses writes, and their messages. */
const faults: readonly (readonly [string, (disk: SmallDisk) => Promise<void>, RegExp])[] = [
  ['is read-only', (place) => place.protect(true), /watchlist\.json is on a read-only file system\. Make it writable/],
  ['is full', (place) => place.fill(), /No space left to write \S+watchlist\.json\. Free some space/],
];

describe.each(faults)('on a disk that %s', (_name, breakDisk, message) => {
  it.for([['watch', '--once'], ['refresh'], ['refresh', '1Z999AA10123456784']])(
    '%j queries, says that nothing could be saved, and exits with 1',
    async (command, { skip }) => {
      if (disk === null) return skip('no disk can be mounted here');
      const place = disk;
      await user.run(['add', '1Z999AA10123456784'], { environment: { XDG_DATA_HOME: join(place.path, 'data') } });
      await breakDisk(place);
      const { exitCode, stderr } = await run(place, ...command);
      expect(stderr).toMatch(message);
      expect(exitCode).toBe(1);
    },
  );

  it('commands that write exit with 1, and the list can still be read', async ({ skip }) => {
    if (disk === null) return skip('no disk can be mounted here');
    await user.run(['add', '1Z999AA10123456784'], { environment: { XDG_DATA_HOME: join(disk.path, 'data') } });
    await breakDisk(disk);
    for (const command of [
      ['add', 'RB100000005CN'],
      ['edit', '1Z999AA10123456784', '--label', 'Lamp'],
      ['remove', '1Z999AA10123456784'],
    ]) {
      const { exitCode, stderr } = await run(disk, ...command);
      expect({ command, exitCode }).toEqual({ command, exitCode: 1 });
      expect(stderr).toMatch(message);
      // That advice is for the board only.
      expect(stderr).not.toContain('do not quit');
    }
    const { exitCode, stdout } = await run(disk, 'list');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('1Z999AA10123456784');
    expect((await run(disk, 'doctor', '--offline')).stdout).toMatch(/fail {2}folder .*data.* cannot be written/);
  });
});
