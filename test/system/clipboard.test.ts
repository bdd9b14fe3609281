import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStartChild } from '../../src/system/child-processes.ts';
import { createCopyToDesktop } from '../../src/system/desktop.ts';
import type { ChildEnd, ChildRequest } from '../../src/system/run-program.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { realClock } from '../support/real-clock.ts';

const missing: ChildEnd = { kind: 'not-started', error: Object.assign(new Error('spawn'), { code: 'ENOENT' }) };
const done: ChildEnd = { kind: 'exited', code: 0 };

/** Copies in a world in which some programs are there; answers what was started and whether it is copied. */
async function copied(
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
  ])(
    'takes a text from what the system has for it, on standard input: %s %j',
    async (platform, environment, command) => {
      const { isCopied, started } = await copied(platform, environment);
      expect(isCopied).toBe(true);
      expect(commandsOf(started)).toEqual([command]);
      expect(started[0]).toMatchObject({ input: 'RB1CN', onOutput: 'dropped', terminal: 'none' });
    },
  );

  it('is tried with the next program where one is not there, or fails', async () => {
    const ends: Readonly<Record<string, ChildEnd>> = { 'wl-copy': { kind: 'exited', code: 1 }, xclip: missing };
    const { isCopied, started } = await copied('linux', { WAYLAND_DISPLAY: 'w', DISPLAY: ':0' }, ends);
    expect(isCopied).toBe(true);
    expect(commandsOf(started)).toEqual(['wl-copy', 'xclip -selection clipboard', 'xsel --clipboard --input']);
  });

  it.each([
    ['without a display', 'linux', {}],
    ['over SSH', 'darwin', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }],
    ['over SSH with a forwarded display', 'linux', { SSH_TTY: '/dev/pts/1', DISPLAY: 'localhost:10' }],
  ])('is none %s', async (_where, platform, environment) => {
    expect(await copied(platform, environment)).toEqual({ isCopied: false, started: [] });
  });

  it('gets what is not ASCII in UTF-16 on Windows, as its console has another code page', async () => {
    const { started } = await copied('win32', {}, {}, '深圳');
    expect(Buffer.from(started[0]?.input ?? '').toString('utf16le')).toBe('深圳');
  });

  it('is given up when its program takes the text never', async () => {
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
    const answer = copyToDesktop('RB1CN');
    await clock.advance(2_000);
    expect(await answer).toBe(false);
    expect(ended).toBe(1);
  });

  it.skipIf(process.platform === 'win32')('reads nothing of a text as a command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-clipboard-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [program, kept] = [join(folder, 'wl-copy'), join(folder, 'kept')];
    await writeFile(program, `#!/bin/sh\nexec cat > '${kept}'\n`, { mode: 0o755 });
    const environment = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, WAYLAND_DISPLAY: 'wayland-0' };
    const startChild = createStartChild({ parent: process, environment, clock: realClock });
    const odd = '$(id); `id` "x" \u{1f4e6}';
    const copyToDesktop = createCopyToDesktop({ platform: 'linux', environment, startChild, clock: realClock });
    expect(await copyToDesktop(odd)).toBe(true);
    expect(await readFile(kept, 'utf8')).toBe(odd);
  });
});
