import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeySource, fetchApiKey } from '../../src/settings/api-key.ts';
import { ApiKeyMissingError } from '../../src/settings/errors.ts';
import { splitCommand } from '../../src/settings/usable-values.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { createStartChild } from '../../src/system/child-processes.ts';
import { createRunProgram, programTimeoutMs } from '../../src/system/run-program.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

const environment = {
  PATH: process.env['PATH'],
  KEY_SOURCE: 'from-environment',
  PARCEL_MONITOR_API_KEY: 'not-for-children',
};

/** Runs programs on a clock that only the test advances. */
function createRun() {
  const clock = createFakeClock();
  const stop = new AbortController();
  const startChild = createStartChild({ parent: process, environment, clock });
  return { clock, stop, run: createRunProgram({ startChild, clock, signal: stop.signal }) };
}

const { run } = createRun();
const command = (script: string) => apiKeySource({}, { apiKeyCommand: [process.execPath, '-e', script] });

describe('the API key', () => {
  it('is what the command prints, without the line break', async () => {
    expect(await fetchApiKey(command('console.log("abc-123")'), run)).toBe('abc-123');
  });

  it("comes from a command with the user's environment", async () => {
    expect(await fetchApiKey(command('console.log(process.env.KEY_SOURCE)'), run)).toBe('from-environment');
  });

  it('comes from a command that does not receive any other key', async () => {
    const printed = fetchApiKey(command('console.log(String(process.env.PARCEL_MONITOR_API_KEY))'), run);
    expect(await printed).toBe('undefined');
  });

  it('is missing if the command fails, which is reported without its output', async () => {
    const failing = command('console.log("half-a-secret"); console.error("more-secret"); process.exit(7)');
    const error = await fetchApiKey(failing, run).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiKeyMissingError);
    expect(String(error)).toMatch(/exited with code 7/);
    expect(String(error)).not.toMatch(/secret/);
  });

  it('is missing when there is no such program', async () => {
    await expect(fetchApiKey(apiKeySource({}, { apiKeyCommand: 'no-such-program-here' }), run)).rejects.toThrow(
      /no-such-program-here was not found/,
    );
  });

  it('is missing when the command prints nothing', async () => {
    await expect(fetchApiKey(command(''), run)).rejects.toThrow(/empty/);
  });

  it('is rejected if a header cannot carry it', async () => {
    const source = apiKeySource({ PARCEL_MONITOR_API_KEY: 'two\nlines' }, {});
    await expect(fetchApiKey(source, run)).rejects.toThrow(ApiKeyMissingError);
    await expect(fetchApiKey(source, run)).rejects.not.toThrow(/lines$/);
  });

  it('can come from a command in a single string with quotes', () => {
    expect(splitCommand('pass show "my parcels" \'x y\'z')).toEqual(['pass', 'show', 'my parcels', 'x yz']);
  });
});

