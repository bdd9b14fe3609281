import type { GlyphSet } from '../../board/text/line.ts';

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

/** Wider than the signs, so that a layout has to know of them. */
const asciiKeyCaps: Readonly<Record<string, string>> = {
  enter: 'Enter',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
};

/** Keys as people write them. */
export const keyCaps = (keyNames: readonly string[], glyphs: GlyphSet): readonly string[] =>
  keyNames.map((keyName) => keyCap(keyName, glyphs));

/** A key as people write it. */
export function keyCap(keyName: string, glyphs: GlyphSet): string {
  const [, modifier, key] = /^(ctrl|alt)\+(.+)$/.exec(keyName) ?? [];
  if (key !== undefined) return `${modifier === 'ctrl' ? 'Ctrl' : 'Alt'}+${keyCap(key, glyphs)}`;
  return (glyphs === 'ascii' ? asciiKeyCaps[keyName] : undefined) ?? symbolKeyCaps[keyName] ?? keyName;
}
