import { addKeys, openAdd } from '../add/input-bar.ts';
import { arrivalsKeys, openArrivals, openStatistics, statisticsKeys } from '../answers.ts';
import type { Board } from '../board.ts';
import { copyKeys, exportCommand } from '../copy.ts';
import { pickerKeys } from '../courier-picker.ts';
import { fieldKeys, lineEdited } from '../field/keys.ts';
import { filterKeys, openFilter } from '../filter.ts';
import { type HintedKey, showMessage } from '../footer.ts';
import { closeKey, helpKeys, openHelp, openPalette, showOverlay } from '../help/keys.ts';
import {
  type Binding,
  byTask,
  type KeyContext,
  type KeyGroup,
  type Move,
  movement,
  movementKeys,
  nextPane,
  previousPane,
} from '../keys/binding.ts';
import { moveWithin } from '../layout.ts';
import { archiveKey, leaveMarks, listKeys } from '../list/keys.ts';
import { columnKeys, openColumns, orderKeys, sortKeys } from '../menu-keys.ts';
import { markAllRead, markRead, newsFilterKeys, newsKeys, openNews } from '../news/keys.ts';
import { silenceKey } from '../notify.ts';
import { allParcelsKeys, parcelKeys } from '../parcel/keys.ts';
import { confirmKeys, promptKeys } from '../prompt.ts';
import { openFile, reopenScan, scanKeys } from '../scan/keys.ts';
import { openSetupKey, setupFieldKeys, setupKeys } from '../setup/keys.ts';
import { fieldOf } from '../setup/steps.ts';
import type { RunKeys } from '../terminal/sequences.ts';
import { cycleTimes, timelineKeys, toggleEnglish, toggleFacts, zoomKeys } from '../timeline/keys.ts';
import type { UiState } from '../ui-state.ts';
import { clearFilter, configuredViews, viewKeys } from '../views.ts';

export function keyContextOf(ui: UiState): KeyContext {
  const { columnMenu, focus, isNewsFilterTyped, overlay, picker, prompt, setupState, previousSorting } = ui;
  // Questions about a found number are asked while the list stays open.
  const isAsked = overlay === 'scan' && (picker !== null || prompt !== null);
  if (overlay === 'news' && isNewsFilterTyped) return 'news-filter';
  if (overlay !== null && !isAsked) return overlay;
  if (picker !== null) return 'picker';
  if (prompt !== null) return prompt.edit === null ? 'confirm' : 'prompt';
  if (setupState !== null && !(setupState.step === 'numbers' && focus === 'add')) {
    return fieldOf(setupState) === null ? 'setup' : 'setup-field';
  }
  if (columnMenu !== null) return 'columns';
  return previousSorting === null ? focus : 'order';
}

function goBack(board: Board): void {
  const { change, layout, monitor, state, ui } = board;
  if (ui.focus === 'list' && leaveMarks(board)) return;
  if (layout.kind === 'single' && layout.isZoomed) change({ zoom: null });
  else if (ui.focus !== 'list') change({ focus: 'list' });
  else if (ui.listed === 'archive' && ui.filter.text === '') change({ listed: 'watched', selectedIndex: 0 });
  else {
    const unfiltered = clearFilter(configuredViews(board), ui);
    if (unfiltered !== null) change(unfiltered);
    else if (state.notices.length > 0) monitor.dismissNotice();
  }
}

function suspend(board: Board): void {
  if (board.suspension === null) showMessage(board, 'This terminal has no shell to return to.');
  else board.suspension.request();
}

const openDetails: Binding = {
  id: 'details',
  keys: ['D'],
  description: 'Connection, calls and files',
  run: ({ change }) => change(showOverlay('details')),
};

const move: Move = ({ change, scroll }, by) => change({ overlayOffset: moveWithin(scroll.offset, by, scroll.last) });

const scrolledText = (
  context: 'details' | 'output',
  title: string,
  keys: readonly string[],
  description: string,
): KeyGroup => ({
  context,
  title,
  isClosed: true,
  bindings: [
    { id: 'down', keys: ['j', 'down'], hint: 'down', description: 'Down', ...movement('down', move) },
    { id: 'up', keys: ['k', 'up'], hint: 'up', description: 'Up', ...movement('up', move) },
    { id: 'page-down', keys: ['pageDown', 'ctrl+d', ' '], description: 'A page down', ...movement('page-down', move) },
    { id: 'page-up', keys: ['pageUp', 'ctrl+u'], description: 'A page up', ...movement('page-up', move) },
    openHelp,
    closeKey(keys, description),
  ],
});

const detailsKeys = scrolledText('details', 'Details', ['escape', 'D', 'enter', 'q'], 'Close the details');
const outputKeys = scrolledText('output', 'Output of your command', ['escape', 'enter', 'q'], 'Close the output');

