import { type Completions, completionsAt, findByPrefix } from '../../board/input/completions.ts';
import type { Board } from '../board.ts';
import { complete } from '../field/keys.ts';
import { showMessage } from '../footer.ts';
import { type Binding, type EditedText, fieldMovementKeys, type KeyGroup } from '../keys/binding.ts';
import { moveWithin } from '../layout.ts';
import { createEdit, emptyEdit } from '../text-edit.ts';
import type { OverlayState, UiState } from '../ui-state.ts';

export const showOverlay = (overlay: OverlayState['overlay']): OverlayState => ({ overlay, overlayOffset: 0 });

const initialHelp: Pick<UiState, 'helpShowsAll' | 'helpIndex' | 'helpQuery'> = {
  helpShowsAll: false,
  helpIndex: -1,
  helpQuery: emptyEdit,
};

const showHelp = ({ overlayUnderHelp, overlay, overlayOffset }: UiState): Partial<UiState> => ({
  ...showOverlay('help'),
  ...initialHelp,
  overlayUnderHelp: overlay === 'help' ? overlayUnderHelp : overlay === null ? null : { overlay, overlayOffset },
});

export const overlayBelowHelp = ({
  overlayUnderHelp,
  overlay,
}: Pick<UiState, 'overlayUnderHelp' | 'overlay'>): OverlayState['overlay'] =>
  overlay === 'help' ? (overlayUnderHelp?.overlay ?? null) : overlay;

export const closeKey = (keys: readonly string[], description: string): Binding => ({
  id: 'close',
  keys,
  hint: 'close',
  description,
  alwaysShown: true,
  run: ({ change }) => change(showOverlay(null)),
});

/** Closes an overlay, even if the help is open over it. */
export const closeOverlay =
  (closed: OverlayState['overlay']) =>
  ({ overlayUnderHelp, overlay }: UiState): Partial<UiState> => ({
    ...(overlay === closed ? showOverlay(null) : {}),
    overlayUnderHelp: overlayUnderHelp?.overlay === closed ? null : overlayUnderHelp,
  });

/** Closes the help and returns to the previous overlay, if any. */
export const closeHelp = ({ overlayUnderHelp, overlay, overlayOffset }: UiState): Partial<UiState> => ({
  ...initialHelp,
  ...(overlay === 'help' ? (overlayUnderHelp ?? showOverlay(null)) : { overlay, overlayOffset }),
  overlayUnderHelp: null,
});

export const openHelp: Binding = {
  id: 'help',
  keys: ['?'],
  hint: 'help',
  description: 'Help: type an action',
  synonyms: ['symbols', 'signs', 'legend'],
  alwaysShown: true,
  opensField: true,
  run: ({ change }) => change(showHelp),
};

export const openPalette: Binding = {
  id: 'palette',
  keys: [':'],
  description: 'Commands, such as :order label',
  synonyms: ['palette', 'command'],
  opensField: true,
  run: ({ change }) => change((ui) => ({ ...showHelp(ui), helpQuery: createEdit(':') })),
};

/** Moves the selection and scrolls to it. Past the ends, and for whole pages without a query, only scrolls. */
function move(board: Board, by: number): void {
  const { change, overlay, scroll, ui } = board;
  const choices = overlay?.choices ?? [];
  const helpIndex = moveWithin(ui.helpIndex, by, choices.length - 1);
  const choice = choices[helpIndex];
  const isPage = !hasQuery(board) && Math.abs(by) > 1;
  if (isPage || choice === undefined || helpIndex === ui.helpIndex) {
    change({ overlayOffset: moveWithin(scroll.offset, by, scroll.last) });
    return;
  }
  // Scrolls to the heading above the first key, too.
  const top = helpIndex === 0 ? 0 : choice.from;
  const scrolledOffset = Math.min(Math.max(scroll.offset, choice.to - scroll.rows), top);
  const remainingRows = by - (helpIndex - ui.helpIndex);
  change({ helpIndex, overlayOffset: moveWithin(scrolledOffset, remainingRows, scroll.last) });
}

/** Whether the query is a command, such as `:courier dhl`. */
export const isPalette = (query: string): boolean => query.startsWith(':');

/** Completes the name of a command, or its argument after a space. */
function completeCommand({ overlay, ui }: Board): Completions | null {
  const { cursor, text } = ui.helpQuery;
  if (!isPalette(text) || cursor < text.length) return null;
  const commands = (overlay?.choices ?? []).flatMap(({ command }) => command ?? []);
  const argumentAt = text.indexOf(' ') + 1;
  if (argumentAt === 0)
    return completionsAt(
      1,
      text.length,
      findByPrefix(
        commands.map(({ name }) => name),
        text.slice(1),
      ),
    );
  const suggestions = commands[0]?.suggestions() ?? [];
  return completionsAt(argumentAt, text.length, findByPrefix(suggestions, text.slice(argumentAt)));
}

function handleTab(board: Board): void {
  if (!isPalette(board.ui.helpQuery.text))
    board.change(({ helpShowsAll }) => ({ helpShowsAll: !helpShowsAll, helpIndex: -1, overlayOffset: 0 }));
  else if (!complete(board, searchText)) showMessage(board, 'Nothing to complete.');
}

const searchText: EditedText = {
  read: ({ helpQuery }) => helpQuery,
  write: ({ helpIndex, helpQuery, overlayOffset }, edit) => {
    if (edit.text === helpQuery.text) return { helpQuery: edit, helpIndex, overlayOffset };
    return { helpQuery: edit, helpIndex: edit.text.trim() === '' ? -1 : 0, overlayOffset: 0 };
  },
  complete: completeCommand,
};

const hasQuery = ({ ui }: Board): boolean => ui.helpQuery.text.trim() !== '';

function runSelected(board: Board): void {
  const { change, overlay, ui } = board;
  const choice = overlay?.choices[ui.helpIndex];
  if (choice === undefined && hasQuery(board)) return;
  if (choice?.disabledReason != null) showMessage(board, choice.disabledReason);
  else {
    change(closeHelp);
    choice?.run();
  }
}

function goBack({ change, ui }: Board): void {
  if (ui.helpQuery.text === '' || isPalette(ui.helpQuery.text)) change(closeHelp);
  else change({ ...initialHelp, overlayOffset: 0 });
}

export const helpKeys: KeyGroup = {
  context: 'help',
  title: 'Help',
  isClosed: true,
  text: searchText,
  bindings: [
    ...fieldMovementKeys('key', move).map((binding) => ({
      ...binding,
      keys: binding.keys.filter((key) => !key.endsWith('tab')),
    })),
    {
      keys: ['tab'],
      hint: ({ ui }) => (isPalette(ui.helpQuery.text) ? 'complete' : ui.helpShowsAll ? 'keys here' : 'all keys'),
      description: 'Show the keys of all panes; complete a command',
      run: handleTab,
    },
    {
      keys: ['enter'],
      hint: (board) => (board.ui.helpIndex < 0 && !hasQuery(board) ? 'close' : 'run'),
      description: 'Run the selected action',
      alwaysShown: true,
      run: runSelected,
    },
    {
      keys: ['escape'],
      hint: 'back',
      description: 'Clear the text, then close the help',
      alwaysShown: true,
      run: goBack,
    },
    { keys: ['?'], description: 'Close the help', run: ({ change }) => change(closeHelp) },
  ],
};
