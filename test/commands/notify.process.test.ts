import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { userForEachTest } from '../support/cli-user.ts';

const user = userForEachTest();

const configure = (notify: object): Promise<void> => user.configure({ notify });

/** Adds a program to the user's path that writes its arguments and input to a file. Returns the file. */
async function installProgram(name: string, exitCode = 0): Promise<string> {
  const folder = join(user.home, 'bin');
  await mkdir(folder, { recursive: true });
  const [path, output] = [join(folder, name), join(user.home, `${name}.out`)];
  await writeFile(path, `#!/bin/sh\nprintf '%s|' "$@" > '${output}'\ncat >> '${output}'\nexit ${exitCode}\n`);
  await chmod(path, 0o755);
  return output;
}

const onDesktop = () => ({
  environment: { DISPLAY: ':0', PATH: `${join(user.home, 'bin')}:${process.env['PATH'] ?? ''}` },
});

describe('notify', () => {
  it("runs a program with a relative path from the configuration's folder, not from the working directory", async () => {
    const folder = join(user.home, '.config', 'parcel-monitor');
    await installProgram('announce');
    await configure({ channels: ['command'], command: ['./announce'] });
    expect((await user.run(['notify', '--test'])).stdout).toContain(`${join(folder, 'announce')} was not found`);
    await rename(join(user.home, 'bin', 'announce'), join(folder, 'announce'));
    expect(await user.run(['notify', '--test'])).toMatchObject({ exitCode: 0 });
  });

  it('requires --test', async () => {
    expect(await user.run(['notify'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--test') });
  });

  it('sends a message through each configured channel and says how each was sent', async () => {
    const [desktopOutput, commandOutput] = [await installProgram('notify-send'), await installProgram('announce')];
    await configure({ channels: ['desktop', 'command'], command: [join(user.home, 'bin', 'announce'), 'a b'] });
    const { exitCode, stdout } = await user.run(['notify', '--test'], onDesktop());
    expect(stdout).toBe(
      `ok    desktop   sent with notify-send\nok    command   sent with ${join(user.home, 'bin', 'announce')}\n`,
    );
    expect(exitCode).toBe(0);
    expect(await readFile(desktopOutput, 'utf8')).toBe(
      '--app-name=parcel-monitor|--|parcel-monitor|This is a test notification.|',
    );
    const [argument, json = ''] = (await readFile(commandOutput, 'utf8')).split('|');
    expect(argument).toBe('a b');
    expect(Object.keys(JSON.parse(json))).toEqual([
      'version',
      'seq',
      'at',
      'noticedAt',
      'change',
      'trackNo',
      'courierCode',
      'label',
      'from',
      'to',
      'message',
      'text',
    ]);
  });

  it('exits with 1 and gives advice if a configured channel fails', async () => {
    await installProgram('notify-send', 1);
    await configure({ channels: ['bell', 'desktop', 'command'] });
    const { exitCode, stdout } = await user.run(['notify', '--test'], onDesktop());
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^fail {2}bell {6}Neither standard output/),
      expect.stringMatching(/^fail {2}desktop {3}notify-send exited with code 1\. Install it \(package libnotify/),
      expect.stringMatching(/^fail {2}command {3}No command is set/),
      '',
    ]);
    expect(exitCode).toBe(1);
  });

  it('tests all channels if none is configured, and does not require any to work', async () => {
    const { exitCode, stderr, stdout } = await user.run(['notify', '--test']);
    expect(stderr).toContain('notify.channels is empty');
    expect(stdout.split('\n').map((line) => line.slice(0, 14).trim())).toEqual([
      'fail  bell',
      'fail  terminal',
      'fail  desktop',
      '',
    ]);
    expect(exitCode).toBe(0);
  });

  it('tests during quiet hours too, and says so', async () => {
    await installProgram('announce');
    await configure({
      channels: ['command'],
      command: [join(user.home, 'bin', 'announce')],
      quietHours: '00:01-00:00',
    });
    const { exitCode, stderr } = await user.run(['notify', '--test', '--zone', 'utc']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/Notifications are held back until quiet hours end \(00:01-00:00\)/);
  });
});

it('watch --notify requires a channel', async () => {
  const run = user.run(['watch', '--once', '--notify'], {
    environment: { PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9', PARCEL_MONITOR_API_KEY: 'key' },
  });
  expect(await run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--notify requires a channel') });
});
