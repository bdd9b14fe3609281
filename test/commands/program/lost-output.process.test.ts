import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBuiltCli, startBuiltCli } from '../../support/built-cli.ts';
import { type CliResult, type CliUser, createCliUser } from '../../support/cli-user.ts';

let user: CliUser;
beforeAll(async () => {
  user = await createCliUser();
  const numbers = Array.from({ length: 300 }, (_, index) => `AB${10_000 + index}`).join('\n');
  await user.run(['add', '-', '--yes'], { input: numbers });
});
afterAll(() => user.remove());

/** Runs a command whose standard output is this file. */
async function runInto(path: string, cliArguments: readonly string[], flags = 'a'): Promise<CliResult> {
  const stdout = openSync(path, flags);
  try {
    return await runBuiltCli(user, cliArguments, { stdout });
  } finally {
    closeSync(stdout);
  }
}

const noSpace = 'The output is not complete: there is no space left to write standard output.';

describe.skipIf(!existsSync('/dev/full'))('with output to a full device', () => {
  it.each([
    'list --json',
    'export',
    'status',
    'doctor --offline',
    'completion bash',
    'edit AB10000 --label Lamp',
    'sandbox',
    '--demo',
    '--help',
  ])('%s reports the lost output and exits with 1', async (commandLine) => {
    const cliArguments = commandLine.split(' ');
    const { exitCode, stderr } = await runInto('/dev/full', cliArguments, 'w');
    expect(stderr).toContain(`parcel-monitor: ${noSpace}`);
    expect(stderr).not.toMatch(/bug|\n {4}at /);
    expect(exitCode).toBe(1);
  });

  it('a command without output succeeds', async () => {
    const { exitCode } = await runInto('/dev/full', ['list', '--filter', 'no such thing'], 'w');
    expect(exitCode).toBe(0);
  });

  it('a command exits with 1 even if it cannot print a message', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      expect((await runBuiltCli(user, ['list'], { stdout: full, stderr: full })).exitCode).toBe(1);
      // Only a message is lost here, but the program cannot tell.
      expect((await runBuiltCli(user, ['list', '--filter', 'no such thing'], { stderr: full })).exitCode).toBe(1);
      expect((await runBuiltCli(user, ['show', 'ZZ99999'], { stderr: full })).exitCode).toBe(5);
      expect((await runBuiltCli(user, ['list'], { stderr: full })).exitCode).toBe(0);
    } finally {
      closeSync(full);
    }
  });
});

it('a command prints a message if standard output is not open for writing', async () => {
  const { exitCode, stderr } = await runInto(join(user.home, '.local'), ['list'], 'r');
  expect(stderr).toBe(
    'parcel-monitor: Nothing was written: standard output is not open for writing (EBADF). Redirect it with > or >>.\n',
  );
  expect(exitCode).toBe(1);
});

/** A small file system, mounted for these tests, or null if that is not permitted. */
const disk: string | null = await (async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    await rm(folder, { recursive: true });
    return null;
  }
})();
afterAll(async () => {
  if (disk === null) return;
  execFileSync('umount', [disk]);
  await rm(disk, { recursive: true });
});

describe.skipIf(disk === null)('an export to a disk that fills up (skipped if no file system can be mounted)', () => {
  it('reports that it was cut off', async () => {
    const path = join(disk ?? '', 'export.json');
    const { exitCode, stderr } = await runInto(path, ['export'], 'w');
    expect((await stat(path)).size).toBe(65_536);
    expect(stderr).toMatch(new RegExp(`^parcel-monitor: ${noSpace} [^\\n]+\\n$`));
    expect(exitCode).toBe(1);
    await rm(path);
  });

  it('keeps the previous file if it does not fit', async () => {
    const path = join(disk ?? '', 'export.json');
    await writeFile(path, 'previous export');
    const { exitCode, stderr } = await user.run(['export', '--output', path]);
    expect(stderr).toBe(
      `parcel-monitor: The disk is too full to write ${path}. Free some space, or choose a different file. Nothing was written.\n`,
    );
    expect(exitCode).toBe(1);
    expect(await readFile(path, 'utf8')).toBe('previous export');
    expect(await readdir(disk ?? '')).toEqual(['export.json']);
    await rm(path);
  });

  it('prints no message if everything fits', async () => {
    const path = join(disk ?? '', 'list.txt');
    const { exitCode, stderr } = await runInto(path, ['list', '--filter', 'AB10007'], 'w');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await readFile(path, 'utf8')).toContain('AB10007');
    await rm(path);
  });
});

it('a slow reader receives the whole output', async () => {
  const child = await startBuiltCli(user, ['export']);
  const chunks: Buffer[] = [];
  const ended = new Promise((resolve) => child.on('close', resolve));
  // The export is larger than the buffer of a pipe, so the rest waits in the program.
  await new Promise((resolve) => child.stdout?.once('readable', resolve));
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  expect(await ended).toBe(0);
  expect(JSON.parse(Buffer.concat(chunks).toString('utf8'))).toMatchObject({ version: 1 });
});

it('a command ends silently when the reader closes the pipe', async () => {
  const child = await startBuiltCli(user, ['list', '--json']);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.stdout?.once('data', () => child.stdout?.destroy());
  expect(await ended).toBe(0);
  expect(errors).toBe('');
});
