import type { Parcel } from '../../watchlist/model/parcel.ts';
import { told } from '../action-scope.ts';
import { submitDraft } from '../add/submit-draft.ts';
import { pastedText } from '../field/pasted-text.ts';
import { editCommandOf } from '../field/text-edit.ts';
import { movedSelection } from '../list/selection.ts';
import { openCourierPage } from '../parcel/page-actions.ts';
import { archive, refreshDue, refreshOne, retrack, togglePause, undo } from '../parcel/parcel-actions.ts';
import { chooseCourier, leavePicker, openPicker, pickCourierFor } from '../picker/picker-actions.ts';
import {
  answerPrompt,
  cancelPrompt,
  confirmPrompt,
  promptDelete,
  promptExtra,
  promptLabel,
} from '../prompt/prompt-actions.ts';
import type { BoardScope } from '../scope.ts';
import { keyContextOf, type Message, neighbourPane, nextTimeMode, type UiState } from '../state.ts';
import { longestPaste } from '../terminal/unfinished-paste.ts';
import type { KeyPress } from './key-names.ts';
import { type Action, findBinding, type KeyContext } from './keymap.ts';

type Movement = 'down' | 'up' | 'first' | 'last' | 'page-down' | 'page-up' | 'half-page-down' | 'half-page-up';

/** How far a movement goes, in rows, for a pane of so many. */
const distances: Readonly<Record<Movement, (pageRows: number) => number>> = {
  down: () => 1,
  up: () => -1,
  first: () => Number.NEGATIVE_INFINITY,
  last: () => Number.POSITIVE_INFINITY,
  'page-down': (pageRows) => Math.max(1, pageRows - 1),
  'page-up': (pageRows) => -Math.max(1, pageRows - 1),
  'half-page-down': (pageRows) => Math.max(1, Math.floor(pageRows / 2)),
  'half-page-up': (pageRows) => -Math.max(1, Math.floor(pageRows / 2)),
};

function move(scope: BoardScope, context: KeyContext, movement: Movement, times: number): void {
  const { dispatch, isOverBody, matches, order, pageRows, scrollLast, scrollOffset, selection, ui } = scope;
  const by = distances[movement](pageRows) * times;
  const within = (from: number, last: number): number => Math.min(Math.max(0, from + by), Math.max(0, last));
  if (isOverBody && context !== 'picker' && context !== 'filter') {
    dispatch({ kind: 'overlay-scrolled', to: within(scrollOffset, scrollLast) });
  } else if (context === 'list' || context === 'filter') {
    const { index, parcelId } = movedSelection(order, selection, by);
    dispatch({ kind: 'selected', parcelId, index });
  } else if (context === 'timeline') {
    dispatch({ kind: 'timeline-scrolled', to: within(scrollOffset, scrollLast) });
  } else if (context === 'picker') {
    dispatch({ kind: 'picker-moved', to: within(ui.picker?.index ?? 0, matches.length - 1) });
  }
}

/** One level back: overlay, picker, filter, pane. Never quits. */
function goBack(scope: BoardScope): void {
  const { dispatch, monitor, ui } = scope;
  if (ui.overlay !== null) dispatch({ kind: 'overlay-closed' });
  else if (ui.picker !== null) leavePicker(scope);
  else if (ui.prompt !== null) cancelPrompt(scope);
  else if (ui.focus === 'filter') dispatch({ kind: 'filter-cleared' });
  else if (ui.focus !== 'list') dispatch({ kind: 'focused', pane: 'list' });
  else if (ui.filter.text !== '') dispatch({ kind: 'filter-cleared' });
  else if (monitor.getState().notices.length > 0) monitor.dismissNotice();
}

function submit(scope: BoardScope, context: KeyContext): void {
  const { couriers, dispatch, matches, ui } = scope;
  if (context === 'filter') dispatch({ kind: 'focused', pane: 'list' });
  if (context === 'add') submitDraft(scope, couriers);
  if (context === 'prompt' && ui.prompt !== null) answerPrompt(scope, ui.prompt);
  if (context !== 'picker') return;
  const chosen = matches[ui.picker?.index ?? 0];
  const query = ui.picker?.query.trim() ?? '';
  if (chosen !== undefined) chooseCourier(scope, chosen.code);
  else if (couriers.status !== 'ready') leavePicker(scope);
  else dispatch({ kind: 'told', message: { text: `No courier matches "${query}".`, tone: 'attention' } });
}

type Performer = (scope: BoardScope, context: KeyContext, times: number) => void;

const moving =
  (movement: Movement): Performer =>
  (scope, context, times) =>
    move(scope, context, movement, times);

const focusing =
  (pane: UiState['focus']): Performer =>
  ({ dispatch }) =>
    dispatch({ kind: 'focused', pane });

const steppingPane =
  (step: 1 | -1): Performer =>
  ({ dispatch, ui }) =>
    dispatch({ kind: 'focused', pane: neighbourPane(ui.focus, step) });

const withSelected =
  (act: (scope: BoardScope, parcel: Parcel) => void): Performer =>
  (scope) => {
    if (scope.selected !== null) act(scope, scope.selected);
  };

