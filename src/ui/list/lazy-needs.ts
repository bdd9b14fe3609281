import type { ColumnNeeds } from '../../board/list/list-columns.ts';

/** What columns need, computed when it is first asked for: a list that nobody sees needs no columns. */
export function lazyNeeds(measure: () => ColumnNeeds): () => ColumnNeeds {
  let known: ColumnNeeds | null = null;
  return () => {
    known ??= measure();
    return known;
  };
}
