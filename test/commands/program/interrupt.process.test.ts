import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { testClockEnvironment } from '../../clock/clock-shift.ts';
import { builtCli } from '../../support/built-cli.ts';
import { holdLock } from '../../support/held-lock.ts';
import { listenTo } from '../../support/running-cli.ts';
import { startScriptedServer } from '../../support/scripted-server.ts';
import { createTestFolder } from '../../support/test-folder.ts';

/** Long enough for a command to start waiting on a loaded machine. */
const waitOptions = { timeout: 15_000, interval: 20 };

interface User {
  readonly home: string;
  readonly watchlist: string;
  /** Starts the program with a standard input that stays open. */
  start(cliArguments: readonly string[], environment?: Readonly<Record<string, string>>): ChildProcess;
}

async function createUser(parcels: readonly object[] = []): Promise<User> {
  const home = await createTestFolder();
  const watchlist = join(home, '.local', 'share', 'parcel-monitor', 'watchlist.json');
  await mkdir(dirname(watchlist), { recursive: true });
  await writeFile(watchlist, JSON.stringify({ version: 1, parcels }));
  return {
    home,
    watchlist,
    start(cliArguments, environment = {}) {
      const child = spawn(process.execPath, [builtCli, ...cliArguments], {
        env: { ...testClockEnvironment(), PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', ...environment },
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      child.stdin.on('error', () => {
        // The program may end without reading all of its input.
      });
      return child;
    },
  };
}

/** Waits for a process to end, and returns its exit code as a shell would. */
async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode === 'SIGINT' ? 130 : child.exitCode;
}

const kettle = { id: 'a', trackNo: 'RB100000005CN', label: 'Kettle' };

describe('while another process has locked the watchlist', () => {
  const commands: readonly (readonly [name: string, args: readonly string[], input: string, lost: string])[] = [
    ['add', ['add', 'RB100000014CN'], '', 'added RB100000014CN'],
    ['edit', ['edit', 'RB100000005CN', '--label', 'Pot'], '', 'changed RB100000005CN'],
    ['remove', ['remove', 'RB100000005CN'], '', 'removed RB100000005CN'],
    ['import', ['import', '-'], 'RB100000014CN\n', 'added RB100000014CN'],
  ];

  test.each(commands)('Ctrl+C ends %s, which names what was not saved', async (_name, args, input, lost) => {
    const user = await createUser([kettle]);
    onTestFinished(await holdLock(user.watchlist));
    const owner = join(`${user.watchlist}.lock`, 'owner.json');
    await utimes(owner, 0, new Date());
    const { atimeMs: neverRead } = await stat(owner);
    const child = user.start(args);
    child.stdin?.end(input);
    const running = listenTo(child);
    // A process that waits for a lock reads its owner.
    await vi.waitFor(async () => expect((await stat(owner)).atimeMs).toBeGreaterThan(neverRead), waitOptions);
    child.kill('SIGINT');
    expect(await exitCodeOf(child)).toBe(130);
    await running.ended;
    expect(running.stderr()).toContain(`Not saved: ${lost}.`);
    expect(await readFile(user.watchlist, 'utf8')).toBe(JSON.stringify({ version: 1, parcels: [kettle] }));
  });
});

test.each([
  ['refresh', ['refresh']],
  ['watch', ['watch']],
  ['watch --once', ['watch', '--once']],
  ['couriers', ['couriers', '--refresh']],
  ['add', ['add', 'RB100000014CN']],
  ['remove --remote', ['remove', 'RB100000005CN', '--remote']],
])('Ctrl+C ends %s while the service does not respond', async (_name, args) => {
  const server = await startScriptedServer(() => {
    // The connection stays open and silent.
  });
  onTestFinished(() => server.close());
  const user = await createUser([{ ...kettle, registration: 'registered' }]);
  const child = user.start(args, {
    PARCEL_MONITOR_BASE_URL: server.baseUrl.href,
    PARCEL_MONITOR_API_KEY: 'key',
  });
  await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(0), waitOptions);
  child.kill('SIGINT');
  expect(await exitCodeOf(child)).toBe(130);
});

test.each([
  ['add -', ['add', '-']],
  ['import -', ['import', '-']],
])('Ctrl+C ends %s while it waits for its input', async (_name, args) => {
  const user = await createUser();
  const child = user.start(args);
  // This is more than a pipe can buffer, so the write ends only when the program has read some of it.
  await new Promise((resolve) => child.stdin?.write('\n'.repeat(1_000_000), resolve));
  child.kill('SIGINT');
  expect(await exitCodeOf(child)).toBe(130);
});

test.each([
  ['list', ['list']],
  ['list --json', ['list', '--json']],
  ['export', ['export', '--format', 'csv']],
])('Ctrl+C ends %s while its output is not being read', async (_name, args) => {
  const parcels = Array.from({ length: 5000 }, (_, index) => ({
    id: `id-${index}`,
    trackNo: `RB${String(index).padStart(9, '0')}CN`,
    label: 'A label that takes some room in a pipe',
  }));
  const user = await createUser(parcels);
  const child = user.start(args);
  await once(child.stdout as NodeJS.ReadableStream, 'readable');
  child.kill('SIGINT');
  expect(await exitCodeOf(child)).toBe(130);
});

test('Ctrl+C ends a sandbox with an open connection', async () => {
  const user = await createUser();
  const child = user.start(['sandbox']);
  const running = listenTo(child);
  const port = /127\.0\.0\.1:(\d+)/;
  await running.until(({ stdout, stderr }) => port.test(stdout + stderr));
  const socket = connect(Number(port.exec(running.stdout() + running.stderr())?.[1]), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\n');
  await once(socket, 'connect');
  child.kill('SIGINT');
  expect(await exitCodeOf(child)).toBe(130);
});

test('Ctrl+C ends a command that waits for the program that prints the API key', async () => {
  const user = await createUser([kettle]);
  const marker = join(user.home, 'started');
  const config = join(user.home, '.config', 'parcel-monitor', 'config.json');
  await mkdir(dirname(config), { recursive: true, mode: 0o700 });
  const apiKeyCommand = ['sh', '-c', `trap '' TERM INT; echo $$ > ${marker}; while :; do sleep 1; done`];
  await writeFile(config, JSON.stringify({ baseUrl: 'http://127.0.0.1:9/', apiKeyCommand }), {
    mode: 0o600,
  });
  const child = user.start(['refresh']);
  const program = await vi.waitFor(async () => {
    const pid = Number(await readFile(marker, 'utf8'));
    expect(pid).toBeGreaterThan(0);
    return pid;
  }, waitOptions);
  onTestFinished(() => {
    try {
      process.kill(program, 'SIGKILL');
    } catch {
      // It ended with the command that started it.
    }
  });
  child.kill('SIGINT');
  expect(await exitCodeOf(child)).toBe(130);
});
