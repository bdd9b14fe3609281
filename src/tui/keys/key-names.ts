import type { Key } from 'ink';
import type { GlyphSet } from '../../lib/paint.ts';
import { nearestWord } from '../../lib/text.ts';

export interface KeyPress {
  /** `j`, `G`, `enter`, `escape`, `up`, `pageDown`, `ctrl+u`, `shift+tab`, `alt+b`, … */
  readonly name: string;
  /** Null if the key types nothing. */
  readonly text: string | null;
}

const namedKeys: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageUp'],
  ['pageDown', 'pageDown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
];

/** The sequences that VT terminals, xterm and the Linux console send for F1 to F12. */
const functionKeys: Readonly<Record<string, string>> = Object.fromEntries(
  ['OP [11~ [[A', 'OQ [12~ [[B', 'OR [13~ [[C', 'OS [14~ [[D', '[15~ [[E']
    .concat(['[17~', '[18~', '[19~', '[20~', '[21~', '[23~', '[24~'])
    .flatMap((sequences, at) => sequences.split(' ').map((sequence) => [`\u001b${sequence}`, `F${at + 1}`])),
);

/** @param sequence what the terminal sent, because Ink does not distinguish function keys */
export function toKeyPress(input: string, key: Key, sequence = ''): KeyPress {
  const functionKey = functionKeys[sequence];
  if (functionKey !== undefined) return { name: functionKey, text: null };
  const keyName = namedKeys.find(([flag]) => key[flag] === true)?.[1];
  const control = key.ctrl ? 'ctrl+' : '';
  const alt = key.meta && keyName !== 'escape' ? 'alt+' : '';
  if (keyName !== undefined) {
    const shift = key.shift && keyName === 'tab' ? 'shift+' : '';
    return { name: `${control}${alt}${shift}${keyName}`, text: null };
  }
  const name = `${control}${alt}${input}`;
  return { name, text: control === '' && alt === '' && input !== '' ? input : null };
}

const symbolKeyCaps: Readonly<Record<string, string>> = {
  enter: '⏎',
  escape: 'Esc',
  tab: 'Tab',
  'shift+tab': 'Shift+Tab',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageUp: 'PgUp',
  pageDown: 'PgDn',
  home: 'Home',
  end: 'End',
  backspace: 'Backspace',
  delete: 'Del',
  ' ': 'Space',
};

/** Replacements for symbols that are not ASCII. */
const asciiKeyCaps: Readonly<Record<string, string>> = {
  enter: 'Enter',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
};

/** Returns the key caps. All keys from 1 to 9 together are `1-9`. */
export function keyCaps(keyNames: readonly string[], glyphs: GlyphSet): readonly string[] {
  const isDigits = keyNames.join('') === '123456789';
  return isDigits ? ['1-9'] : keyNames.map((keyName) => keyCap(keyName, glyphs));
}

export function keyCap(keyName: string, glyphs: GlyphSet): string {
  const [, modifier, key] = /^(ctrl|alt)\+(.+)$/.exec(keyName) ?? [];
  if (key !== undefined) return `${modifier === 'ctrl' ? 'Ctrl' : 'Alt'}+${keyCap(key, glyphs)}`;
  return (glyphs === 'ascii' ? asciiKeyCaps[keyName] : undefined) ?? symbolKeyCaps[keyName] ?? keyName;
}

/** Keys as written in the setting `keys`, and their names in this program. */
const keySpellings: ReadonlyMap<string, string> = new Map([
  ...Object.entries(symbolKeyCaps).map(([name, cap]) => [cap, name] as const),
  ...Object.entries(asciiKeyCaps).map(([name, cap]) => [cap, name] as const),
  ['PageUp', 'pageUp'],
  ['PageDown', 'pageDown'],
  ['Delete', 'delete'],
  ['Escape', 'escape'],
  ...Object.values(functionKeys).map((name) => [name, name] as const),
  // Terminals send Ctrl+H, I, J and M as Backspace, Tab and Enter.
  ...[...'abcdefgklnopqrstuvwxyz'].map((letter) => [`Ctrl+${letter}`, `ctrl+${letter}`] as const),
]);

/** Parses a key as written in the setting `keys`, such as `a`, `F5` or `Ctrl+t`. Returns null if it is unknown. */
export function parseKey(written: string): string | null {
  const trimmed = written.trim();
  if (/^[!-~]$/.test(trimmed)) return trimmed;
  const folded = trimmed.toLowerCase();
  return [...keySpellings].find(([name]) => name.toLowerCase() === folded)?.[1] ?? null;
}

export const nearestKey = (written: string): string | null => nearestWord(written, keySpellings.keys());
