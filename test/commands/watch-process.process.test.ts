import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBuiltCli, startBuiltCli } from '../support/built-cli.ts';
import { listenTo, type RunningCli } from '../support/running-cli.ts';
import { connectedTo, otherTrackNo, prepareWatch, trackNo } from './watch-world.ts';

const world = prepareWatch();
const { addPending, atEnd } = world;
const connected = () => ({ environment: connectedTo(world.sandbox.baseUrl, world.sandbox) });

async function watch(cliArguments: readonly string[]): Promise<RunningCli> {
  const running = listenTo(await startBuiltCli(world.user, ['watch', ...cliArguments], connected()));
  atEnd(() => running.end('SIGKILL'));
  return running;
}

/** Starts a watch, and waits until it has printed its first changes. It then sees all later ones. */
async function startActiveWatch(): Promise<RunningCli> {
  await addPending(otherTrackNo);
  const running = await watch([]);
  await running.until(({ stdout }) => stdout.includes('registered'));
  return running;
}

describe('watch in its own process', () => {
  it('prints one line per change, and exits with 130 when interrupted', async () => {
    const running = await startActiveWatch();
    await world.user.run(['add', trackNo, '--label', 'Lamp'], connected());
    await running.until(({ stdout }) => stdout.includes('Lamp'));
    expect(await running.end('SIGINT')).toBe(130);
    expect(running.stdout()).toMatch(new RegExp(`^\\d{1,2} \\w{3} \\d\\d:\\d\\d  Lamp \\(${trackNo}\\): added`, 'm'));
    expect(running.stdout()).not.toContain('\u001b');
    expect(running.stderr()).toBe('');
  });

  it('follows another process that already checks, and says so once', async () => {
    const leader = await startActiveWatch();
    const follower = await watch(['--json']);
    await follower.until(({ stderr }) => stderr.includes('Another parcel-monitor'));
    await addPending();
    await follower.until(({ stdout }) => stdout.includes(`"change":"added","trackNo":"${trackNo}"`));
    expect(await leader.end('SIGTERM')).toBe(143);
    await follower.end('SIGINT');
    expect(follower.stderr().match(/Another parcel-monitor/g)).toHaveLength(1);
  });

  it('ends silently when the reader closes the pipe', async () => {
    await addPending();
    const child = await startBuiltCli(world.user, ['watch'], connected());
    const running = listenTo(child);
    atEnd(() => running.end('SIGKILL'));
    child.stdout?.destroy();
    expect(await running.ended).toBe(0);
    expect(running.stderr()).toBe('');
  });

  it('runs the command with each change on standard input before it ends', async () => {
    await addPending();
    const file = join(world.user.home, 'seen');
    const script = join(world.user.home, 'on-change.mjs');
    await writeFile(
      script,
      `import { appendFileSync, readFileSync } from 'node:fs';
       appendFileSync(process.argv[2], readFileSync(0, 'utf8'));
       console.log('printed by', process.argv[3], 'with key', process.env.PARCEL_MONITOR_API_KEY);`,
    );
    const command = ['--exec', process.execPath, script, file, '--json'];
    const result = await runBuiltCli(world.user, ['watch', '--once', '--json', ...command], connected());
    expect(result.exitCode).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(result.stdout);
    expect(result.stdout.trim().split('\n').length).toBeGreaterThan(1);
    // The command's output is not a result, so it goes to standard error. The command must not get our key.
    expect(result.stderr).toContain('printed by --json with key undefined');
  });
});
