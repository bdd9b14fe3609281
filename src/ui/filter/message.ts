import { adviceForNoMatch, type FilterProblem, filterProblem } from '../../board/filter/filter-problem.ts';
import type { FocusState } from '../focus/state.ts';
import type { Message } from '../footer/state.ts';
import type { ListBoard } from '../list/list-board.ts';
import type { ListState } from '../list/state.ts';

/** What a filter is judged by. */
interface Filtering extends Pick<ListBoard, 'arrangement' | 'state'> {
  readonly ui: Pick<ListState, 'filter'>;
}

/** What is wrong with the filter as a whole: nothing of it is being typed any more. Null when nothing is. */
export function wholeFilterProblem({ state, ui }: Omit<Filtering, 'arrangement'>): Message | null {
  return asMessage(filterProblem(ui.filter.text, state.parcels), 'attention');
}

/** What stands under the filter while it is typed: what is wrong, or what can follow; null for nothing. */
export function filterMessage(board: Filtering & { readonly ui: FocusState }): Message | null {
  const { state, ui } = board;
  if (ui.focus !== 'filter') return null;
  const problem = filterProblem(ui.filter.text, state.parcels, ui.filter.cursor);
  return asMessage(problem, problem?.kind === 'begun' ? 'plain' : 'attention') ?? noMatchMessage(board);
}

/** What was probably meant by a filter without a mistake that no parcel matches; null when that is not known. */
export function noMatchMessage({ arrangement, state, ui }: Filtering): Message | null {
  if (arrangement.order.length > 0 || state.parcels.length === 0) return null;
  const advice = adviceForNoMatch(ui.filter.text);
  return advice === null ? null : { tone: 'plain', text: 'No parcel matches.', advice };
}

function asMessage(problem: FilterProblem | null, tone: Message['tone']): Message | null {
  if (problem === null) return null;
  const { advice, text } = problem;
  if (problem.kind === 'begun') return { tone, text };
  return { tone, text: `${text}.`, ...(advice === null ? {} : { advice }) };
}
