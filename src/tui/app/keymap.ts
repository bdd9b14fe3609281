import { addKeys, openAdd } from '../add/input-bar.ts';
import { arrivalsKeys, openArrivals, openStatistics, statisticsKeys } from '../answers.ts';
import type { Board } from '../board.ts';
import { copyKeys, exportCommand } from '../copy.ts';
import { pickerKeys } from '../courier-picker.ts';
import { editLine, fieldKeys } from '../field/keys.ts';
import { filterKeys, openFilter } from '../filter.ts';
import { type HintedKey, showMessage } from '../footer.ts';
import { closeKey, helpKeys, openHelp, openPalette, showOverlay } from '../help/keys.ts';
import {
  type Binding,
  groupByTask,
  type KeyContext,
  type KeyGroup,
  type Move,
  movement,
  movementKeys,
  nextPane,
  previousPane,
} from '../keys/binding.ts';
import { moveWithin } from '../layout.ts';
import { archiveKey, clearMarks, listKeys } from '../list/keys.ts';
import { columnKeys, openColumns, orderKeys, sortKeys } from '../menu-keys.ts';
import { markAllRead, markRead, newsFilterKeys, newsKeys, openNews } from '../news/keys.ts';
import { muteKey } from '../notify.ts';
import { allParcelsKeys, parcelKeys } from '../parcel/keys.ts';
import { confirmKeys, promptKeys } from '../prompt.ts';
import { openFile, reopenScan, scanKeys } from '../scan/keys.ts';
import { openSetupKey, setupFieldKeys, setupKeys } from '../setup/keys.ts';
import { currentField } from '../setup/steps.ts';
import type { RunKeys } from '../terminal/input-tokens.ts';
import { cycleTimeModes, timelineKeys, toggleEnglish, toggleFacts, zoomKeys } from '../timeline/keys.ts';
import type { UiState } from '../ui-state.ts';
import { clearFilter, configuredViews, viewKeys } from '../views.ts';

export function currentKeyContext(ui: UiState): KeyContext {
  const { columnMenu, focus, isNewsFilterTyped, overlay, picker, prompt, setupState, previousSorting } = ui;
  // Questions about a found number are asked while the list stays open.
  const isScanQuestion = overlay === 'scan' && (picker !== null || prompt !== null);
  if (overlay === 'news' && isNewsFilterTyped) return 'news-filter';
  if (overlay !== null && !isScanQuestion) return overlay;
  if (picker !== null) return 'picker';
  if (prompt !== null) return prompt.edit === null ? 'confirm' : 'prompt';
  if (setupState !== null && !(setupState.step === 'numbers' && focus === 'add')) {
    return currentField(setupState) === null ? 'setup' : 'setup-field';
  }
  if (columnMenu !== null) return 'columns';
  return previousSorting === null ? focus : 'order';
}

function goBack(board: Board): void {
  const { change, layout, monitor, state, ui } = board;
  if (ui.focus === 'list' && clearMarks(board)) return;
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

const textOverlayKeys = (
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

const detailsKeys = textOverlayKeys('details', 'Details', ['escape', 'D', 'enter', 'q'], 'Close the details');
const outputKeys = textOverlayKeys('output', 'Output of your command', ['escape', 'enter', 'q'], 'Close the output');

/** Keys that work in all panes. Some also work in overlays and while typing. */
const everywhereKeys: KeyGroup = {
  context: 'global',
  title: 'Everywhere',
  ...groupByTask([
    { title: 'Add and find', bindings: [openAdd, openFile, reopenScan, openFilter, ...sortKeys, archiveKey] },
    { title: 'Views', bindings: viewKeys },
    { title: 'Overview', bindings: [openNews, openArrivals, openStatistics] },
    { title: 'Selected or marked parcels', bindings: [...parcelKeys, ...copyKeys, markRead] },
    { title: 'All parcels', bindings: [...allParcelsKeys, markAllRead, muteKey, exportCommand] },
    {
      title: 'View',
      bindings: [
        openColumns,
        cycleTimeModes,
        toggleEnglish,
        toggleFacts,
        ...zoomKeys,
        nextPane,
        previousPane,
        openDetails,
      ],
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

export const keyGroupFor = (context: KeyContext, groups: Keymap = keymap): KeyGroup =>
  groups.find((group) => group.context === context) ?? everywhereKeys;

/** Edits the focused field, if there is one. */
export const createEditLine =
  (change: Board['change']): Board['editLine'] =>
  (command) =>
    change((ui) => {
      const { text } = keyGroupFor(currentKeyContext(ui));
      return text === undefined ? {} : editLine(ui, text, command);
    });

/** Returns a key's binding in a context, or null. */
export function findBinding(context: KeyContext, keyName: string, groups: Keymap = keymap): Binding | null {
  const findIn = ({ bindings }: KeyGroup): Binding | undefined =>
    bindings.find((binding) => binding.keys.includes(keyName));
  const group = keyGroupFor(context, groups);
  const globalBinding = findIn(keyGroupFor('global', groups));
  const reachesGlobal = globalBinding?.always === true || group.isClosed !== true;
  const fieldBinding = group.text === undefined ? undefined : findIn(fieldKeys);
  return findIn(group) ?? fieldBinding ?? (reachesGlobal ? globalBinding : undefined) ?? null;
}

export function footerKeys(context: KeyContext, board: KeyedBoard): readonly HintedKey[] {
  const group = keyGroupFor(context, board.keymap);
  const withHints = ({ bindings }: KeyGroup): readonly HintedKey[] =>
    bindings.flatMap((binding) => {
      const hint = typeof binding.hint === 'function' ? binding.hint(board) : binding.hint;
      return hint == null || binding.keys.length === 0 ? [] : [{ ...binding, hint }];
    });
  return group.isClosed === true
    ? withHints(group)
    : [...withHints(group), ...withHints(keyGroupFor('global', board.keymap))];
}

const keysWhere = ({ bindings }: KeyGroup, isMatch: (binding: Binding) => boolean): ReadonlySet<string> =>
  new Set(bindings.filter(isMatch).flatMap((binding) => binding.keys));

const movementIds: ReadonlySet<string | undefined> = new Set(movementKeys(() => undefined).map(({ id }) => id));

export function toRunKeys(groups: Keymap): RunKeys {
  const list = keyGroupFor('list', groups);
  return {
    fieldOpeners: keysWhere(keyGroupFor('global', groups), ({ opensField }) => opensField === true),
    repeatingKeys: keysWhere(list, ({ repeats }) => repeats === 'row'),
    navigationKeys: keysWhere(list, ({ id }) => movementIds.has(id)),
  };
}

export const runKeys: RunKeys = toRunKeys(keymap);
