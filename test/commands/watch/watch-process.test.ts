import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { runBuilt, startBuilt } from '../../support/built-cli.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { listenTo, type RunningCli } from '../../support/running-cli.ts';
import { startTestSandbox } from '../../support/test-sandbox.ts';

const trackNo = '1Z999AA10123456784';
const otherTrackNo = 'LX123456789CN';

let sandbox: Sandbox;
let user: CliUser;
const cleanUp: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  user = await createCliUser({
    environment: { PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey },
  });
  cleanUp.push(() => user.remove());
});
afterEach(async () => {
  for (const work of cleanUp.splice(0).reverse()) await work();
});

async function watch(cliArguments: readonly string[]): Promise<RunningCli> {
  const running = listenTo(await startBuilt(user, ['watch', ...cliArguments]));
  cleanUp.push(() => running.end('SIGKILL'));
  return running;
}

/** Adds a number that is due at once, since nobody has told the service of it. */
const addPending = (number = trackNo) => user.run(['add', number], { environment: { PARCEL_MONITOR_API_KEY: '' } });

/** A watch that has printed its first changes, so that it sees all that come. */
async function watchAtWork(): Promise<RunningCli> {
  await addPending(otherTrackNo);
  const running = await watch([]);
  await running.until(({ stdout }) => stdout.includes('registered'));
  return running;
}

describe('watch in a process of its own', () => {
  it('prints a line for every change and ends with 130 when it is interrupted', async () => {
    const running = await watchAtWork();
    await user.run(['add', trackNo, '--label', 'Lamp']);
    await running.until(({ stdout }) => stdout.includes('Lamp'));
    expect(await running.end('SIGINT')).toBe(130);
    expect(running.stdout()).toMatch(
      new RegExp(`^\\d{1,2} \\w{3} \\d\\d:\\d\\d  Lamp \\(${trackNo}\\): watched from now on`, 'm'),
    );
    expect(running.stdout()).not.toContain('\u001b');
    expect(running.stderr()).toBe('');
  });

  it('follows another one that asks already, and says so once', async () => {
    const leader = await watchAtWork();
    const follower = await watch(['--json']);
    await follower.until(({ stderr }) => stderr.includes('Another parcel-monitor'));
    await addPending();
    await follower.until(({ stdout }) => stdout.includes(`"change":"added","trackNo":"${trackNo}"`));
    expect(await leader.end('SIGTERM')).toBe(143);
    await follower.end('SIGINT');
    expect(follower.stderr().match(/Another parcel-monitor/g)).toHaveLength(1);
  });

  it('is quiet when nobody reads it any more', async () => {
    await addPending();
    const child = await startBuilt(user, ['watch']);
    const running = listenTo(child);
    cleanUp.push(() => running.end('SIGKILL'));
    child.stdout?.destroy();
    expect(await running.ended).toBe(0);
    expect(running.stderr()).toBe('');
  });

  it('runs the command with each change on its standard input before it ends', async () => {
    await addPending();
    const file = join(user.home, 'seen');
    const script = join(user.home, 'on-change.mjs');
    await writeFile(
      script,
      `import { appendFileSync, readFileSync } from 'node:fs';
       appendFileSync(process.argv[2], readFileSync(0, 'utf8'));
       console.log('printed by', process.argv[3], 'with key', process.env.PARCEL_MONITOR_API_KEY);`,
    );
    const command = ['--exec', process.execPath, script, file, '--json'];
    // What the command prints goes where this process prints.
    const result = await runBuilt(user, ['watch', '--once', '--json', ...command]);
    expect(result.exitCode).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(result.stdout);
    expect(result.stdout.trim().split('\n').length).toBeGreaterThan(1);
    // What it prints is not a result of ours, and our key is not for it.
    expect(result.stderr).toContain('printed by --json with key undefined');
  });
});
