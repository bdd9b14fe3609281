import { useEffect, useEffectEvent, useRef } from 'react';
import { type ColumnName, columnAt, columnTitle, headingRows, listColumns } from '../../board/list/list-columns.ts';
import type { ListRow } from '../../board/list/list-rows.ts';
import { type SortOrder, sortOrders } from '../../board/list/sort-orders.ts';
import type { EpochMs } from '../../lib/clock.ts';
import type { Terminal } from '../../system/terminal.ts';
import { openAdd } from '../add/input-bar.ts';
import { showMessage } from '../footer.ts';
import { disabledReason, type KeyContext } from '../keys/binding.ts';
import { centredOffset, innerSize, type mainPanes } from '../layout.ts';
import { scrollTimeline, toggleGroup } from '../list/keys.ts';
import { listHeight, listTabs } from '../list/parcel-list.tsx';
import { applySelection, scrollListBy, selectRow } from '../list/state.ts';
import { sortByColumn } from '../menu-keys.ts';
import { changeScan, firstNumberRow } from '../scan/found-numbers.ts';
import type { MouseReport } from '../terminal/input-tokens.ts';
import type { KeyStream } from '../terminal/key-stream.ts';
import type { UiState } from '../ui-state.ts';
import { showViewAt } from '../views.ts';
import { currentKeyContext, findBinding, type KeyedBoard } from './keymap.ts';

type MainPane = (typeof mainPanes)[number];

/** What is at a cell of the screen. */
type MouseTarget =
  | { readonly kind: 'row'; readonly row: ListRow }
  | { readonly kind: 'column'; readonly name: ColumnName }
  /** A view's tab. The index counts from 0. */
  | { readonly kind: 'tab'; readonly index: number }
  | { readonly kind: 'pane'; readonly pane: MainPane }
  | { readonly kind: 'bar' }
  /** An overlay's entry. The index counts all entries, or only the visible rows in the news. */
  | { readonly kind: 'choice'; readonly index: number };

interface Cell {
  readonly column: number;
  readonly row: number;
}

/** Returns what is at a cell, or null if a click there has no effect. Cells count from 0 at the top left. */
function targetAt(board: KeyedBoard, { column, row }: Cell): MouseTarget | null {
  const { banner, layout, overlay, ui } = board;
  if (layout.kind === 'too-small') return null;
  if (row === board.rows - 2) return { kind: 'bar' };
  // The panes start below the header and its banner.
  const cell = { column, row: row - 1 - banner.length };
  if (cell.row < 0 || cell.row >= layout.body.height) return null;
  if (overlay !== null) return choiceAt(board, cell);
  const isCovered = ui.picker !== null || ui.previousSorting !== null || ui.columnMenu !== null;
  const inTimeline = {
    'side-by-side': { column: cell.column - layout.list.width, row: cell.row },
    stacked: { column: cell.column, row: cell.row - layout.list.height },
    single: layout.kind === 'single' && layout.pane === 'list' && !isCovered ? { column, row: -1 } : cell,
  }[layout.kind];
  if (inTimeline.column < 0 || inTimeline.row < 0) return listTargetAt(board, cell);
  return isCovered ? choiceAt(board, inTimeline) : { kind: 'pane', pane: 'timeline' };
}

function listTargetAt(board: KeyedBoard, { column, row }: Cell): MouseTarget {
  const size = board.layout.list;
  const { height, width } = innerSize(size);
  const { rows } = board.list;
  if (row === 0) {
    const tab = listTabs({ ...board, size })?.places.find(({ from, to }) => from <= column && column < to);
    return tab === undefined ? { kind: 'pane', pane: 'list' } : { kind: 'tab', index: tab.index };
  }
  const heading = board.arrangement.order.length > 0 ? headingRows(height) : 0;
  if (row === 1 && heading > 0) {
    const name = columnAt(listColumns(width, board.needs(), board.chosenColumns), column - 1);
    return name === null ? { kind: 'pane', pane: 'list' } : { kind: 'column', name };
  }
  const listRow = rows[row - 1 - heading];
  return listRow === undefined ? { kind: 'pane', pane: 'list' } : { kind: 'row', row: listRow };
}

