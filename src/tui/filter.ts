import { createFilter } from '../board/filter.ts';
import { adviceForNoMatch, completeFilter, type FilterProblem, filterProblem } from '../board/filter-typing.ts';
import { narrowingPrefix } from '../board/filter-vocabulary.ts';
import { counted } from '../lib/text.ts';
import type { Board } from './board.ts';
import { completeKeys } from './field/keys.ts';
import { type Binding, type EditedText, type KeyGroup, type Move, movement } from './keys/binding.ts';
import { moveSelection } from './list/keys.ts';
import { createEdit } from './text-edit.ts';
import type { Message } from './ui-state.ts';
import { configuredViews, currentView } from './views.ts';

/** Returns what is wrong with a complete filter, or null. */
export const wholeFilterProblem = (text: string, { state }: Board): Message | null =>
  toMessage(filterProblem(text, state.parcels), 'attention');

/** Returns the message below the filter while the user types it: a problem, a hint, or null. */
export function filterMessage(board: Board): Message | null {
  const { state, ui } = board;
  const isNewsFilter = ui.overlay === 'news' && ui.isNewsFilterTyped;
  if (!isNewsFilter && ui.focus !== 'filter') return null;
  const { cursor, text } = isNewsFilter ? ui.newsFilter : ui.filter;
  const problem = filterProblem(text, state.parcels, cursor);
  const message = toMessage(problem, problem?.kind === 'unfinished' ? 'plain' : 'attention');
  return message ?? (isNewsFilter ? null : noMatchMessage(board));
}

const noMatch = (advice: string): Message => ({ tone: 'plain', text: 'No parcel matches.', advice });

/** Returns advice for a valid filter that matches nothing, or null. */
function noMatchMessage({ arrangement, state, ui }: Board): Message | null {
  if (arrangement.order.length > 0 || state.parcels.length === 0) return null;
  const advice = adviceForNoMatch(ui.filter.text);
  return advice === null ? null : noMatch(advice);
}

/**
 * Like {@link noMatchMessage}, for a filter that was just applied, which the arrangement does not reflect yet. Also
 * mentions archived parcels that match.
 */
function noMatchAfterApplying({ marks, state, ui, viewing }: Board): Message | null {
  const matching = state.parcels.filter(createFilter(ui.filter.text, { ...viewing, marked: marks.ids }));
  const archived = matching.filter(({ archivedAt }) => archivedAt !== null).length;
  const isArchive = ui.listed === 'archive';
  if (state.parcels.length === 0 || (isArchive ? archived : matching.length - archived) > 0) return null;
  const advice = adviceForNoMatch(ui.filter.text);
  if (advice !== null) return noMatch(advice);
  return isArchive || archived === 0 ? null : noMatch(`Press A: ${counted(archived, 'archived parcel')}.`);
}

function toMessage(problem: FilterProblem | null, tone: Message['tone']): Message | null {
  if (problem === null) return null;
  const { advice, text } = problem;
  if (problem.kind === 'unfinished') return { tone, text };
  return { tone, text: `${text}.`, ...(advice === null ? {} : { advice }) };
}

export const openFilter: Binding = {
  id: 'filter',
  keys: ['/'],
  hint: 'filter',
  description: 'Filter by text or terms',
  synonyms: ['search', 'find'],
  command: {
    name: 'filter',
    argument: 'TEXT',
    run: (board, text) => apply({ ...board, ui: { ...board.ui, filter: createEdit(text) } }),
  },
  opensField: true,
  run: (board) => {
    const viewFilter = currentViewFilter(board);
    board.change({
      focus: 'filter',
      ...(board.ui.filter.text === viewFilter ? { filter: createEdit(narrowingPrefix(viewFilter)) } : {}),
    });
  },
};

const currentViewFilter = (board: Board): string => currentView(configuredViews(board), board.ui)?.filter ?? '';

function apply(board: Board): void {
  const message = wholeFilterProblem(board.ui.filter.text, board);
  const viewFilter = currentViewFilter(board);
  const typed = board.ui.filter.text.trimEnd();
  const filter = createEdit(typed === narrowingPrefix(viewFilter).trimEnd() ? viewFilter : typed);
  board.change(
    message === null ? { filter, focus: 'list', message: noMatchAfterApplying(board) } : { filter, message },
  );
}

const filterText: EditedText = {
  read: ({ filter }) => filter,
  write: (_ui, filter) => ({ filter }),
  complete: ({ state, ui }) => completeFilter(ui.filter.text, ui.filter.cursor, state.parcels),
};

interface FilterActions {
  readonly apply: Binding['run'];
  readonly clear: Binding['run'];
  readonly move: Move;
}

/** Returns the keys of a filter field. @param what what the filter applies to, such as `list` */
export const filterFieldKeys = (
  what: string,
  text: EditedText,
  { apply, clear, move }: FilterActions,
): readonly Binding[] => [
  {
    keys: ['enter'],
    hint: 'apply',
    description: `Apply the filter and return to the ${what}`,
    alwaysShown: true,
    run: apply,
  },
  { keys: ['escape'], hint: 'clear', description: 'Clear the filter', alwaysShown: true, run: clear },
  { keys: ['down'], description: `Move down the ${what}`, ...movement('down', move) },
  { keys: ['up'], description: `Move up the ${what}`, ...movement('up', move) },
  ...completeKeys(text, 'a term, its value, a label or a number'),
];

export const filterKeys: KeyGroup = {
  context: 'filter',
  title: 'Filter',
  isClosed: true,
  text: filterText,
  bindings: filterFieldKeys('list', filterText, {
    apply,
    clear: (board) => board.change({ filter: createEdit(currentViewFilter(board)), focus: 'list' }),
    move: moveSelection,
  }),
};
