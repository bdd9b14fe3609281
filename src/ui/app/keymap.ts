import { addKeys } from '../add/keys.ts';
import { detailsKeys } from '../details/keys.ts';
import { filterKeys } from '../filter/keys.ts';
import { helpKeys } from '../help/keys.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import type { KeyContext } from '../keys/context.ts';
import { movementKeys } from '../keys/movement.ts';
import { listKeys } from '../list/keys.ts';
import { newsKeys } from '../news/keys.ts';
import { orderKeys } from '../order/keys.ts';
import { pickerKeys } from '../picker/keys.ts';
import { confirmKeys, promptKeys } from '../prompt/keys.ts';
import { scanKeys } from '../scan/keys.ts';
import { setupFieldKeys, setupKeys } from '../setup/keys.ts';
import type { RunKeys } from '../terminal/tokens.ts';
import { timelineKeys } from '../timeline/keys.ts';
import { fieldKeys, lineEdited } from '../typing/keys.ts';
import type { Board } from './board.ts';
import { everywhereKeys } from './everywhere.ts';
import { keyContextOf } from './state.ts';

/** All keys of the board, in the order of the help. */
export const keymap: readonly KeyGroup<Board['ui'], Board>[] = [
  everywhereKeys,
  listKeys,
  timelineKeys,
  addKeys,
  filterKeys,
  promptKeys,
  confirmKeys,
  pickerKeys,
  newsKeys,
  scanKeys,
  orderKeys,
  helpKeys,
  detailsKeys,
  setupKeys,
  setupFieldKeys,
  fieldKeys,
];

/** The keys of a context. */
export const keysOf = (context: KeyContext): KeyGroup<Board['ui'], Board> =>
  keymap.find((group) => group.context === context) ?? everywhereKeys;

/** What edits the line of the focused field; where there is none, nothing happens. */
export const lineEditing =
  (change: Board['change']): Board['editLine'] =>
  (command) =>
    change((ui) => {
      const { text } = keysOf(keyContextOf(ui));
      return text === undefined ? {} : lineEdited(ui, text, command);
    });

/** The binding of a key in a context, or null. */
export function findBinding(context: KeyContext, keyName: string): Binding<Board> | null {
  const within = ({ bindings }: KeyGroup<Board['ui'], Board>): Binding<Board> | undefined =>
    bindings.find((binding) => binding.keys.includes(keyName));
  const group = keysOf(context);
  const everywhere = within(everywhereKeys);
  const reaches = everywhere?.always === true || group.isClosed !== true;
  const typing = group.text === undefined ? undefined : within(fieldKeys);
  return within(group) ?? typing ?? (reaches ? everywhere : undefined) ?? null;
}

/** Bindings with a footer hint, those of the context before the ones that hold everywhere. */
export function footerBindings(context: KeyContext): readonly Binding<Board>[] {
  const group = keysOf(context);
  const hinted = ({ bindings }: KeyGroup<Board['ui'], Board>): readonly Binding<Board>[] =>
    bindings.filter(({ hint }) => hint !== undefined);
  return group.isClosed === true ? hinted(group) : [...hinted(group), ...hinted(everywhereKeys)];
}

const keysWith = (
  { bindings }: KeyGroup<Board['ui'], Board>,
  has: (binding: Binding<Board>) => boolean,
): ReadonlySet<string> => new Set(bindings.filter(has).flatMap((binding) => binding.keys));

/** Keys that tell what was typed from what was pasted. */
export const runKeys: RunKeys = {
  leadToField: keysWith(everywhereKeys, ({ leadsToField }) => leadsToField === true),
  heldDown: keysWith(listKeys, ({ repeats }) => repeats === 'row'),
  moving: new Set(movementKeys(() => undefined).flatMap(({ keys }) => keys)),
};
