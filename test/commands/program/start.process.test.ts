import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBuiltCli } from '../../support/built-cli.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';

let user: CliUser;
beforeAll(async () => {
  user = await createCliUser();
});
afterAll(() => user.remove());

const xdg = (folder: string) => ({
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_DATA_HOME: join(folder, 'data'),
  XDG_STATE_HOME: join(folder, 'state'),
  XDG_CACHE_HOME: join(folder, 'cache'),
});

/** Too long for the system, so the lookup fails as if HOME were unset and the user had no passwd entry. */
const unknownHome = { HOME: `/${'x'.repeat(100_000)}` };

describe('without a home folder', () => {
  it.each(['list', 'add AB12345', 'status', 'paths', 'doctor', ''])(
    '"%s" says that the home folder is unknown, and exits with 1',
    async (commandLine) => {
      const cliArguments = commandLine.split(' ').filter(Boolean);
      const { exitCode, stdout, stderr } = await runBuiltCli(user, cliArguments, { environment: unknownHome });
      expect(stderr).toMatch(
        /^parcel-monitor: Your home folder is not known: [^\n]*Set HOME [^\n]*XDG_DATA_HOME[^\n]*\n$/,
      );
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    },
  );

  it('incorrect usage is reported, and commands that need no files work', async () => {
    expect((await runBuiltCli(user, ['nonsense'], { environment: unknownHome })).exitCode).toBe(2);
    expect((await runBuiltCli(user, ['--version'], { environment: unknownHome })).exitCode).toBe(0);
    expect((await runBuiltCli(user, ['completion', 'bash'], { environment: unknownHome })).exitCode).toBe(0);
  });

  it('everything works if other variables name the folders', async () => {
    const environment = { ...unknownHome, ...xdg(join(user.home, 'elsewhere')) };
    expect((await runBuiltCli(user, ['add', 'AB12345'], { environment })).exitCode).toBe(0);
    expect((await runBuiltCli(user, ['list'], { environment })).stdout).toContain('AB12345');
  });
});

describe('a relative home folder', () => {
  it.each([
    ['', /HOME is empty/],
    ['.', /HOME is "\.", which is not an absolute path/],
    ['home/ada', /HOME is "home\/ada"/],
  ])('is refused: HOME=%j', async (home, reason) => {
    const { exitCode, stdout, stderr } = await runBuiltCli(user, ['list'], { environment: { HOME: home } });
    expect(stderr).toMatch(reason);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('is ignored if other variables name the folders', async () => {
    const environment = { HOME: '', ...xdg(join(user.home, 'elsewhere')) };
    expect((await runBuiltCli(user, ['list'], { environment })).exitCode).toBe(0);
  });
});

it('ignores a relative XDG folder with a warning', async () => {
  const { exitCode, stderr } = await runBuiltCli(user, ['list'], { environment: { XDG_DATA_HOME: 'data' } });
  expect(stderr).toMatch(/^parcel-monitor: XDG_DATA_HOME is ignored, because it is not an absolute path[^\n]*\n/);
  expect(exitCode).toBe(0);
  const { stdout } = await runBuiltCli(user, ['doctor', '--offline'], { environment: { XDG_DATA_HOME: 'data' } });
  expect(stdout).toMatch(/^warn {2}configuration {2}XDG_DATA_HOME is ignored/m);
});

describe('a program that cannot run', () => {
  /** Runs a command after a script that breaks Node. */
  const runWithBrokenNode = async (name: string, script: string, options: readonly string[] = []) => {
    const path = join(user.home, name);
    await writeFile(path, script);
    return await runBuiltCli(user, ['list', ...options], { environment: { NODE_OPTIONS: `--import=${path}` } });
  };

  it('says so and exits with 1 if it cannot be started', async () => {
    const { exitCode, stderr } = await runWithBrokenNode(
      'no-listeners.mjs',
      "process.removeAllListeners = () => { throw new Error('no such listeners'); };",
    );
    expect(stderr).toBe('parcel-monitor: The program could not be started. Error: no such listeners\n');
    expect(exitCode).toBe(1);
  });

  it('says so and exits with 1 if it would wait forever', async () => {
    const config = join(user.home, 'config.json');
    await writeFile(config, '{}');
    const { exitCode, stderr } = await runWithBrokenNode(
      'endless-reads.mjs',
      "import files from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module'; files.readFile = files.open = () => new Promise(() => undefined); syncBuiltinESMExports();",
      ['--config', config],
    );
    expect(stderr).toMatch(/^parcel-monitor: The program stopped before it was finished\. This is a bug/);
    expect(exitCode).toBe(1);
  });
});
