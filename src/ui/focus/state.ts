import type { MainPane } from '../layout.ts';

/** Panes that can have the focus, in the order of Tab. */
export const panes = ['list', 'timeline', 'add'] as const;
export type Pane = (typeof panes)[number];

/** Where the keys go. */
export interface FocusState {
  readonly focus: Pane | 'filter';
}

/** Which of list and timeline has the focus, or has it again when a field is left. */
export const mainPaneOf = (focus: FocusState['focus']): MainPane => (focus === 'timeline' ? 'timeline' : 'list');

/**
 * The pane after or before the focused one.
 * @param isZoomed one pane has the window for itself: then the other one takes its place, and not the bar below, where the
 * key that shows both would be text
 */
export function neighbourPane(focus: FocusState['focus'], step: 1 | -1, isZoomed = false): Pane {
  if (isZoomed) return focus === 'list' ? 'timeline' : 'list';
  const at = focus === 'filter' ? 0 : panes.indexOf(focus);
  return panes[(at + step + panes.length) % panes.length] ?? 'list';
}
