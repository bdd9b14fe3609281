import { createSerialQueue } from '../lib/async.ts';
import { cleanText } from '../lib/clean-text.ts';
import type { Clock } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import { type Environment, isAnySet, isInWsl, isOverSsh, isSet } from '../system/environment.ts';
import { type RunWithInputOptions, runWithInput, type StartChild } from '../system/run-program.ts';
import { type Channel, type Notification, unusableChannel } from './notification.ts';

type NotificationProtocol = 'OSC 9' | 'OSC 777' | 'OSC 99';

interface TerminalNotifications {
  readonly protocol: NotificationProtocol;
  readonly terminal: string;
  readonly isInTmux: boolean;
}

interface KnownTerminal {
  readonly terminal: string;
  readonly protocol: NotificationProtocol;
  /** Its `TERM_PROGRAM` or `LC_TERMINAL`. */
  readonly program?: string;
  readonly term?: RegExp;
  /** An environment variable that only this terminal sets and that tmux passes on. */
  readonly variable?: string;
}

/** Terminals that support notifications. Protocols that have a title and no second meaning come first. */
const knownTerminals: readonly KnownTerminal[] = [
  { terminal: 'kitty', protocol: 'OSC 99', term: /^xterm-kitty/, variable: 'KITTY_WINDOW_ID' },
  {
    terminal: 'Ghostty',
    protocol: 'OSC 777',
    program: 'ghostty',
    term: /^xterm-ghostty/,
    variable: 'GHOSTTY_RESOURCES_DIR',
  },
  { terminal: 'WezTerm', protocol: 'OSC 777', program: 'WezTerm', term: /^wezterm/, variable: 'WEZTERM_PANE' },
  { terminal: 'foot', protocol: 'OSC 777', term: /^foot/ },
  { terminal: 'Contour', protocol: 'OSC 777', term: /^contour/ },
  { terminal: 'Warp', protocol: 'OSC 777', program: 'WarpTerminal' },
  { terminal: 'iTerm2', protocol: 'OSC 9', program: 'iTerm.app', variable: 'ITERM_SESSION_ID' },
  { terminal: 'iTerm2', protocol: 'OSC 9', program: 'iTerm2' },
];

/** Returns how to send notifications through the terminal, or null if unknown. */
export function terminalNotifications(environment: Environment): TerminalNotifications | null {
  const { TERM = '', TERM_PROGRAM = '', LC_TERMINAL = '' } = environment;
  // GNU screen swallows escape sequences that it does not know.
  if (isSet(environment['STY'])) return null;
  const isInTmux = isSet(environment['TMUX']);
  const match = knownTerminals.find(
    ({ program, term, variable }) =>
      (variable !== undefined && isSet(environment[variable])) ||
      (program !== undefined && (TERM_PROGRAM === program || LC_TERMINAL === program)) ||
      term?.test(TERM) === true,
  );
  return match === undefined ? null : { protocol: match.protocol, terminal: match.terminal, isInTmux };
}

const esc = '\u001b';
const stringTerminator = `${esc}\\`;

export function notificationSequence(
  { protocol, isInTmux }: Pick<TerminalNotifications, 'protocol' | 'isInTmux'>,
  { title, lines }: Notification,
  isAscii = false,
): string {
  // On a terminal that does not decode UTF-8, a byte of a non-ASCII character could end the sequence.
  const clean = (text: string): string => (isAscii ? asciiText(cleanText(text)) : cleanText(text));
  const sequences = buildSequences(protocol, clean(title), clean(lines.join(' | ')));
  return sequences.map((sequence) => (isInTmux ? wrapForTmux(sequence) : sequence)).join('');
}

const asciiText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^ -~]/gu, '?');

function buildSequences(protocol: NotificationProtocol, title: string, body: string): readonly string[] {
  switch (protocol) {
    case 'OSC 9':
      // Some terminals treat a leading number as a command.
      return [`${esc}]9;parcel-monitor: ${title} - ${body}${stringTerminator}`];
    case 'OSC 777':
      // A semicolon ends the title.
      return [`${esc}]777;notify;${title.replaceAll(';', ',')};${body.replaceAll(';', ',')}${stringTerminator}`];
    case 'OSC 99': {
      const part = (meta: string, text: string): string =>
        `${esc}]99;i=parcel-monitor:e=1:${meta};${Buffer.from(text, 'utf8').toString('base64')}${stringTerminator}`;
      return [part('d=0:p=title', title), part('d=1:p=body', body)];
    }
  }
}

/** tmux passes the sequence on only if `allow-passthrough` is on. */
const wrapForTmux = (sequence: string): string =>
  `${esc}Ptmux;${sequence.replaceAll(esc, `${esc}${esc}`)}${stringTerminator}`;

/** Writes to the terminal. Null if there is no terminal. */
export type WriteToTerminal = ((sequence: string) => void) | null;

const noTerminal = 'Neither standard output nor standard error is a terminal.';

export function createBellChannel(write: WriteToTerminal): Channel {
  if (write === null) return unusableChannel('bell', `${noTerminal} Use "desktop" or "command".`);
  return {
    name: 'bell',
    mechanism: 'BEL: beeps or flashes, depending on your terminal',
    unusable: null,
    send: async () => {
      write('\u0007');
      return null;
    },
  };
}

