import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sandboxUser } from './sandbox-user.ts';

const { clock, connected, parcels, user } = sandboxUser();
/** Numbers that no other test uses. */
const numbers = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `1Z999AA1${String(from + index).padStart(10, '0')}`);

it('prints one result per line in the given order, and its progress', async () => {
  const all = numbers(1_000, 110);
  const { exitCode, stderr, stdout } = await user.run(['add', '-'], {
    input: all.join('\n'),
    environment: connected(),
  });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/[@ ]/)[0]),
  ).toEqual(all);
  expect(stdout.match(/ {2}registered\n/g)).toHaveLength(110);
  expect(stderr).toMatch(/This takes 110 registrations and 4 calls\.\n/);
  expect(stderr).toMatch(/: 100 of 110 registered\.\n.*: 110 of 110 checked\.\n/s);
  expect(stderr).toMatch(/: 110 added\.\n$/);
  expect(exitCode).toBe(0);
});

it('shows its progress on one terminal line, which results and messages replace', async () => {
  const all = numbers(2_000, 101);
  const { stderr, stdout } = await user.run(['add', ...all], { answer: 'y', environment: connected() });
  expect(stdout.match(/ {2}registered\n/g)).toHaveLength(101);
  expect(stderr).toContain('\r\u001B[K 100 of 101 registered  Ctrl+C stops\r\u001B[K');
  expect(stderr).toMatch(/\r\u001B\[Kparcel-monitor: 101 added\.\n$/);
});

it('saves all numbers before an interrupt, says how many are left, and registers the rest the next time', async () => {
  const all = numbers(3_000, 210);
  const input = all.join('\n');
  const stop = new AbortController();
  const running = user.start(['add', '-'], clock, { input, environment: connected(), signal: stop.signal });
  await running.until(({ stderr }) => stderr.includes('of 210 registered'));
  stop.abort();
  expect(await running.ended).toBe(130);
  const before = await parcels();
  const pending = before.filter(({ state }) => state === 'pending').length;
  expect(before).toHaveLength(210);
  expect(pending).toBeGreaterThan(0);
  expect(pending).toBeLessThan(210);
  expect(running.stderr()).toContain(
    `Interrupted: ${pending} of 210 numbers are saved but not registered yet. Run "parcel-monitor refresh" to register the rest.`,
  );
  expect(running.stderr()).not.toContain(' added');
  expect(running.stdout().trim().split('\n')).toHaveLength(210);

  const again = await user.run(['add', '-'], { input, environment: connected() });
  expect(again.stderr).toContain(`This takes ${pending} registrations`);
  expect(again.exitCode).toBe(0);
  expect((await parcels()).filter(({ state }) => state === 'pending')).toEqual([]);
});

it('saves the numbers that were not added, with the reasons, so that they can be corrected and imported', async () => {
  const file = join(user.home, 'left over.csv');
  const input =
    'number,label,tags,postal code\nx1,Lamp,"home,""old, red""",10115\nABCDEF1,Hat,,\n1Z999AA10123456784,,,\n';
  const first = await user.run(['import', '-', '--left', file], { input, environment: connected() });
  expect(first.exitCode).toBe(5);
  expect(first.stderr).toContain(`Saved to ${file}: 2 numbers that were not added, with the reasons.`);
  expect(first.stderr).toContain(`parcel-monitor import '${file}'\n`);
  const leftOver = await readFile(file, 'utf8');
  expect(leftOver).toMatch(
    /^trackNo,courierCode,label,tags,postalCode\n# line 2: "x1" is too short.*\nx1,,Lamp,"home,""old, red""",10115\n# ABCDEF1 was rejected: .*\nABCDEF1,,Hat,,\n$/,
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  await writeFile(file, leftOver.replace('\nx1', '\nRB848719115CN').replace('ABCDEF1,', '1Z999AA10123456710,'));
  const second = await user.run(['import', file, '--left', file], { environment: connected() });
  expect(second.stdout).toMatch(/RB848719115CN {2}registered\n1Z999AA10123456710 {2}registered\n/);
  expect(second.stderr).toContain(`All numbers were added, so ${file} was not written.`);
  expect((await parcels()).find(({ trackNo }) => trackNo === 'RB848719115CN')).toMatchObject({
    label: 'Lamp',
    tags: ['home', 'old, red'],
  });
});

it('saves all numbers to the --left file if the user declines', async () => {
  const file = join(user.home, 'left.csv');
  const all = numbers(4_000, 101);
  const declined = await user.run(['add', ...all, '--left', file], { answer: 'n', environment: connected() });
  expect(declined).toMatchObject({ exitCode: 1, stdout: '' });
  expect((await readFile(file, 'utf8')).match(/^1Z/gm)).toHaveLength(101);
  expect(await parcels()).toEqual([]);
});

it('refuses an unwritable --left file before registering anything', async () => {
  const file = join(user.home, 'missing', 'left.csv');
  const input = '1Z999AA10123456784\nx1\n';
  for (const command of [
    ['add', '-'],
    ['import', '-'],
    ['add', '--scan', '-', '--yes'],
  ]) {
    const { exitCode, stderr, stdout } = await user.run([...command, '--left', file], {
      input,
      environment: connected(),
    });
    expect({ stderr, stdout }).toEqual({
      stderr: expect.stringMatching(/There is no folder \S+missing\. Create it/),
      stdout: '',
    });
    expect(exitCode).not.toBe(0);
  }
  const folder = await user.run(['import', '-', '--left', user.home], { input, environment: connected() });
  expect(folder.stderr).toContain('is a folder');
  expect(await parcels()).toEqual([]);
});
