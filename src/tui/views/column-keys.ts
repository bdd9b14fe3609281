import { columnNamed, columnWords, parcelColumns } from '../../board/columns.ts';
import { listColumns } from '../../board/list/list-columns.ts';
import type { Board } from '../board.ts';
import { showMessage } from '../footer.ts';
import { openHelp } from '../help/keys.ts';
import { type Binding, type KeyGroup, type Move, movement } from '../keys/binding.ts';
import { innerSize, movedWithin } from '../layout.ts';
import type { ColumnChoice, UiState } from '../ui-state.ts';
import { chosenIn, shownColumns, viewsOf, withColumns } from './views.ts';

/** Returns the columns that the list shows now, followed by all others. */
function initialChoice(board: Board): ColumnChoice {
  const own = shownColumns(viewsOf(board), board.ui);
  const { columns } = listColumns(innerSize(board.layout.list).width, board.needs());
  const defaultColumns = columns.flatMap(({ name }) => columnNamed(name === 'name' ? 'label' : name) ?? []);
  const now = own ?? defaultColumns;
  return {
    names: [...now, ...parcelColumns.filter((name) => !now.includes(name))],
    shown: new Set(now),
    isUsual: own === null,
    index: 0,
  };
}

const changeChoice =
  (changed: (choice: ColumnChoice) => Partial<ColumnChoice>): Binding['run'] =>
  ({ change }) =>
    change(({ choosing }: UiState) => (choosing === null ? {} : { choosing: { ...choosing, ...changed(choosing) } }));

const move: Move = (board, by) =>
  changeChoice(({ index, names }) => ({ index: movedWithin(index, by, names.length - 1) }))(board, 1);

function toggled({ index, names, shown }: ColumnChoice): Partial<ColumnChoice> {
  const [name] = names.slice(index, index + 1);
  const next = new Set(shown);
  if (name !== undefined && !next.delete(name)) next.add(name);
  return { shown: next, isUsual: next.size === 0 };
}

/** Moves the selected column to an earlier or later place. */
const shifted =
  (by: 1 | -1) =>
  ({ index, names }: ColumnChoice): Partial<ColumnChoice> => {
    const to = movedWithin(index, by, names.length - 1);
    const others = names.filter((_, at) => at !== index);
    return {
      names: [...others.slice(0, to), ...names.slice(index, index + 1), ...others.slice(to)],
      index: to,
      isUsual: false,
    };
  };

function apply({ change, ...board }: Board): void {
  const { choosing } = board.ui;
  if (choosing === null) return;
  const columns = chosenIn(choosing);
  change(withColumns(viewsOf(board), columns));
  change({ choosing: null });
  showMessage(
    { change },
    columns.length === 0 ? 'The columns now depend on the width.' : `Columns: ${columns.join(', ')}.`,
  );
}

/** Shows the columns with the given names, in this order. */
function showColumns(board: Board, text: string): void {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = words.find((word) => columnNamed(word) === null);
  if (unknown !== undefined) {
    const text = `There is no column "${unknown}". Use: ${parcelColumns.join(', ')}.`;
    showMessage(board, text, { tone: 'attention' });
    return;
  }
  const columns = words.map(columnNamed).filter((name) => name !== null);
  board.change(withColumns(viewsOf(board), [...new Set(columns)]));
}

export const openColumns: Binding = {
  id: 'columns',
  keys: [','],
  description: 'Choose the columns',
  command: { name: 'columns', argument: 'NAME,NAME', known: () => columnWords, run: showColumns },
  run: (board) => board.change({ choosing: initialChoice(board) }),
};

export const columnKeys: KeyGroup = {
  context: 'columns',
  title: 'Columns',
  isClosed: true,
  bindings: [
    { id: 'down', keys: ['j', 'down'], hint: 'next', description: 'Next column', ...movement('down', move) },
    { id: 'up', keys: ['k', 'up'], hint: 'previous', description: 'Previous column', ...movement('up', move) },
    {
      id: 'toggle-column',
      keys: [' '],
      hint: 'show',
      description: 'Show or hide the column',
      alwaysShown: true,
      run: changeChoice(toggled),
    },
    {
      id: 'column-down',
      keys: ['J'],
      hint: 'down',
      description: 'Move the column to the right',
      run: changeChoice(shifted(1)),
    },
    {
      id: 'column-up',
      keys: ['K'],
      hint: 'up',
      description: 'Move the column to the left',
      run: changeChoice(shifted(-1)),
    },
    {
      id: 'usual-columns',
      keys: ['a'],
      hint: 'by width',
      description: 'Let the width decide the columns',
      run: changeChoice(() => ({ isUsual: true })),
    },
    {
      id: 'choose',
      keys: ['enter'],
      hint: 'choose',
      description: 'Use these columns',
      alwaysShown: true,
      run: apply,
    },
    openHelp,
    {
      id: 'close',
      keys: ['escape', 'q', ','],
      hint: 'back',
      description: 'Cancel',
      alwaysShown: true,
      run: ({ change }) => change({ choosing: null }),
    },
  ],
};
