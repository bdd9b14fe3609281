import type { KeyPress } from './key-names.ts';

/** Keys by what terminals send for them; for some, `O` in the place of `[`, as programs may ask them to. */
const sentNames: Readonly<Record<string, string>> = {
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001b[C': 'right',
  '\u001b[D': 'left',
  '\u001b[H': 'home',
  '\u001b[1~': 'home',
  '\u001b[7~': 'home',
  '\u001b[F': 'end',
  '\u001b[4~': 'end',
  '\u001b[8~': 'end',
  '\u001b[5~': 'pageUp',
  '\u001b[6~': 'pageDown',
  '\u001b[3~': 'delete',
  '\t': 'tab',
  '\r': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u001b[Z': 'shift+tab',
  '\u001b[27u': 'escape',
};

/**
 * A key as the stream of keys hands it on, read without Ink; null for what only Ink can tell.
 * @param raw one key, as the terminal sends it
 */
export function pressOfRaw(raw: string): KeyPress | null {
  const name = sentNames[raw.replace(/^\u001bO(?=[A-DFH]$)/, '\u001b[')];
  if (name !== undefined) return { name, text: null };
  if (/^[\u0001-\u001a]$/.test(raw)) {
    return { name: `ctrl+${String.fromCharCode(raw.charCodeAt(0) + 0x60)}`, text: null };
  }
  return /[\u0000-\u001f\u007f]/.test(raw) ? null : { name: raw, text: raw };
}
