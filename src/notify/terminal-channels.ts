import { cleanText } from '../lib/clean-text.ts';
import { type Environment, isSet } from '../system/environment.ts';
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

/** Terminals that support notifications, best protocol first: one with a title and no second meaning. */
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
  const found = knownTerminals.find(
    ({ program, term, variable }) =>
      (variable !== undefined && isSet(environment[variable])) ||
      (program !== undefined && (TERM_PROGRAM === program || LC_TERMINAL === program)) ||
      term?.test(TERM) === true,
  );
  return found === undefined ? null : { protocol: found.protocol, terminal: found.terminal, isInTmux };
}

const esc = '\u001b';
const stringEnd = `${esc}\\`;

export function notificationSequence(
  { protocol, isInTmux }: Pick<TerminalNotifications, 'protocol' | 'isInTmux'>,
  { title, lines }: Notification,
  isAscii = false,
): string {
  // On a terminal that does not decode UTF-8, a byte of a non-ASCII character could end the sequence.
  const plain = (text: string): string => (isAscii ? asciiText(cleanText(text)) : cleanText(text));
  const sequences = sequencesOf(protocol, plain(title), plain(lines.join(' | ')));
  return sequences.map((sequence) => (isInTmux ? wrapForTmux(sequence) : sequence)).join('');
}

const asciiText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^ -~]/gu, '?');

function sequencesOf(protocol: NotificationProtocol, title: string, body: string): readonly string[] {
  switch (protocol) {
    case 'OSC 9':
      // Some terminals treat a leading number as a command.
      return [`${esc}]9;parcel-monitor: ${title} - ${body}${stringEnd}`];
    case 'OSC 777':
      // A semicolon ends the title.
      return [`${esc}]777;notify;${title.replaceAll(';', ',')};${body.replaceAll(';', ',')}${stringEnd}`];
    case 'OSC 99': {
      const part = (meta: string, text: string): string =>
        `${esc}]99;i=parcel-monitor:e=1:${meta};${Buffer.from(text, 'utf8').toString('base64')}${stringEnd}`;
      return [part('d=0:p=title', title), part('d=1:p=body', body)];
    }
  }
}

/** tmux passes the sequence on only if `allow-passthrough` is on. */
const wrapForTmux = (sequence: string): string => `${esc}Ptmux;${sequence.replaceAll(esc, `${esc}${esc}`)}${stringEnd}`;

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
  const known = terminalNotifications(environment);
  if (known === null) {
    return unusableChannel(
      'terminal',
      'This terminal probably does not support notifications. Use "bell" or "desktop".',
    );
  }
  const { protocol, terminal, isInTmux } = known;
  return {
    name: 'terminal',
    mechanism: `${terminal} notifications (${protocol})${isInTmux ? ', through tmux with "set -g allow-passthrough on"' : ''}`,
    unusable: null,
    send: async (notification) => {
      write(notificationSequence(known, notification, isAscii));
      return null;
    },
  };
}
