import type { CopyToDesktop } from '../../system/desktop.ts';
import { type Environment, isSet } from '../../system/environment.ts';
import type { Terminal } from '../../system/terminal.ts';

/** The clipboard that received the text. `none` if none accepted it. */
export type CopiedTo = 'desktop' | 'terminal' | 'none';

export type CopyText = (text: string) => Promise<CopiedTo>;

/** Copies to the desktop clipboard, or to the terminal's clipboard if there is no desktop. */
export const createCopyText =
  (copyToDesktop: CopyToDesktop, environment: Environment, terminal: Pick<Terminal, 'write'>): CopyText =>
  async (text) => {
    if (await copyToDesktop(text)) return 'desktop';
    const sequence = clipboardSequence(text, environment);
    if (sequence === null) return 'none';
    terminal.write(sequence);
    return 'terminal';
  };

/** The longest text that terminals accept, in bytes. */
const maxBytes = 74_994;
/** GNU Screen drops longer sequences, so text is sent in chunks of this length. */
const screenChunkLength = 512;

/**
 * Returns the sequence that copies text to the terminal's clipboard (OSC 52), which also works over SSH, or null if the
 * text is too long. Escape sequences in the text have no effect, because it is sent as base64.
 */
export function clipboardSequence(text: string, environment: Environment): string | null {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > maxBytes) return null;
  const sequence = `\u001b]52;c;${bytes.toString('base64')}\u0007`;
  const { STY, TERM = '', TMUX } = environment;
  // tmux handles the plain sequence if it manages the clipboard, and forwards the wrapped one to the terminal.
  if (isSet(TMUX) || TERM.startsWith('tmux')) return sequence + throughTmux(sequence);
  return isSet(STY) ? throughScreen(sequence) : sequence;
}

const throughTmux = (sequence: string): string =>
  `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;

function throughScreen(sequence: string): string {
  const chunks = sequence.match(new RegExp(`[^]{1,${screenChunkLength}}`, 'g')) ?? [];
  return chunks.map((chunk) => `\u001bP${chunk}\u001b\\`).join('');
}

/** Terminals that support hyperlinks (OSC 8). */
const hyperlinkPrograms: ReadonlySet<string> = new Set([
  'iTerm.app',
  'WezTerm',
  'vscode',
  'ghostty',
  'Tabby',
  'rio',
  'mintty',
]);
const hyperlinkTerms = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm|rio)/;
/** Environment variables that only these terminals set. */
const hyperlinkVariables = ['WT_SESSION', 'KITTY_WINDOW_ID', 'ALACRITTY_WINDOW_ID', 'DOMTERM'] as const;

/** VTE supports links since version 0.50. */
const minVteVersion = 5001;
const minKonsoleVersion = 201200;
/** tmux forwards links since version 3.4. Older versions and GNU Screen drop them. */
const minTmuxVersion = 3.4;

/** Whether the terminal is known to support hyperlinks. `FORCE_HYPERLINK` overrides this; `0` and `false` mean no. */
export function supportsHyperlinks(environment: Environment): boolean {
  const { FORCE_HYPERLINK: forced = '', KONSOLE_VERSION, TERM = '', TERM_PROGRAM = '', VTE_VERSION } = environment;
  if (forced !== '') return forced !== '0' && forced !== 'false';
  if (TERM === 'dumb') return false;
  // Inside a multiplexer, its own support matters, not that of the terminal.
  if (TERM_PROGRAM === 'tmux') return Number.parseFloat(environment['TERM_PROGRAM_VERSION'] ?? '') >= minTmuxVersion;
  if (isSet(environment['TMUX']) || isSet(environment['STY']) || /^(?:screen|tmux)/.test(TERM)) return false;
  return (
    hyperlinkPrograms.has(TERM_PROGRAM) ||
    hyperlinkTerms.test(TERM) ||
    hyperlinkVariables.some((name) => isSet(environment[name])) ||
    Number(VTE_VERSION) >= minVteVersion ||
    Number(KONSOLE_VERSION) >= minKonsoleVersion
  );
}
