import { readdir } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { fastClockEnvironment } from '../clock/clock-shift.ts';
import { runBuiltCli } from '../support/built-cli.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';

let users: CliUser[] = [];

afterEach(async () => {
  await Promise.all(users.map((user) => user.remove()));
  users = [];
});

async function createUser(): Promise<CliUser> {
  const user = await createCliUser();
  users.push(user);
  return user;
}

test('read-only commands create nothing in the home folder', async () => {
  const user = await createUser();
  await user.run(['add', 'RB123456785CN', '--label', 'Lamp']);
  const listFiles = async (): Promise<readonly string[]> => (await readdir(user.home, { recursive: true })).sort();
  const before = await listFiles();
  for (const line of [
    'list',
    'list --json',
    'status',
    'paths',
    'restore',
    'completion bash',
    'show RB123456785CN',
    'changes',
    'config',
    'store',
  ])
    expect((await runBuiltCli(user, line.split(' '))).exitCode).toBe(0);
  await runBuiltCli(user, ['doctor']);
  expect(await listFiles()).toEqual(before);
});

test("without a terminal, the demo prints changes for a while and then the list, and leaves the user's files alone", async () => {
  const user = await createUser();
  const environment = {
    // The demo runs for ten seconds.
    ...fastClockEnvironment(5),
    PARCEL_MONITOR_BASE_URL: 'nonsense',
    PARCEL_MONITOR_API_KEY: 'mine',
    PARCEL_MONITOR_ZONE: 'nonsense',
  };
  const { exitCode, stdout, stderr } = await runBuiltCli(user, ['--demo'], { environment });
  expect(exitCode).toBe(0);
  const [changes = '', list = ''] = stdout.split('\n\n');
  expect(changes.split('\n').length).toBeGreaterThan(5);
  expect(changes).toMatch(/^Desk lamp \(UH\w+\): Landed in the destination country/m);
  expect(list).toMatch(/^STAGE +NUMBER/);
  expect(list.trimEnd().split('\n').length).toBeGreaterThanOrEqual(13);
  expect(await readdir(user.home)).toEqual([]);
  expect(stdout + stderr).not.toContain('\u001b');
});
