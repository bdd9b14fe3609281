import { describe, expect, it } from 'vitest';
import {
  createBellChannel,
  createTerminalChannel,
  notificationSequence,
  terminalNotifications,
} from '../../src/notify/local-channels.ts';
import { hostileStrings } from './changes.ts';

const lamp = { title: 'Lamp', lines: ['Delivered; left with a neighbour', 'Köln'] };
const direct = { isInTmux: false };

it.each([
  [{ KITTY_WINDOW_ID: '1' }, 'OSC 99'],
  [{ TERM: 'xterm-kitty' }, 'OSC 99'],
  [{ TERM_PROGRAM: 'iTerm.app' }, 'OSC 9'],
  [{ LC_TERMINAL: 'iTerm2', TERM_PROGRAM: 'tmux', TMUX: '/tmp/1' }, 'OSC 9'],
  [{ TERM_PROGRAM: 'WezTerm' }, 'OSC 777'],
  [{ TERM_PROGRAM: 'ghostty' }, 'OSC 777'],
  [{ TERM: 'foot' }, 'OSC 777'],
  [{ TERM: 'xterm-256color' }, undefined],
  [{ TERM: 'xterm-kitty', STY: '1.pts' }, undefined],
  [{}, undefined],
])('chooses the protocol for the terminal %j: %s', (environment, protocol) => {
  expect(terminalNotifications(environment)?.protocol).toBe(protocol);
});

describe("a notification's sequence", () => {
  it('follows each protocol', () => {
    expect(notificationSequence({ protocol: 'OSC 9', ...direct }, lamp)).toBe(
      '\u001b]9;parcel-monitor: Lamp - Delivered; left with a neighbour | Köln\u001b\\',
    );
    expect(notificationSequence({ protocol: 'OSC 777', ...direct }, lamp)).toBe(
      '\u001b]777;notify;Lamp;Delivered, left with a neighbour | Köln\u001b\\',
    );
    const body = Buffer.from('Delivered; left with a neighbour | Köln').toString('base64');
    expect(notificationSequence({ protocol: 'OSC 99', ...direct }, lamp)).toBe(
      `\u001b]99;i=parcel-monitor:e=1:d=0:p=title;TGFtcA==\u001b\\\u001b]99;i=parcel-monitor:e=1:d=1:p=body;${body}\u001b\\`,
    );
  });

  it('passes through tmux', () => {
    expect(notificationSequence({ protocol: 'OSC 777', isInTmux: true }, { title: 'a', lines: ['b'] })).toBe(
      '\u001bPtmux;\u001b\u001b]777;notify;a;b\u001b\u001b\\\u001b\\',
    );
  });

  it('is plain ASCII if the terminal can show nothing else', () => {
    const sequence = notificationSequence({ protocol: 'OSC 9', ...direct }, { title: 'Köln', lines: ['Ŝ 北'] }, true);
    expect(sequence).toBe('\u001b]9;parcel-monitor: Koln - S ?\u001b\\');
  });

  it.each(['OSC 9', 'OSC 777'] as const)('stays a single sequence in %s for any courier text', (protocol) => {
    for (const text of hostileStrings) {
      const sequence = notificationSequence({ protocol, ...direct }, { title: text, lines: [text] });
      expect(sequence).toMatch(/^\u001b\][^\p{Cc}\u2028\u202e]*\u001b\\$/u);
      expect(sequence.split(';').slice(0, 2).join(';')).toMatch(/^\u001b\](?:777;notify|9;parcel-monitor: )/);
      if (protocol === 'OSC 777') expect(sequence.split(';')).toHaveLength(4);
    }
  });

  it('encodes text as Base64 in OSC 99', () => {
    for (const text of hostileStrings) {
      const sequence = notificationSequence({ protocol: 'OSC 99', ...direct }, { title: text, lines: [text] });
      expect(sequence).toMatch(/^(?:\u001b\]99;i=parcel-monitor:e=1:d=[01]:p=(?:title|body);[\w+/=]*\u001b\\){2}$/);
    }
  });
});

describe("a terminal's channels", () => {
  it('ring the bell and write notifications', async () => {
    const written: string[] = [];
    const write = (sequence: string): void => void written.push(sequence);
    expect(await createBellChannel(write).send(lamp, [])).toBeNull();
    expect(await createTerminalChannel(write, { TERM_PROGRAM: 'WezTerm' }, false).send(lamp, [])).toBeNull();
    expect(written).toEqual(['\u0007', notificationSequence({ protocol: 'OSC 777', ...direct }, lamp)]);
  });

  it('report a missing terminal, and a terminal that is not known to support notifications', async () => {
    expect(createBellChannel(null).unusable).toMatch(/Neither standard output/);
    const unknown = createTerminalChannel(() => undefined, { TERM: 'xterm' }, false);
    expect(unknown.unusable).toMatch(/probably does not support notifications\. Use "bell"/);
    expect(await unknown.send(lamp, [])).toBe(unknown.unusable);
  });
});
