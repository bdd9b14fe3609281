import type { Arrangement } from '../../board/list/arrange.ts';
import { collapsedAtFirst } from '../../board/list/groups.ts';

/** Which groups of the list are collapsed. */
export interface CollapseState {
  /** Keys of the groups of which only the heading is shown while nothing is filtered. */
  readonly collapsed: readonly string[];
  /** The same for one filter, which opens all groups at first: what it matches is to be seen. */
  readonly collapsedInFilter: { readonly filter: string; readonly groups: readonly string[] } | null;
}

/** The groups of a list that was never looked at. */
export const freshGroups: CollapseState = { collapsed: collapsedAtFirst, collapsedInFilter: null };

const none: readonly string[] = [];

/** The groups of which only the heading is shown now. */
export function collapsedGroups({ collapsed, collapsedInFilter }: CollapseState, filter: string): readonly string[] {
  if (filter.trim() === '') return collapsed;
  return collapsedInFilter?.filter === filter ? collapsedInFilter.groups : none;
}

/** Collapses exactly these groups. */
function withCollapsed(filter: string, groups: readonly string[]): Partial<CollapseState> {
  return filter.trim() === '' ? { collapsed: groups } : { collapsedInFilter: { filter, groups } };
}

/** Collapses a group that is open, and the other way round. */
export function toggledGroup(state: CollapseState, filter: string, group: string): Partial<CollapseState> {
  const now = collapsedGroups(state, filter);
  return withCollapsed(filter, now.includes(group) ? now.filter((key) => key !== group) : [...now, group]);
}

/** Opens a group. */
export function openedGroup(state: CollapseState, filter: string, group: string): Partial<CollapseState> {
  return collapsedGroups(state, filter).includes(group) ? toggledGroup(state, filter, group) : {};
}

/**
 * Collapses all groups of the list; opens them when all are collapsed. Groups that are not there now stay as they are: one
 * that appears while all others are collapsed is news.
 */
export function toggledAll(
  state: CollapseState,
  filter: string,
  { groups }: Pick<Arrangement, 'groups'>,
): Partial<CollapseState> {
  const now = collapsedGroups(state, filter);
  const keys = groups.map(({ key }) => key);
  const others = now.filter((key) => !keys.includes(key));
  const areAll = keys.every((key) => now.includes(key));
  return withCollapsed(filter, areAll ? others : [...others, ...keys]);
}
