import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStartChild } from '../../src/system/child-processes.ts';
import { systemClock } from '../../src/system/clock.ts';
import { consoleInputFile } from '../../src/system/standard-streams.ts';
import { eventually } from '../support/eventually.ts';
import { createTestFolder } from '../support/test-folder.ts';

/** A machine that claims to be Windows, with a `cmd.exe` and a `taskkill.exe` that record their arguments. */
async function createMachine() {
  const folder = await createTestFolder();
  const script = async (name: string, body: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${body}\n`);
    await chmod(path, 0o755);
    return path;
  };
  const recorded = join(folder, 'recorded');
  const record = `printf '%s\\n' "$@" > '${recorded}.new' && mv '${recorded}.new' '${recorded}'`;
  const comSpec = await script(
    'cmd.exe',
    `${record}\n[ -z "$PARCEL_MONITOR_API_KEY" ] || exit 9\n[ ! -e '${folder}/slow' ] || exec sleep 600`,
  );
  // A Windows path. Here, it is a single file name.
  await script('root\\System32\\taskkill.exe', `${record}\nkill -9 "$2"`);
  const hook = await script('hook.cmd', '');
  const startChild = createStartChild({
    parent: { platform: 'win32', kill: process.kill.bind(process) },
    environment: { ComSpec: comSpec, SystemRoot: join(folder, 'root'), Parcel_Monitor_Api_Key: 'secret' },
    clock: systemClock,
  });
  return { folder, hook, startChild, recorded: () => readFile(recorded, 'utf8').catch(() => '') };
}

describe.skipIf(process.platform === 'win32')('a child on Windows', () => {
  it('can be a batch file, which cmd.exe runs without the API key', async () => {
    const { hook, recorded, startChild } = await createMachine();
    const request = { input: '', onOutput: 'discarded', terminal: 'none' } as const;
    const child = startChild({ ...request, command: [hook, 'a&b', '%PATH%'] });
    expect(await child.ended).toEqual({ kind: 'exited', code: 0 });
    expect(await recorded()).toBe(`/e:ON\n/v:OFF\n/d\n/c\n""${hook}" "a&b" "%%cd:~,%PATH%%cd:~,%""\n`);
  });

  it('has cmd.exe as the first word of its command line, unquoted', async () => {
    const { folder, hook } = await createMachine();
    const script = join(folder, 'say.cjs');
    await writeFile(script, 'process.stdout.write(process.argv0); process.exit();');
    const startChild = createStartChild({
      parent: { platform: 'win32', kill: process.kill.bind(process) },
      environment: { ComSpec: process.execPath, NODE_OPTIONS: `--require ${script}` },
      clock: systemClock,
    });
    const output: Uint8Array[] = [];
    const onOutput = (bytes: Uint8Array): void => void output.push(bytes);
    await startChild({ command: [hook], input: '', onOutput, terminal: 'none' }).ended;
    expect(Buffer.concat(output).toString()).toBe(process.execPath);
  });

  it('is ended together with its children', async () => {
    const { folder, hook, recorded, startChild } = await createMachine();
    await writeFile(join(folder, 'slow'), '');
    const child = startChild({ command: [hook], input: '', onOutput: 'discarded', terminal: 'shared' });
    await eventually(async () => expect(await recorded()).toContain('/c'));
    await child.end(2_000);
    expect(await child.ended).toEqual({ kind: 'killed', signal: 'SIGKILL' });
    expect(await recorded()).toMatch(/^\/pid\n\d+\n\/t\n\/f\n$/);
  });

  it('is not started if the program does not exist', async () => {
    const { folder, startChild } = await createMachine();
    const child = startChild({ command: [join(folder, 'no.exe')], input: '', onOutput: null, terminal: 'none' });
    expect(await child.ended).toMatchObject({ kind: 'not-started', error: { code: 'ENOENT' } });
  });
});

it('reads the keyboard from the console', () => {
  expect(consoleInputFile('linux')).toEqual({ path: '/dev/tty', flags: 'r' });
  // Without write access, the console refuses to pass on single keys.
  expect(consoleInputFile('win32')).toEqual({ path: '\\\\.\\CONIN$', flags: 'r+' });
});