const performers: Readonly<Record<Action, Performer>> = {
  quit: (scope) => scope.quit(),
  redraw: (scope) => scope.redraw(),
  suspend: ({ board, dispatch }) => {
    if (board.suspension === null) dispatch(told('This terminal has no shell to go back to.'));
    else board.suspension.request();
  },
  back: goBack,
  'next-pane': steppingPane(1),
  'previous-pane': steppingPane(-1),
  help: ({ dispatch }) => dispatch({ kind: 'overlay-opened', overlay: 'help' }),
  details: ({ dispatch }) => dispatch({ kind: 'overlay-opened', overlay: 'details' }),
  'focus-add': focusing('add'),
  'focus-filter': focusing('filter'),
  open: focusing('timeline'),
  zone: ({ board, dispatch, ui }) => {
    const timeMode = nextTimeMode(ui.timeMode);
    dispatch({ kind: 'time-mode-chosen', timeMode });
    board.keepTimeMode(timeMode);
  },
  'open-page': withSelected(openCourierPage),
  refresh: withSelected(refreshOne),
  'refresh-due': refreshDue,
  archive: withSelected(archive),
  undo,
  pause: togglePause,
  'open-picker': openPicker,
  'edit-label': withSelected(promptLabel),
  'edit-extra': withSelected(promptExtra),
  'change-courier': withSelected(pickCourierFor),
  retrack: withSelected(retrack),
  delete: withSelected(promptDelete),
  confirm: confirmPrompt,
  submit,
  down: moving('down'),
  up: moving('up'),
  first: moving('first'),
  last: moving('last'),
  'page-down': moving('page-down'),
  'page-up': moving('page-up'),
  'half-page-down': moving('half-page-down'),
  'half-page-up': moving('half-page-up'),
};

const editedBy: Readonly<Partial<Record<KeyContext, 'draft-edited' | 'filter-edited' | 'prompt-edited'>>> = {
  add: 'draft-edited',
  filter: 'filter-edited',
  prompt: 'prompt-edited',
};

/**
 * Does what a key means where the focus is. A message stays until the next key.
 * @param times how often it was pressed in a row; 1 but for keys that move
 */
export function handleKey(scope: BoardScope, press: KeyPress, times = 1): void {
  const { dispatch, ui } = scope;
  const context = keyContextOf(ui);
  dispatch({ kind: 'told', message: null });
  const binding = findBinding(context, press.name);
  if (binding !== null) {
    const { canAsk, selection } = scope;
    const why =
      binding.disabled?.({
        canAsk,
        selectedId: selection.parcelId,
        canUndo: scope.monitor.getState().undoable !== null,
      }) ?? null;
    if (why === null) performers[binding.action](scope, context, times);
    else dispatch({ kind: 'told', message: { text: why, tone: 'plain' } });
    return;
  }
  const kind = editedBy[context];
  if (kind === undefined) return;
  const command = press.text === null ? editCommandOf(press.name) : { kind: 'insert' as const, text: press.text };
  if (command !== null) dispatch({ kind, command });
}

/** What the line that takes a paste holds already. */
const textOf = (ui: UiState, context: KeyContext): string => {
  if (context === 'picker') return ui.picker?.query ?? '';
  if (context === 'filter') return ui.filter.text;
  return (context === 'prompt' ? ui.prompt?.edit : ui.draft)?.text ?? '';
};

const cutMessage: Message = {
  text: `The line is full: it takes ${longestPaste} characters. "parcel-monitor import" reads files of any length.`,
  tone: 'attention',
};

/** A paste goes where text goes: the filter when that has the focus, else the input bar. */
export function handlePaste(scope: BoardScope, paste: string): void {
  const { dispatch, ui } = scope;
  const context = keyContextOf(ui);
  const goesToBar = !['filter', 'prompt', 'picker'].includes(context);
  const room = Math.max(0, longestPaste - textOf(ui, context).length);
  const text = pastedText(paste.slice(0, room), goesToBar ? '\n' : ', ');
  const isCut = paste.length > room;
  if (text === '' && !isCut) return;
  dispatch({ kind: 'told', message: isCut ? cutMessage : null });
  if (context === 'confirm') return;
  const kind = context === 'add' ? undefined : editedBy[context];
  if (kind !== undefined) dispatch({ kind, command: { kind: 'insert', text } });
  else if (context === 'picker') dispatch({ kind: 'picker-query-changed', query: `${ui.picker?.query ?? ''}${text}` });
  else {
    if (ui.overlay !== null) dispatch({ kind: 'overlay-closed' });
    if (ui.focus !== 'add') dispatch({ kind: 'focused', pane: 'add' });
    // A read that ends with an @ was typed that far; the courier comes next.
    const asksForCourier = text.endsWith('@') && context === 'add';
    dispatch({
      kind: 'draft-edited',
      command: { kind: 'insert', text: asksForCourier ? text.slice(0, -1) : text },
    });
    if (asksForCourier) openPicker(scope);
  }
}