/** Shows notifications through the terminal. `isAscii` restricts them to ASCII. */
export function createTerminalChannel(write: WriteToTerminal, environment: Environment, isAscii: boolean): Channel {
  if (write === null) return unusableChannel('terminal', `${noTerminal} Use "desktop" or "command".`);
  const support = terminalNotifications(environment);
  if (support === null) {
    return unusableChannel(
      'terminal',
      'This terminal probably does not support notifications. Use "bell" or "desktop".',
    );
  }
  const { protocol, terminal, isInTmux } = support;
  return {
    name: 'terminal',
    mechanism: `${terminal} notifications (${protocol})${isInTmux ? ', through tmux with "set -g allow-passthrough on"' : ''}`,
    unusable: null,
    send: async (notification) => {
      write(notificationSequence(support, notification, isAscii));
      return null;
    },
  };
}

type ChangeText = (change: Change) => string;

/** A program with its arguments and standard input. It runs without a shell. */
interface ProgramCall {
  readonly command: readonly [string, ...string[]];
  readonly input: string;
}

type DesktopProgram =
  | {
      readonly kind: 'program';
      readonly name: string;
      readonly advice: string;
      readonly call: (notification: Notification) => ProgramCall;
    }
  | { readonly kind: 'none'; readonly reason: string };

export function desktopProgram(platform: string, environment: Environment): DesktopProgram {
  if (isOverSsh(environment)) {
    return { kind: 'none', reason: 'Desktop notifications do not work over SSH. Use "terminal", "bell" or "command".' };
  }
  if (platform === 'darwin') return appleScript;
  if (platform === 'win32' || isInWsl(environment)) return powerShell;
  if (isAnySet(environment, 'DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS')) return notifySend;
  return { kind: 'none', reason: 'No desktop session found. Use "terminal", "bell" or "command".' };
}

/** `--` ends the options. notify-send interprets markup and backslash escapes in the body. */
const notifySend: DesktopProgram = {
  kind: 'program',
  name: 'notify-send',
  advice: 'Install it (package libnotify), and make sure that a notification daemon is running.',
  call: ({ title, lines }) => {
    const body = lines.map((line) =>
      cleanText(line).replaceAll('\\', '\\\\').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    );
    return {
      command: ['notify-send', '--app-name=parcel-monitor', '--', cleanText(title), body.join('\n')],
      input: '',
    };
  },
};

/** `-` reads the script from standard input. Nothing after it is an option. */
const appleScript: DesktopProgram = {
  kind: 'program',
  name: 'osascript',
  advice: 'Allow notifications from "Script Editor" in the system settings.',
  call: ({ title, lines }) => ({
    command: ['osascript', '-', cleanText(title), lines.map(cleanText).join('\n')],
    input:
      'on run argv\n  display notification (item 2 of argv) with title (item 1 of argv) subtitle "parcel-monitor"\nend run\n',
  }),
};

const toastScript = [
  "$ErrorActionPreference = 'Stop'",
  '$message = [Console]::In.ReadToEnd() | ConvertFrom-Json',
  '$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
  '$kind = [Windows.UI.Notifications.ToastTemplateType]::ToastText02',
  '$toast = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent($kind)',
  "$texts = $toast.GetElementsByTagName('text')",
  '$null = $texts.Item(0).AppendChild($toast.CreateTextNode($message.title))',
  '$null = $texts.Item(1).AppendChild($toast.CreateTextNode($message.body))',
  "$program = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'",
  '$notifier = [Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($program)',
  '$notifier.Show([Windows.UI.Notifications.ToastNotification]::new($toast))',
].join('; ');

const powerShell: DesktopProgram = {
  kind: 'program',
  name: 'powershell.exe',
  advice: 'Allow notifications from Windows PowerShell in the system settings.',
  call: ({ title, lines }) => ({
    command: ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', toastScript],
    input: asciiJson({ title: cleanText(title), body: lines.map(cleanText).join('\n') }),
  }),
};

const asciiJson = (value: object): string =>
  `${JSON.stringify(value).replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

export interface ProgramChannelOptions {
  readonly startChild: StartChild;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What happens to the output of the user's command. It is `discarded` while the board is on the screen. */
  readonly output: RunWithInputOptions['output'];
}

/** Timeout for the program that shows a notification, in milliseconds. */
const desktopTimeoutMs = 10_000;
/** Timeout for the user's command, for each change, in milliseconds. */
const commandTimeoutMs = 30_000;

export function createDesktopChannel(
  options: ProgramChannelOptions,
  { platform, environment }: { readonly platform: string; readonly environment: Environment },
): Channel {
  const program = desktopProgram(platform, environment);
  if (program.kind === 'none') return unusableChannel('desktop', program.reason);
  return {
    name: 'desktop',
    mechanism: program.name,
    unusable: null,
    async send(notification) {
      const { command, input } = program.call(notification);
      const failure = await runWithInput(
        { ...options, output: 'discarded', command, timeoutMs: desktopTimeoutMs },
        input,
      );
      return failure === null ? null : `${program.name} ${failure}. ${program.advice}`;
    },
  };
}

export function createCommandChannel(
  options: ProgramChannelOptions,
  command: readonly [string, ...string[]],
  formatChange: ChangeText,
): Channel {
  const queue = createSerialQueue();
  const [program] = command;
  return {
    name: 'command',
    mechanism: program,
    unusable: null,
    async send(_notification, changes) {
      const failures = await Promise.all(
        changes.map((change) =>
          queue.run(async () =>
            options.signal.aborted
              ? 'did not run because parcel-monitor is exiting'
              : await runWithInput({ ...options, command, timeoutMs: commandTimeoutMs }, formatChange(change)),
          ),
        ),
      );
      const failure = failures.find((result) => result !== null);
      return failure === undefined ? null : `${program} ${failure}. Check notify.command in config.json.`;
    },
  };
}
