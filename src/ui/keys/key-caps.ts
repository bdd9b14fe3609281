import type { GlyphSet } from '../../board/text/line.ts';

const keyCaps: Readonly<Record<string, string>> = {
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

/** A key as people write it. */
export function keyCap(keyName: string, glyphs: GlyphSet = 'symbols'): string {
  const control = /^ctrl\+(.)$/.exec(keyName)?.[1];
  if (control !== undefined) return `Ctrl+${control}`;
  return (glyphs === 'ascii' ? asciiKeyCaps[keyName] : undefined) ?? keyCaps[keyName] ?? keyName;
}
