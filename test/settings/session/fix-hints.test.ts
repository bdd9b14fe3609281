import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { userForEachTest } from '../../support/cli-user.ts';

const user = userForEachTest();

it.each([
  ['{"zone": "Mars/Olympus"}', 'config unset zone'],
  ['{"baseUrl": "ftp://host"}', 'config unset baseUrl'],
  ['{"profile": "track12"}', 'config set profile track123'],
])('reports the file for %s and the command that fixes it', async (content, command) => {
  await user.configure(content);
  const { exitCode, stderr } = await user.run(['list']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`It is set in ${user.configFile}. To fix it, run "parcel-monitor ${command}".`);
  expect((await user.run(command.split(' '))).exitCode).toBe(0);
  expect((await user.run(['list'])).exitCode).toBe(0);
});

it('reports no file for an invalid option', async () => {
  const { stderr } = await user.run(['list', '--zone', 'Mars/Olympus']);
  expect(stderr).not.toContain('It is set in');
});

it('reports a damaged watchlist that was moved aside, until a new one exists', async () => {
  const data = join(user.home, '.local/share/parcel-monitor');
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'watchlist.json'), '{"version": 1, "parcels": [{"trackNo": "RB100000005CN"');
  await user.run(['list']);
  for (const command of ['list', 'restore']) {
    const { stderr } = await user.run([command]);
    expect(stderr).toMatch(/damaged and moved to \S+watchlist\.json\.damaged-\S+\. .*add --scan/);
  }
  const movedTo = /moved to (\S+?)\. "parcel/.exec((await user.run(['list'])).stderr)?.[1] ?? '';
  expect((await user.run(['add', '--scan', movedTo, '--dry-run'])).stdout).toContain('RB100000005CN');
});

it.each([
  ['delete', 'remove'],
  ['track', 'show'],
  ['version', '--version'],
  ['1Z999AA10123456784', 'add 1Z999AA10123456784'],
])('suggests a command for %s', async (word, suggestion) => {
  const { exitCode, stderr } = await user.run([word]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`Did you mean "parcel-monitor ${suggestion}"?`);
});
