import { type Environment, isSet } from '../../process/environment.ts';

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
