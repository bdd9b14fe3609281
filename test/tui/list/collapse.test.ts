import { describe, expect, test } from 'vitest';
import {
  type CollapseState,
  collapsedGroups,
  toggleAllCollapsed,
  toggleCollapsed,
} from '../../../src/tui/list/state.ts';

const group = (key: string) => ({ key, title: key, stages: [], parcels: [] });
const state: CollapseState = { collapsed: ['delivered'], collapsedInFilter: null };
const withChange = (change: Partial<CollapseState>, before = state): CollapseState => ({ ...before, ...change });

describe('collapsed groups', () => {
  test('toggle together; absent groups stay as they are', () => {
    const groups = [group('attention'), group('in-transit')];
    const all = toggleAllCollapsed(state, '', { groups });
    expect(all).toEqual({ collapsed: ['delivered', 'attention', 'in-transit'] });
    expect(toggleAllCollapsed(withChange(all), '', { groups })).toEqual({ collapsed: ['delivered'] });
  });

  test('are expanded while a filter applies, and each filter has its own', () => {
    expect(collapsedGroups(state, 'lamp')).toEqual([]);
    const filtered = withChange(toggleCollapsed(state, 'lamp', 'delivered'));
    expect(collapsedGroups(filtered, 'lamp')).toEqual(['delivered']);
    expect(collapsedGroups(filtered, 'lam')).toEqual([]);
    expect(collapsedGroups(filtered, '')).toEqual(['delivered']);
    expect(filtered.collapsed).toBe(state.collapsed);
  });
});
