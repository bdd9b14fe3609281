import type { KeyGroup } from '../keys/binding.ts';
import { lineKeys } from './line-keys.ts';

/** Keys that edit a line, wherever one is typed; a pane or overlay may have given some of them another meaning. */
export const fieldKeys: KeyGroup = {
  context: 'field',
  title: 'While typing',
  bindings: lineKeys.map(({ command, ...key }) => ({ ...key, run: ({ editLine }) => editLine(command) })),
};
