import { type Action, findBinding, type KeyContext } from './keymap.ts';

const movements: ReadonlySet<Action> = new Set<Action>([
  'down',
  'up',
  'page-down',
  'page-up',
  'half-page-down',
  'half-page-up',
]);

/** Keys by what terminals send for them. */
const names: Readonly<Record<string, string>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[5~': 'pageUp',
  '\u001b[6~': 'pageDown',
  '\t': 'tab',
  '\u001b[Z': 'shift+tab',
};

/**
 * Whether a key, as the terminal sends it, moves something in a context: then many of it do what one of it does with a
 * longer way, and a key that was held down does not keep those behind it waiting.
 */
export function isRepeatable(context: KeyContext, raw: string): boolean {
  const control = /^[\u0001-\u001a]$/.test(raw) ? `ctrl+${String.fromCharCode(raw.charCodeAt(0) + 0x60)}` : raw;
  const action = findBinding(context, names[raw] ?? control)?.action;
  return action !== undefined && movements.has(action);
}
