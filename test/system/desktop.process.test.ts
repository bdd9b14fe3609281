import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStartChild } from '../../src/system/child-processes.ts';
import { createCopyToDesktop, createOpenPage } from '../../src/system/desktop.ts';
import type { ChildEnd, ChildRequest } from '../../src/system/run-program.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { realClock } from '../support/real-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

const missing: ChildEnd = { kind: 'not-started', error: Object.assign(new Error('spawn'), { code: 'ENOENT' }) };
const done: ChildEnd = { kind: 'exited', code: 0 };

/** Copies text with fake programs, which end as given. Returns the started programs and whether it was copied. */
async function copyWith(
  platform: string,
  environment: Readonly<Record<string, string>>,
  ends: Readonly<Record<string, ChildEnd>> = {},
  text = 'RB1CN',
): Promise<{ readonly started: readonly ChildRequest[]; readonly isCopied: boolean }> {
  const started: ChildRequest[] = [];
  const copyToDesktop = createCopyToDesktop({
    platform,
    environment,
    clock: createFakeClock(),
    startChild: (request) => {
      started.push(request);
      return { ended: Promise.resolve(ends[request.command[0]] ?? done), end: async () => undefined };
    },
  });
  return { isCopied: await copyToDesktop(text), started };
}

const commandsOf = (started: readonly ChildRequest[]): readonly string[] =>
  started.map(({ command }) => command.join(' '));

describe("the desktop's clipboard", () => {
  it.each([
    ['linux', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, 'wl-copy'],
    ['linux', { DISPLAY: ':0' }, 'xclip -selection clipboard'],
    ['darwin', {}, 'pbcopy'],
    ['win32', {}, 'clip.exe'],
    ['linux', { WSL_DISTRO_NAME: 'Debian', DISPLAY: ':0' }, 'clip.exe'],
  ])('passes text to the system’s program on standard input: %s %j', async (platform, environment, command) => {
    const { isCopied, started } = await copyWith(platform, environment);
    expect(isCopied).toBe(true);
    expect(commandsOf(started)).toEqual([command]);
    expect(started[0]).toMatchObject({ input: 'RB1CN', onOutput: 'discarded', terminal: 'none' });
  });

  it('tries the next program if one is missing or fails', async () => {
    const ends: Readonly<Record<string, ChildEnd>> = { 'wl-copy': { kind: 'exited', code: 1 }, xclip: missing };
    const { isCopied, started } = await copyWith('linux', { WAYLAND_DISPLAY: 'w', DISPLAY: ':0' }, ends);
    expect(isCopied).toBe(true);
    expect(commandsOf(started)).toEqual(['wl-copy', 'xclip -selection clipboard', 'xsel --clipboard --input']);
  });

  it.each([
    ['without a display', 'linux', {}],
    ['over SSH', 'darwin', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }],
    ['over SSH with a forwarded display', 'linux', { SSH_TTY: '/dev/pts/1', DISPLAY: 'localhost:10' }],
  ])('is absent %s', async (_where, platform, environment) => {
    expect(await copyWith(platform, environment)).toEqual({ isCopied: false, started: [] });
  });

  it('writes non-ASCII text as UTF-16 on Windows', async () => {
    const { started } = await copyWith('win32', {}, {}, '深圳');
    expect(Buffer.from(started[0]?.input ?? '').toString('utf16le')).toBe('深圳');
  });

  it('gives up if the program never reads the text', async () => {
    const clock = createFakeClock();
    let ended = 0;
    const copyToDesktop = createCopyToDesktop({
      platform: 'darwin',
      environment: {},
      clock,
      startChild: () => ({
        ended: new Promise<never>(() => undefined),
        end: async () => {
          ended += 1;
        },
      }),
    });
    const result = copyToDesktop('RB1CN');
    await clock.advance(2_000);
    expect(await result).toBe(false);
    expect(ended).toBe(1);
  });

  it.skipIf(process.platform === 'win32')('never executes part of the text', async () => {
    const folder = await createTestFolder();
    const [program, copy] = [join(folder, 'wl-copy'), join(folder, 'copy')];
    await writeFile(program, `#!/bin/sh\nexec cat > '${copy}'\n`, { mode: 0o755 });
    const environment = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, WAYLAND_DISPLAY: 'wayland-0' };
    const startChild = createStartChild({ parent: process, environment, clock: realClock });
    const odd = '$(id); `id` "x" \u{1f4e6}';
    const copyToDesktop = createCopyToDesktop({ platform: 'linux', environment, startChild, clock: realClock });
    expect(await copyToDesktop(odd)).toBe(true);
    expect(await readFile(copy, 'utf8')).toBe(odd);
  });
});

const page = 'https://c.example/t?n=LX%201&l=en;x';

