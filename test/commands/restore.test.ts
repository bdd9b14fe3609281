import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { userForEachTest } from '../support/cli-user.ts';

const user = userForEachTest();

const run = (...cliArguments: readonly string[]) => user.run(cliArguments);
const dataFolder = (): string => join(user.home, '.local', 'share', 'parcel-monitor');
const parse = (text: string): unknown => JSON.parse(text);
const listedNumbers = async (): Promise<readonly string[]> =>
  (await run('list')).stdout.split('\n').flatMap((line) => /[A-Z]{2}\d{5}/.exec(line) ?? []);

/** Backdates the watchlist's file to yesterday, and returns that date. */
async function ageByADay(): Promise<string> {
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000);
  await utimes(join(dataFolder(), 'watchlist.json'), yesterday, yesterday);
  return yesterday.toISOString().slice(0, 10);
}

describe('restore', () => {
  it('says that there is nothing to restore yet', async () => {
    const { exitCode, stdout, stderr } = await run('restore');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toMatch(/no backups or removed parcels yet/);
    expect(parse((await run('restore', '--json')).stdout)).toEqual({ version: 1, backups: [], removed: [] });
  });

  it('restores a removed parcel', async () => {
    await run('add', 'AB12345@dhl', 'CD12345');
    await run('remove', 'AB12345');
    expect(await listedNumbers()).toEqual(['CD12345']);
    expect((await run('restore')).stdout).toMatch(/^AB12345@dhl {2}removed \d{4}-\d{2}-\d{2}\n$/);
    expect(parse((await run('restore', '--json')).stdout)).toMatchObject({
      removed: [{ trackNo: 'AB12345', courierCode: 'dhl', label: null, keptUntil: expect.stringMatching(/Z$/) }],
    });
    const { exitCode, stdout } = await run('restore', '--parcel', 'ab12345');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'AB12345  restored\n' });
    expect((await listedNumbers()).toSorted()).toEqual(['AB12345', 'CD12345']);
    expect((await run('restore', '--parcel', 'AB12345')).exitCode).toBe(5);
  });

  it('restores a removed parcel by its label, in its last state', async () => {
    await run('add', 'AB12345@dhl "Red lamp"', 'CD12345@dhl "Hat"', 'EF12345@ups "Hat"');
    await run('remove', 'AB12345');
    await run('restore', '--parcel', 'red LAMP');
    await run('edit', 'AB12345', '--tag', 'later');
    await run('remove', 'AB12345', 'CD12345', 'EF12345');
    const { exitCode, stdout } = await run('restore', '--parcel', 'Red lamp');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'AB12345  restored\n' });
    expect((await run('list', '--json')).stdout).toContain('"tags":["later"]');
    const hats = await run('restore', '--parcel', 'Hat');
    expect(hats).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/Choose one: .*CD12345@dhl/) });
    const unknown = await run('restore', '--parcel', 'Blue lamp');
    expect(unknown).toMatchObject({ exitCode: 5, stdout: '' });
    expect(unknown.stderr).toContain('No removed parcel has the number, label or order number "Blue lamp"');
  });

  it('asks which parcel to restore if several couriers have the number', async () => {
    await run('add', 'AB12345@dhl', 'AB12345@ups');
    await run('remove', 'AB12345@dhl', 'AB12345@ups');
    const { exitCode, stderr } = await run('restore', '--parcel', 'AB12345');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/AB12345@(?:ups|dhl), AB12345@(?:ups|dhl)/);
    expect((await run('restore', '--parcel', 'AB12345@ups', '--json')).stdout).toMatch(/"courierCode": "ups"/);
  });

  it('restores a backup and saves the watchlist that it replaces', async () => {
    await run('add', 'AB12345');
    const day = await ageByADay();
    await run('add', 'CD12345');
    const name = `watchlist-${day}.json`;
    expect((await run('restore')).stdout).toBe(`${name}  1 parcel\n`);
    const { exitCode, stdout } = await run('restore', day);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${name} {2}restored, 1 parcel; .* saved as .*backups/watchlist-.*\\.json\\n$`));
    expect(await listedNumbers()).toEqual(['AB12345']);
    const [before] = (await readdir(join(dataFolder(), 'backups'))).filter((file) => file !== name);
    await run('restore', before ?? '');
    expect((await listedNumbers()).toSorted()).toEqual(['AB12345', 'CD12345']);
  });

  it('replaces a damaged watchlist, which stays at the path named in the message', async () => {
    await run('add', 'AB12345');
    const day = await ageByADay();
    await run('add', 'CD12345');
    const damaged = '{"version":1,"parc';
    await writeFile(join(dataFolder(), 'watchlist.json'), damaged);
    const { stderr } = await run('list');
    const [, movedTo = ''] = /was moved to (\S+)\. /.exec(stderr) ?? [];
    expect(await readFile(movedTo, 'utf8')).toBe(damaged);
    expect(stderr).toContain(`"parcel-monitor restore watchlist-${day}.json"`);
    await run('restore', day);
    expect(await listedNumbers()).toEqual(['AB12345']);
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ['a missing backup', ['2026-01-01'], 1, /no backup "2026-01-01"/],
    ['a parcel that was not removed', ['--parcel', 'AB12345'], 5, /not among the removed/],
    ['text that is not a number', ['--parcel', '!!'], 5, /"!!"/],
    ['a backup and a parcel together', ['2026-01-01', '--parcel', 'AB12345'], 2, /not both/],
  ])('refuses %s', async (_name, cliArguments, code, message) => {
    const { exitCode, stdout, stderr } = await run('restore', ...cliArguments);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
