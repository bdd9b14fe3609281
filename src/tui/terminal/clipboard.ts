import type { CopyToDesktop } from '../../system/desktop.ts';
import { type Environment, isSet } from '../../system/environment.ts';

/** Which clipboard has a text now; `none` for a text that no clipboard takes. */
export type CopiedTo = 'desktop' | 'terminal' | 'none';

export type CopyText = (text: string) => Promise<CopiedTo>;

export interface Clipboards {
  readonly copyToDesktop: CopyToDesktop;
  /** What has the terminal take a text; null for one that is too long. */
  readonly clipboardSequence: (text: string) => string | null;
}

/**
 * Makes what copies: to the desktop's clipboard where there is one, else to the terminal's.
 * @param write writes to the terminal, between two frames
 */
export const createCopyText =
  ({ copyToDesktop, clipboardSequence }: Clipboards, write: (sequence: string) => void): CopyText =>
  async (text) => {
    if (await copyToDesktop(text)) return 'desktop';
    const sequence = clipboardSequence(text);
    if (sequence === null) return 'none';
    write(sequence);
    return 'terminal';
  };

/** Terminals take no longer texts than this, in bytes; most that have a limit have this one. */
const longestBytes = 74_994;
/** `screen` drops what is longer than some 768 bytes. */
const screenPiece = 512;

/**
 * What has the terminal put a text on its clipboard (OSC 52), which reaches the one in front of whoever looks at it, over
 * SSH, too; null for a text that is too long. The text goes in base64, so nothing in it can be a sequence of its own.
 */
export function clipboardSequence(text: string, environment: Environment): string | null {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > longestBytes) return null;
  const sequence = `\u001b]52;c;${bytes.toString('base64')}\u0007`;
  const { STY, TERM = '', TMUX } = environment;
  // tmux takes the plain one where it keeps the clipboard itself, and hands the wrapped one on where it may.
  if (isSet(TMUX) || TERM.startsWith('tmux')) return sequence + throughTmux(sequence);
  return isSet(STY) ? throughScreen(sequence) : sequence;
}

const throughTmux = (sequence: string): string =>
  `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;

function throughScreen(sequence: string): string {
  const pieces = sequence.match(new RegExp(`[^]{1,${screenPiece}}`, 'g')) ?? [];
  return pieces.map((piece) => `\u001bP${piece}\u001b\\`).join('');
}

/** Terminals that name themselves and draw links (OSC 8). */
const programs: ReadonlySet<string> = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Tabby', 'rio', 'mintty']);
const terms = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm|rio)/;
/** Variables that only such terminals set. */
const marks = ['WT_SESSION', 'KITTY_WINDOW_ID', 'ALACRITTY_WINDOW_ID', 'DOMTERM'] as const;

/** VTE draws links from 0.50 on, whose first release ends at one. */
const firstVte = 5001;
const firstKonsole = 201200;
/** tmux keeps links from 3.4 on; before, it and `screen` drop what they do not know. */
const firstTmux = 3.4;

/**
 * Whether the terminal is known to draw links; one that is not known shows plain text. `FORCE_HYPERLINK` decides where it is
 * set, 0 being no.
 */
export function knowsHyperlinks(environment: Environment): boolean {
  const { FORCE_HYPERLINK: forced = '', KONSOLE_VERSION, TERM = '', TERM_PROGRAM = '', VTE_VERSION } = environment;
  if (forced !== '') return forced !== '0' && forced !== 'false';
  if (TERM === 'dumb') return false;
  // What stands between us and the terminal decides, whatever the terminal is.
  if (TERM_PROGRAM === 'tmux') return Number.parseFloat(environment['TERM_PROGRAM_VERSION'] ?? '') >= firstTmux;
  if (isSet(environment['TMUX']) || isSet(environment['STY']) || /^(?:screen|tmux)/.test(TERM)) return false;
  return (
    programs.has(TERM_PROGRAM) ||
    terms.test(TERM) ||
    marks.some((name) => isSet(environment[name])) ||
    Number(VTE_VERSION) >= firstVte ||
    Number(KONSOLE_VERSION) >= firstKonsole
  );
}