/** Keys that work in all panes. Some also work in overlays and while typing. */
const everywhereKeys: KeyGroup = {
  context: 'global',
  title: 'Everywhere',
  ...byTask([
    { title: 'Add and find', bindings: [openAdd, openFile, reopenScan, openFilter, ...sortKeys, archiveKey] },
    { title: 'Views', bindings: viewKeys },
    { title: 'Overview', bindings: [openNews, openArrivals, openStatistics] },
    { title: 'Selected or marked parcels', bindings: [...parcelKeys, ...copyKeys, markRead] },
    { title: 'All parcels', bindings: [...allParcelsKeys, markAllRead, silenceKey, exportCommand] },
    {
      title: 'View',
      bindings: [openColumns, cycleTimes, toggleEnglish, toggleFacts, ...zoomKeys, nextPane, previousPane, openDetails],
    },
    {
      title: 'Program',
      bindings: [
        openHelp,
        openPalette,
        openSetupKey,
        {
          keys: ['escape'],
          description: 'Back one step; never quits',
          synonyms: ['zoom', 'unmark', 'close', 'cancel'],
          run: goBack,
        },
        {
          id: 'quit',
          keys: ['q'],
          hint: 'quit',
          description: 'Quit',
          synonyms: ['exit'],
          alwaysShown: true,
          run: (board) => board.quit(),
        },
        {
          keys: ['ctrl+c'],
          description: 'Quit, even while typing',
          always: true,
          run: (board) => board.quit('interrupted'),
        },
        { keys: ['ctrl+z'], description: 'Suspend; fg resumes', always: true, run: suspend },
        { keys: ['ctrl+l'], description: 'Redraw the screen', always: true, run: ({ redraw }) => redraw() },
      ],
    },
  ]),
};

/** All keys, in the order of the help. */
export const keymap: readonly KeyGroup[] = [
  everywhereKeys,
  listKeys,
  timelineKeys,
  addKeys,
  filterKeys,
  promptKeys,
  confirmKeys,
  pickerKeys,
  arrivalsKeys,
  statisticsKeys,
  newsKeys,
  newsFilterKeys,
  scanKeys,
  orderKeys,
  columnKeys,
  helpKeys,
  detailsKeys,
  outputKeys,
  setupKeys,
  setupFieldKeys,
  fieldKeys,
];

export type Keymap = readonly KeyGroup[];

/** The board with the user's key bindings applied. */
export interface KeyedBoard extends Board {
  readonly keymap: Keymap;
}

export const keysOf = (context: KeyContext, groups: Keymap = keymap): KeyGroup =>
  groups.find((group) => group.context === context) ?? everywhereKeys;

/** Edits the focused field, if there is one. */
export const lineEditing =
  (change: Board['change']): Board['editLine'] =>
  (command) =>
    change((ui) => {
      const { text } = keysOf(keyContextOf(ui));
      return text === undefined ? {} : lineEdited(ui, text, command);
    });

/** Returns a key's binding in a context, or null. */
export function findBinding(context: KeyContext, keyName: string, groups: Keymap = keymap): Binding | null {
  const within = ({ bindings }: KeyGroup): Binding | undefined =>
    bindings.find((binding) => binding.keys.includes(keyName));
  const group = keysOf(context, groups);
  const everywhere = within(keysOf('global', groups));
  const reaches = everywhere?.always === true || group.isClosed !== true;
  const typing = group.text === undefined ? undefined : within(fieldKeys);
  return within(group) ?? typing ?? (reaches ? everywhere : undefined) ?? null;
}

export function footerKeys(context: KeyContext, board: KeyedBoard): readonly HintedKey[] {
  const group = keysOf(context, board.keymap);
  const hinted = ({ bindings }: KeyGroup): readonly HintedKey[] =>
    bindings.flatMap((binding) => {
      const hint = typeof binding.hint === 'function' ? binding.hint(board) : binding.hint;
      return hint == null || binding.keys.length === 0 ? [] : [{ ...binding, hint }];
    });
  return group.isClosed === true ? hinted(group) : [...hinted(group), ...hinted(keysOf('global', board.keymap))];
}

const keysWith = ({ bindings }: KeyGroup, has: (binding: Binding) => boolean): ReadonlySet<string> =>
  new Set(bindings.filter(has).flatMap((binding) => binding.keys));

const movementIds: ReadonlySet<string | undefined> = new Set(movementKeys(() => undefined).map(({ id }) => id));

export function runKeysOf(groups: Keymap): RunKeys {
  const list = keysOf('list', groups);
  return {
    fieldOpeners: keysWith(keysOf('global', groups), ({ opensField }) => opensField === true),
    repeatingKeys: keysWith(list, ({ repeats }) => repeats === 'row'),
    navigationKeys: keysWith(list, ({ id }) => movementIds.has(id)),
  };
}

export const runKeys: RunKeys = runKeysOf(keymap);
