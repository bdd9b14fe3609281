import { expect, it } from 'vitest';
import type { CliResult } from '../support/cli-user.ts';
import { sandboxUser } from './sandbox-user.ts';

const { connected, parcels, user } = sandboxUser();

function run(...cliArguments: readonly string[]): Promise<CliResult> {
  return user.run(cliArguments, { environment: connected() });
}

it('runs all operations of an account on a parcel', async () => {
  await run('add', 'LX123456789CN@china-post', '--label', 'Lamp');

  expect(await run('edit', 'LX123456789CN', '--courier', 'yanwen')).toEqual({
    exitCode: 0,
    stdout: 'LX123456789CN  changed, moved to Yanwen at the service\n',
    stderr: '',
  });
  expect(await parcels()).toMatchObject([{ courierCode: 'yanwen', label: 'Lamp', state: 'watching' }]);

  expect(await run('edit', 'LX123456789CN', '--postal-code', '10115')).toEqual({
    exitCode: 0,
    stdout: 'LX123456789CN  changed, saved at the service\n',
    stderr: '',
  });

  const anew = await run('refresh', '--force', 'LX123456789CN');
  expect(anew.exitCode).toBe(0);
  expect(anew.stdout).toMatch(/^LX123456789CN {2}asked the courier for an update \(20\d\d-\d\d-\d\d \d\d:\d\d\)\n/);
  const tooEarly = await run('refresh', '--force', 'LX123456789CN');
  expect(tooEarly.exitCode).toBe(5);
  expect(tooEarly.stdout).toMatch(/once every six hours, last asked at 20/);

  expect(await run('remove', '--remote', 'LX123456789CN')).toEqual({
    exitCode: 0,
    stdout: 'LX123456789CN  removed, also at the service\n',
    stderr: '',
  });
  expect(await parcels()).toEqual([]);
});

it('asks for the data that a courier needs, and finds the parcel with it', async () => {
  const without = await run('add', 'SF1234567890123@sfb2c');
  expect(without.stderr).toMatch(/--phone-suffix/);
  expect(await parcels()).toMatchObject([{ stage: 'no-record', statusText: 'Needs a phone number' }]);
  const given = await run('edit', 'SF1234567890123', '--phone-suffix', '1234');
  expect(given).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await run('list')).stdout).not.toContain('Needs a phone number');
});