/** Opens a page with fake programs, which end as given. Returns the started programs and the reason for a failure. */
async function openWith(
  platform: string,
  environment: Readonly<Record<string, string>>,
  ends: Readonly<Record<string, ChildEnd>> = {},
  address = page,
): Promise<{ readonly launched: readonly ChildRequest['command'][]; readonly why: string | null }> {
  const launched: ChildRequest['command'][] = [];
  const openPage = createOpenPage({
    platform,
    environment,
    clock: realClock,
    startChild: ({ command }) => {
      launched.push(command);
      return { ended: Promise.resolve(ends[command[0]] ?? { kind: 'exited', code: 0 }), end: async () => {} };
    },
  });
  return { why: await openPage(address), launched };
}

describe('a courier page', () => {
  it.each([
    ['linux', { DISPLAY: ':0' }, ['xdg-open']],
    ['freebsd', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
    ['darwin', {}, ['open']],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
    ['linux', { WSL_DISTRO_NAME: 'Debian' }, ['wslview']],
  ])('is passed to the system’s opener as one argument: %s %j', async (platform, environment, opener) => {
    expect(await openWith(platform, environment)).toEqual({ launched: [[...opener, page]], why: null });
  });

  it('is opened by Windows if WSL has no opener', async () => {
    const ends: Readonly<Record<string, ChildEnd>> = {
      wslview: missing,
      'explorer.exe': { kind: 'exited', code: 1 },
    };
    const { launched, why } = await openWith('linux', { WSL_INTEROP: '/run/x' }, ends);
    expect(launched.map(([program]) => program)).toEqual(['wslview', 'explorer.exe']);
    expect(why).toBeNull();
  });

  it.each([
    ['over SSH', { DISPLAY: ':10', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, 'pages cannot be opened over SSH'],
    ['in a terminal over SSH', { DISPLAY: ':10', SSH_TTY: '/dev/pts/1' }, 'pages cannot be opened over SSH'],
    ['without a desktop', {}, 'there is no desktop to open it on'],
  ])('is not opened %s', async (_where, environment, reason) => {
    expect(await openWith('linux', environment)).toEqual({ launched: [], why: reason });
  });

  it('reports why the opener failed', async () => {
    expect((await openWith('linux', { DISPLAY: ':0' }, { 'xdg-open': missing })).why).toBe('xdg-open was not found');
    const failed: ChildEnd = { kind: 'exited', code: 3 };
    expect((await openWith('linux', { DISPLAY: ':0' }, { 'xdg-open': failed })).why).toBe(
      'xdg-open exited with code 3',
    );
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', 'https://me:pw@c.example/'])(
    'is not opened unless its address is plain http or https: %s',
    async (address) => {
      const { launched, why } = await openWith('linux', { DISPLAY: ':0' }, {}, address);
      expect(launched).toEqual([]);
      expect(why).toBe('only http and https links can be opened');
    },
  );
});

describe.skipIf(process.platform === 'win32')('a program that opens a page', () => {
  /** Opens a page with this script as the only program. */
  async function openWithScript(script: string | null, environment: Readonly<Record<string, string>> = {}) {
    const folder = await createTestFolder();
    if (script !== null) await writeFile(join(folder, 'xdg-open'), `#!${process.execPath}\n${script}`, { mode: 0o755 });
    const output = join(folder, 'output');
    const own = { ...environment, PATH: folder, DISPLAY: ':0', OUTPUT: output };
    const startChild = createStartChild({ parent: process, environment: own, clock: realClock });
    const openPage = createOpenPage({ platform: 'linux', environment: own, startChild, clock: realClock });
    return { output, why: await openPage(odd) };
  }
  const odd = 'https://c.example/?a=$(id)&b=`id`;c "d"';

  it('gets its arguments unchanged, and neither the API key nor the password', async () => {
    const { output, why } = await openWithScript(
      `const { argv, env } = process;
      require('node:fs').writeFileSync(env.OUTPUT, JSON.stringify([argv.slice(2), env.PARCEL_MONITOR_API_KEY ?? null, env.PGPASSWORD ?? null, env.PARCEL_MONITOR_STORE]));`,
      {
        PARCEL_MONITOR_API_KEY: 'secret',
        PGPASSWORD: 'secret',
        PARCEL_MONITOR_STORE: 'postgres://ann:se@cret@nas/parcels',
      },
    );
    expect(why).toBeNull();
    await eventually(async () =>
      expect(JSON.parse(await readFile(output, 'utf8'))).toEqual([
        [new URL(odd).href],
        null,
        null,
        'postgres://ann@nas/parcels',
      ]),
    );
  });

  it('is named in the error if it is missing or fails', async () => {
    expect((await openWithScript(null)).why).toBe('xdg-open was not found');
    expect((await openWithScript('process.exit(3)')).why).toBe('xdg-open exited with code 3');
  });
});
