import { describe, expect, it, vi } from 'vitest';
import { createCommandChannel, createDesktopChannel, desktopProgram } from '../../src/notify/local-channels.ts';
import type { ChildRequest, StartChild } from '../../src/system/run-program.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { aChange, hostileStrings } from './changes.ts';

const desktop = { DISPLAY: ':0' };

/** Starts fake child processes that exit with this code, and records the requests that started them. */
function fakeChildren(code: number): { readonly started: ChildRequest[]; readonly startChild: StartChild } {
  const started: ChildRequest[] = [];
  const startChild: StartChild = (request) => {
    started.push(request);
    return { ended: Promise.resolve({ kind: 'exited', code }), end: async () => undefined };
  };
  return { started, startChild };
}

const call = (platform: string, title: string, lines: readonly string[]) => {
  const program = desktopProgram(platform, desktop);
  if (program.kind === 'none') throw new Error(program.reason);
  return program.call({ title, lines });
};

describe('the program for desktop notifications', () => {
  it.each([
    ['notify-send', 'linux', desktop],
    ['notify-send', 'linux', { WAYLAND_DISPLAY: 'wayland-0' }],
    ['powershell.exe', 'linux', { WSL_DISTRO_NAME: 'Debian' }],
    ['osascript', 'darwin', {}],
    ['powershell.exe', 'win32', {}],
  ])('is %s on %s with %j', (name, platform, environment) => {
    expect(desktopProgram(platform, environment)).toMatchObject({ kind: 'program', name });
  });

  it.each([
    ['linux', {}, /No desktop session found/],
    ['darwin', { SSH_CONNECTION: '::1' }, /over SSH/],
  ])('is missing on %s with %j', (platform, environment, why) => {
    expect(desktopProgram(platform, environment)).toMatchObject({ kind: 'none', reason: expect.stringMatching(why) });
  });

  it('receives courier text as data: after the options, without markup or escape sequences', () => {
    expect(call('linux', '--icon=x', ['<b>a</b> & \\n']).command).toEqual([
      'notify-send',
      '--app-name=parcel-monitor',
      '--',
      '--icon=x',
      '&lt;b&gt;a&lt;/b&gt; &amp; \\\\n',
    ]);
    expect(call('darwin', '-e', ['a', 'b']).command).toEqual(['osascript', '-', '-e', 'a\nb']);
  });

  it.each(['linux', 'darwin', 'win32'])(
    'has the same options and script on %s, regardless of the courier text',
    (platform) => {
      const ordinary = call(platform, 'a', ['b']);
      for (const text of hostileStrings) {
        const hostile = call(platform, text, [text]);
        const options = platform === 'win32' ? hostile.command.length : hostile.command.length - 2;
        expect(hostile.command.slice(0, options)).toEqual(ordinary.command.slice(0, options));
        expect(hostile.command).toHaveLength(ordinary.command.length);
        for (const word of hostile.command.slice(options))
          expect(word).not.toMatch(/[\0-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
        if (platform !== 'win32') expect(hostile.input).toBe(ordinary.input);
        else expect(hostile.input).toMatch(/^\{[ -~]*\}\n$/);
      }
    },
  );

  it('receives the text as JSON on Windows', () => {
    expect(JSON.parse(call('win32', 'Köln "x"', ['北', '🎁']).input)).toEqual({ title: 'Köln "x"', body: '北\n🎁' });
  });
});

describe('channels that run programs', () => {
  const clock = createFakeClock();
  const { signal } = new AbortController();

  it('report failures with advice', async () => {
    const { startChild } = fakeChildren(1);
    const channel = createDesktopChannel(
      { startChild, clock, signal, output: 'discarded' },
      { platform: 'linux', environment: desktop },
    );
    expect(await channel.send({ title: 'a', lines: ['b'] }, [])).toMatch(
      /^notify-send exited with code 1\. Install it \(package libnotify/,
    );
  });

  it('run the command once per change, with its line of JSON on standard input', async () => {
    const { started, startChild } = fakeChildren(0);
    const channel = createCommandChannel(
      { startChild, clock, signal, output: 'discarded' },
      ['/bin/tell', '$HOME; x'],
      ({ seq }) => `{"seq":${seq}}\n`,
    );
    expect(await channel.send({ title: '', lines: [] }, [aChange(1, 'delivered'), aChange(2, 'delivered')])).toBeNull();
    expect(started.map(({ command, input }) => [command, input])).toEqual([
      [['/bin/tell', '$HOME; x'], '{"seq":1}\n'],
      [['/bin/tell', '$HOME; x'], '{"seq":2}\n'],
    ]);
  });

  it('still deliver a desktop notification while the program is ending', async () => {
    const exit = Promise.withResolvers<{ kind: 'exited'; code: number }>();
    const end = vi.fn(async () => undefined);
    const channel = createDesktopChannel(
      {
        startChild: () => ({ ended: exit.promise, end }),
        clock,
        signal: AbortSignal.abort(),
        output: 'discarded',
      },
      { platform: 'linux', environment: desktop },
    );
    const sent = channel.send({ title: 'a', lines: ['b'] }, []);
    // Enough turns for an abort to take effect if it were not ignored.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    exit.resolve({ kind: 'exited', code: 0 });
    expect(await sent).toBeNull();
    expect(end).not.toHaveBeenCalled();
  });
});
