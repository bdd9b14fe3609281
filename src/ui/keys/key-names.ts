import type { Key } from 'ink';

/** One key press: its name for the keymap, and the text it types, if any. */
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

/** Reads Ink's key event as a key press. */
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