/** @param cell position in the pane with the entries, including its frame */
function choiceAt(
  { matches, news, overlay, scan, ui, ...board }: KeyedBoard,
  { column, row }: Cell,
): MouseTarget | null {
  const choice = (index: number, count: number): MouseTarget | null =>
    index >= 0 && index < count ? { kind: 'choice', index } : null;
  const { body, timeline } = board.layout;
  const rows = innerSize(overlay === null ? timeline : body).height;
  if (row < 1 || row > rows) return null;
  if (ui.picker !== null) {
    // The first row is the search field.
    return row === 1
      ? null
      : choice(centredOffset(ui.picker.index, matches.length, rows - 1) + row - 2, matches.length);
  }
  if (overlay?.name === 'help') {
    const at = overlay.scroll.offset + row - 2;
    const index = overlay.choices.findLastIndex(
      ({ from, left = 0, to }) => from <= at && at < to && left <= column - 1,
    );
    return row === 1 ? null : choice(index, overlay.choices.length);
  }
  if (overlay?.name === 'news') return choice(row - 1, news.window.rows.length);
  if (overlay?.name === 'scan') {
    const { offset, rows: shown } = overlay.scroll;
    const at = row - 1 - firstNumberRow(body);
    return at < 0 || at >= shown ? null : choice(offset + at, scan?.displayRows.length ?? 0);
  }
  if (overlay !== null)
    return choice(
      overlay.choices.findIndex(({ from, to }) => from < row && row <= to),
      overlay.choices.length,
    );
  if (ui.columnMenu !== null) {
    const { index, names } = ui.columnMenu;
    return choice(centredOffset(index, names.length, rows) + row - 1, names.length);
  }
  if (ui.previousSorting === null) return null;
  const order = sortOrders.indexOf(ui.sorting.order);
  return choice(centredOffset(order, sortOrders.length, rows) + row - 1, sortOrders.length);
}

/** The order that a click on a column heading selects. The list cannot be sorted by any other column. */
const columnOrders: Readonly<Partial<Record<ColumnName, SortOrder>>> = {
  name: 'label',
  label: 'label',
  courier: 'courier',
  status: 'urgency',
  stage: 'urgency',
  event: 'newest-event',
  last: 'newest-event',
  journey: 'days-under-way',
  days: 'days-under-way',
  expected: 'expected',
  next: 'next-check',
};

/** Contexts in which the mouse acts on the panes. */
const paneContexts: ReadonlySet<KeyContext> = new Set(['list', 'timeline', 'add', 'filter']);
const questionContexts: ReadonlySet<KeyContext> = new Set(['prompt', 'confirm']);
const textContexts: ReadonlySet<KeyContext> = new Set(['details', 'output', 'help']);

/** Rows to scroll per turn of the wheel. */
const wheelRows = 3;

function handleWheel(board: KeyedBoard, report: MouseReport): void {
  const context = currentKeyContext(board.ui);
  const isDown = report.kind === 'wheel-down';
  if (paneContexts.has(context)) {
    const target = targetAt(board, report);
    const by = (isDown ? wheelRows : -wheelRows) * report.times;
    if (target?.kind === 'pane' && target.pane === 'timeline') scrollTimeline(board, by);
    else if (target !== null && target.kind !== 'bar') scrollList(board, by);
    return;
  }
  const binding = questionContexts.has(context) ? null : findBinding(context, isDown ? 'down' : 'up');
  if (binding === null || disabledReason(binding, board) !== null) return;
  binding.run(board, report.times * (textContexts.has(context) ? wheelRows : 1));
}

function scrollList({ change, layout, list, listed, selection }: KeyedBoard, by: number): void {
  const scrolled = scrollListBy(listed, selection, { by, height: listHeight(layout.list), offset: list.offset });
  change((ui) => ({ ...applySelection(ui, scrolled.selection), wheelScroll: { offset: scrolled.offset } }));
}

function handleClick(board: KeyedBoard, target: MouseTarget | null): void {
  const { change, listed } = board;
  const context = currentKeyContext(board.ui);
  if (target?.kind === 'choice') chooseEntry(board, context, target.index);
  if (target === null || !paneContexts.has(context)) return;
  if (target.kind === 'row') {
    const { row } = target;
    change((latest) => ({ ...applySelection(latest, selectRow(listed, row)), focus: 'list' }));
    if (row.kind === 'heading') toggleGroup({ ...board, selection: { ...board.selection, group: row.key } });
  } else if (target.kind === 'column') {
    const order = columnOrders[target.name];
    if (order !== undefined) sortByColumn(board, order);
    else showMessage(board, `The list cannot be sortParcels by ${columnTitle(target.name)}.`);
  } else if (target.kind === 'tab') showViewAt(board, target.index);
  else if (target.kind === 'pane') change({ focus: target.pane });
  else if (target.kind === 'bar' && context !== 'filter') {
    const reason = disabledReason(openAdd, board);
    if (reason === null) openAdd.run(board, 1);
    else showMessage(board, reason);
  }
}