describe('a file with the key', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await createTestFolder();
  });

  const readFrom = (apiKeyFile: string) => fetchApiKey(apiKeySource({}, { apiKeyFile }, { folder }), run);

  it('is read relative to the configuration, or from an absolute path', async () => {
    await writeFile(join(folder, 'api-key'), '\ufeffabc-123\n');
    expect(await readFrom('api-key')).toBe('abc-123');
    expect(await readFrom(join(folder, 'api-key'))).toBe('abc-123');
  });

  it('is used if there is no key in the environment or the configuration, and takes precedence over a command', () => {
    const files = { apiKeyFile: 'api-key', apiKeyCommand: 'pass' };
    expect(apiKeySource({ PARCEL_MONITOR_API_KEY: 'x' }, files)).toMatchObject({ setBy: 'PARCEL_MONITOR_API_KEY' });
    expect(apiKeySource({}, { ...files, apiKey: 'x' })).toMatchObject({ setBy: 'config.json: apiKey' });
    expect(apiKeySource({}, files, { folder: '/home/me' })).toMatchObject({
      setBy: 'config.json: apiKeyFile (/home/me/api-key)',
    });
  });

  it.each([
    ['absent', async () => {}, /does not exist\. Run "parcel-monitor setup"/],
    ['a folder', () => mkdir(join(folder, 'api-key')), /is a folder, not a file/],
    ['far too long', () => writeFile(join(folder, 'api-key'), 'x'.repeat(100_000)), /too large to be an API key/],
    ['several lines long', () => writeFile(join(folder, 'api-key'), 'secret\nand more'), /line breaks/],
    ['empty', () => writeFile(join(folder, 'api-key'), '\n'), /is empty/],
  ])('is reported if it is %s', async (_what, make, why) => {
    await make();
    const error = await readFrom('api-key').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiKeyMissingError);
    expect(String(error)).toMatch(why);
    expect(String(error)).not.toMatch(/secret|xxx/);
  });

  it('is not read while others can write the configuration', async () => {
    const trustIssue = {
      found: 'Others can write it.',
      advice: 'Run: chmod go-w config.json',
      command: 'chmod go-w config.json',
    };
    const source = apiKeySource({}, { apiKeyFile: 'api-key' }, { folder, foreignWriter: trustIssue });
    await expect(fetchApiKey(source, run)).rejects.toThrow(/"apiKeyFile" is not read .*chmod go-w/);
  });
});

describe('a key command that does not end', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await createTestFolder();
  });

  /** A command that ignores signals, starts a child that does so too, and writes both process IDs to a file. */
  const stubbornCommand = () => {
    const file = join(folder, 'pids');
    const up = `require('node:fs').appendFileSync(${JSON.stringify(file)}, process.pid + ' ');`;
    const child = `process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000); ${up}`;
    const start = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' });`;
    const pids = async () => (await readFile(file, 'utf8').catch(() => '')).split(' ').filter(Boolean).map(Number);
    return { source: command(child + start), pids };
  };
  const rejection = (key: Promise<unknown>) => key.then(String, String);

  it('is killed along with its child processes', async () => {
    const { clock, run: runHere } = createRun();
    const { source, pids } = stubbornCommand();
    const rejected = rejection(fetchApiKey(source, runHere));
    await expect.poll(async () => (await pids()).length).toBe(2);
    await clock.advance(programTimeoutMs);
    await clock.advance(250);
    expect(await rejected).toMatch(/did not finish within 10 s. Run it by hand/);
    for (const pid of process.platform === 'linux' ? await pids() : []) {
      await expect.poll(() => createProcesses(process).isRunning(pid)).toBe(false);
    }
  });

  it('is stopped when the program ends', async () => {
    const { clock, stop, run: runHere } = createRun();
    const { source, pids } = stubbornCommand();
    const rejected = rejection(fetchApiKey(source, runHere));
    await expect.poll(async () => (await pids()).length).toBe(2);
    stop.abort();
    await clock.advance(250);
    expect(await rejected).toMatch(/was interrupted\.$/);
    await expect(fetchApiKey(source, runHere)).rejects.toThrow(/was not run/);
  });

  it('is stopped if it prints endlessly', async () => {
    const endless = command("const more = () => process.stdout.write('x'.repeat(65536), more); more();");
    expect(await rejection(fetchApiKey(endless, createRun().run))).toMatch(/printed more than 64 KiB/);
  });

  it('does not wait for background processes', async () => {
    const { clock, run: runHere } = createRun();
    const background = 'setInterval(() => {}, 1000); process.stdout.write(process.pid + "-"); console.error("up");';
    const source = command(
      `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(background)}], { stdio: ['ignore', 1, 'pipe'], detached: true });
       child.stderr.once('data', () => process.stdout.write('the-key', () => process.exit(0)));`,
    );
    const key = fetchApiKey(source, runHere);
    // The two timers are the timeout, and the wait for remaining output after the command has ended.
    await expect.poll(() => clock.timers()).toBe(2);
    await clock.advance(200);
    const text = String(await key);
    expect(text).toMatch(/the-key/);
    process.kill(Number(/\d+/.exec(text)?.[0]), 'SIGKILL');
  });
});
