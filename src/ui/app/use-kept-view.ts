import { useEffect, useRef } from 'react';
import type { ViewChanges } from '../../watchlist/state/view-memory.ts';
import { keptViewOf } from './kept-view.ts';
import type { UiState } from './state.ts';

/** Has remembered what of the screen has changed since it was opened. */
export function useKeptView(ui: UiState, keepView: (changes: ViewChanges) => void): void {
  const kept = useRef<ViewChanges | null>(null);
  useEffect(() => {
    const view = keptViewOf(ui);
    const before = kept.current ?? view;
    kept.current = view;
    const fields = Object.keys(view) as (keyof ViewChanges)[];
    const changed = fields.filter((field) => !Object.is(view[field], before[field]));
    if (changed.length > 0) keepView(Object.fromEntries(changed.map((field) => [field, view[field]])));
  }, [ui, keepView]);
}