/** Acts like Enter, or toggles a column. The first click on a day, a courier or a found number only selects it. */
function chooseEntry(board: KeyedBoard, context: KeyContext, index: number): void {
  const { news, scan, ui } = board;
  const enter = (changes: Partial<UiState>, more: Partial<KeyedBoard> = {}): void => {
    board.change(changes);
    findBinding(context, 'enter')?.run({ ...board, ui: { ...ui, ...changes }, ...more }, 1);
  };
  const order = sortOrders[index];
  const line = news.window.rows[index];
  if (context === 'help') enter({ helpIndex: index });
  else if (context === 'picker' && ui.picker !== null) enter({ picker: { ...ui.picker, index } });
  else if (context === 'columns' && ui.columnMenu !== null) {
    board.change({ columnMenu: { ...ui.columnMenu, index } });
    findBinding(context, ' ')?.run(board, 1);
  } else if (context === 'arrivals' || context === 'statistics') {
    if (index === ui.overlayRow) enter({});
    else board.overlay?.choices[index]?.run();
  } else if (context === 'scan' && scan !== null) {
    const mark = findBinding(context, ' ');
    if (index === scan.index && mark !== null && disabledReason(mark, board) === null) mark.run(board, 1);
    board.change(changeScan(scan.id, () => ({ index })));
  } else if (context === 'order' && order !== undefined) {
    enter(order === ui.sorting.order ? {} : { sorting: { order, isReversed: false } });
  } else if (context === 'news' && line?.kind === 'change') {
    const { seq } = line.change;
    enter({ newsSelected: seq }, { news: { ...news, selectedSeq: seq } });
  }
}

/** Zooms a pane, or shows both panes again. If the window has room for only one, switches panes. */
function toggleZoom({ change, layout }: KeyedBoard, pane: MainPane): void {
  if (layout.kind !== 'single') change({ zoom: true, focus: pane });
  else if (layout.isZoomed) change({ zoom: null });
  else change({ focus: pane === 'list' ? 'timeline' : 'list' });
}

/** Maximum time between the clicks of a double click, in milliseconds. */
const doubleClickMs = 400;

interface LastClick extends Cell {
  readonly at: EpochMs;
  readonly pane: MainPane;
}

/** Returns the pane that a double click zooms, or null. */
function paneToZoom(target: MouseTarget | null): MainPane | null {
  if (target?.kind === 'pane') return target.pane;
  return target?.kind === 'row' && target.row.kind === 'parcel' ? 'list' : null;
}

/** Turns on mouse reports and handles them. A click dismisses the message, as a key does. */
export function useMouse(
  board: KeyedBoard,
  keys: Pick<KeyStream, 'off' | 'on'>,
  terminal: Pick<Terminal, 'reportMouse'>,
): void {
  const isEnabled = board.mouse === true;
  useEffect(() => terminal.reportMouse(isEnabled), [terminal, isEnabled]);
  const lastClick = useRef<LastClick | null>(null);
  const onReport = useEffectEvent((report: MouseReport): void => {
    if (!isEnabled) return;
    board.change({ message: null });
    if (report.kind !== 'click') {
      handleWheel(board, report);
      return;
    }
    const { column, row } = report;
    const previousClick = lastClick.current;
    const at = board.clock.now();
    lastClick.current = null;
    if (previousClick?.column === column && previousClick.row === row && at - previousClick.at <= doubleClickMs)
      toggleZoom(board, previousClick.pane);
    else {
      const target = targetAt(board, report);
      const pane = paneContexts.has(currentKeyContext(board.ui)) ? paneToZoom(target) : null;
      if (pane !== null) lastClick.current = { column, row, at, pane };
      handleClick(board, target);
    }
  });
  useEffect(() => {
    const listener = (report: MouseReport): void => onReport(report);
    keys.on('mouse', listener);
    return () => void keys.off('mouse', listener);
  }, [keys]);
}
