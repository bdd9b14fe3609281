import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStartChild } from '../../src/system/child-processes.ts';
import { createOpenPage } from '../../src/system/desktop.ts';
import type { ChildEnd, ChildRequest } from '../../src/system/run-program.ts';
import { eventually } from '../support/eventually.ts';
import { realClock } from '../support/real-clock.ts';

const page = 'https://c.example/t?n=LX%201&l=en;x';
const missing: ChildEnd = { kind: 'not-started', error: Object.assign(new Error('gone'), { code: 'ENOENT' }) };

/** Opens a page in a world in which some programs are there; answers what was launched and what was said. */
async function opened(
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

describe('a page of the courier', () => {
  it.each([
    ['linux', { DISPLAY: ':0' }, ['xdg-open']],
    ['freebsd', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
    ['darwin', {}, ['open']],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
    ['linux', { WSL_DISTRO_NAME: 'Debian' }, ['wslview']],
  ])('is opened by what the system has for it, as one argument: %s %j', async (platform, environment, opener) => {
    expect(await opened(platform, environment)).toEqual({ launched: [[...opener, page]], why: null });
  });

  it('is opened by Windows where WSL has no opener of its own, whatever that answers', async () => {
    const ends: Readonly<Record<string, ChildEnd>> = {
      wslview: missing,
      'explorer.exe': { kind: 'exited', code: 1 },
    };
    const { launched, why } = await opened('linux', { WSL_INTEROP: '/run/x' }, ends);
    expect(launched.map(([program]) => program)).toEqual(['wslview', 'explorer.exe']);
    expect(why).toBeNull();
  });

  it.each([
    ['over SSH', { DISPLAY: ':10', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, 'not opened over SSH'],
    ['in a terminal over SSH', { DISPLAY: ':10', SSH_TTY: '/dev/pts/1' }, 'not opened over SSH'],
    ['without a desktop', {}, 'there is no desktop to open it on'],
  ])('is opened by nothing %s', async (_where, environment, reason) => {
    expect(await opened('linux', environment)).toEqual({ launched: [], why: reason });
  });

  it('says what the opener did not do', async () => {
    expect((await opened('linux', { DISPLAY: ':0' }, { 'xdg-open': missing })).why).toBe('xdg-open was not found');
    const failed: ChildEnd = { kind: 'exited', code: 3 };
    expect((await opened('linux', { DISPLAY: ':0' }, { 'xdg-open': failed })).why).toBe('xdg-open ended with code 3');
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', 'https://me:pw@c.example/'])(
    'is never another address than http or https: %s',
    async (address) => {
      const { launched, why } = await opened('linux', { DISPLAY: ':0' }, {}, address);
      expect(launched).toEqual([]);
      expect(why).toBe('only http and https are opened');
    },
  );
});

describe.skipIf(process.platform === 'win32')('a program that opens a page', () => {
  /** Opens a page with a program that is this script, in a folder of its own. */
  async function openedBy(script: string | null, environment: Readonly<Record<string, string>> = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-open-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    if (script !== null) await writeFile(join(folder, 'xdg-open'), `#!${process.execPath}\n${script}`, { mode: 0o755 });
    const told = join(folder, 'told');
    const own = { ...environment, PATH: folder, DISPLAY: ':0', TOLD: told };
    const startChild = createStartChild({ parent: process, environment: own, clock: realClock });
    const openPage = createOpenPage({ platform: 'linux', environment: own, startChild, clock: realClock });
    return { told, why: await openPage(odd) };
  }
  const odd = 'https://c.example/?a=$(id)&b=`id`;c "d"';

  it('gets its arguments as they are, and no API key and no password', async () => {
    const { told, why } = await openedBy(
      `const { argv, env } = process;
      require('node:fs').writeFileSync(env.TOLD, JSON.stringify([argv.slice(2), env.PARCEL_MONITOR_API_KEY ?? null, env.PGPASSWORD ?? null, env.PARCEL_MONITOR_STORE]));`,
      {
        PARCEL_MONITOR_API_KEY: 'secret',
        PGPASSWORD: 'secret',
        PARCEL_MONITOR_STORE: 'postgres://ann:se@cret@nas/parcels',
      },
    );
    expect(why).toBeNull();
    await eventually(async () =>
      expect(JSON.parse(await readFile(told, 'utf8'))).toEqual([
        [new URL(odd).href],
        null,
        null,
        'postgres://ann@nas/parcels',
      ]),
    );
  });

  it('is named when it is not there, and with how it failed', async () => {
    expect((await openedBy(null)).why).toBe('xdg-open was not found');
    expect((await openedBy('process.exit(3)')).why).toBe('xdg-open ended with code 3');
  });
});
