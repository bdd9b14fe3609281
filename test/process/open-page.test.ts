import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStartChild } from '../../src/process/child-processes.ts';
import { createLaunch, createOpenPage, type Launch, type LaunchCommand } from '../../src/process/open-page.ts';
import { eventually } from '../support/eventually.ts';
import { realClock } from '../support/real-clock.ts';

const page = 'https://c.example/t?n=LX%201&l=en;x';
const missing: Launch = { kind: 'missing', reason: 'was not found' };

/** Opens a page in a world in which some programs are there; answers what was launched and what was said. */
async function opened(
  platform: string,
  environment: Readonly<Record<string, string>>,
  ends: Readonly<Record<string, Launch>> = {},
  address = page,
): Promise<{ readonly launched: readonly LaunchCommand[]; readonly why: string | null }> {
  const launched: LaunchCommand[] = [];
  const openPage = createOpenPage({
    platform,
    environment,
    launch: async (command) => {
      launched.push(command);
      return ends[command[0]] ?? { kind: 'launched' };
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
    const ends: Readonly<Record<string, Launch>> = {
      wslview: missing,
      'explorer.exe': { kind: 'failed', reason: 'ended with code 1' },
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
    const failed: Launch = { kind: 'failed', reason: 'ended with code 3' };
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

const launchIn = (environment: Readonly<Record<string, string | undefined>>) =>
  createLaunch(createStartChild({ parent: process, environment, clock: realClock }), realClock);

describe('a program that is launched', () => {
  it('gets its arguments as they are, and no API key and no password', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-launch-'));
    try {
      const [told, script] = [join(folder, 'told'), join(folder, 'opener.mjs')];
      await writeFile(
        script,
        `import { writeFileSync } from 'node:fs';
        writeFileSync(process.env.TOLD, JSON.stringify([process.argv.slice(2), process.env.PARCEL_MONITOR_API_KEY ?? null, process.env.PGPASSWORD ?? null, process.env.PARCEL_MONITOR_STORE]));`,
      );
      const launch = launchIn({
        ...process.env,
        TOLD: told,
        PARCEL_MONITOR_API_KEY: 'secret',
        PGPASSWORD: 'secret',
        PARCEL_MONITOR_STORE: 'postgres://ann:se@cret@nas/parcels',
      });
      const odd = 'https://c.example/?a=$(id)&b=`id`;c "d"';
      expect(await launch([process.execPath, script, odd])).toEqual({ kind: 'launched' });
      await eventually(async () =>
        expect(JSON.parse(await readFile(told, 'utf8'))).toEqual([[odd], null, null, 'postgres://ann@nas/parcels']),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('says when it is not there, and how it failed', async () => {
    const launch = launchIn({ PATH: process.env['PATH'] });
    expect(await launch(['no-such-program-of-parcel-monitor'])).toEqual({ kind: 'missing', reason: 'was not found' });
    expect(await launch([process.execPath, '-e', 'process.exit(3)'])).toEqual({
      kind: 'failed',
      reason: 'ended with code 3',
    });
  });
});
