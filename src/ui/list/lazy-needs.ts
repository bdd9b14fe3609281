import type { ColumnNeeds } from '../../board/list/list-columns.ts';
import { type ColumnSource, listNeeds } from './list-lines.ts';

/** {@link listNeeds}, computed when they are first asked for: a list that nobody sees needs no columns. */
export function lazyNeeds(source: ColumnSource): () => ColumnNeeds {
  let known: ColumnNeeds | null = null;
  return () => {
    known ??= listNeeds(source);
    return known;
  };
}
