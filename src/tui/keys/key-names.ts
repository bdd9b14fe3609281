import type { Key } from 'ink';
import type { GlyphSet } from '../../lib/paint.ts';

export interface KeyPress {
  /** `j`, `G`, `enter`, `escape`, `up`, `pageDown`, `ctrl+u`, `shift+tab`, `alt+b`, … */
  readonly name: string;
  /** Null for keys that type nothing. */
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

export function keyPressOf(input: string, key: Key): KeyPress {
  const named = namedKeys.find(([flag]) => key[flag] === true)?.[1];
  const control = key.ctrl ? 'ctrl+' : '';
  const alt = key.meta && named !== 'escape' ? 'alt+' : '';
  if (named !== undefined) {
    const shift = key.shift && named === 'tab' ? 'shift+' : '';
    return { name: `${control}${alt}${shift}${named}`, text: null };
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

/** Wider than the signs. */
const asciiKeyCaps: Readonly<Record<string, string>> = {
  enter: 'Enter',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
};

export const keyCaps = (keyNames: readonly string[], glyphs: GlyphSet): readonly string[] =>
  keyNames.map((keyName) => keyCap(keyName, glyphs));

export function keyCap(keyName: string, glyphs: GlyphSet): string {
  const [, modifier, key] = /^(ctrl|alt)\+(.+)$/.exec(keyName) ?? [];
  if (key !== undefined) return `${modifier === 'ctrl' ? 'Ctrl' : 'Alt'}+${keyCap(key, glyphs)}`;
  return (glyphs === 'ascii' ? asciiKeyCaps[keyName] : undefined) ?? symbolKeyCaps[keyName] ?? keyName;
}
