import { describe, expect, test } from 'vitest';
import { effectiveSelection, movedSelection } from '../../../src/ui/list/state.ts';

describe('selection', () => {
  test('follows the parcel through a new order', () => {
    expect(effectiveSelection(['c', 'a', 'b'], { selectedId: 'a', selectedIndex: 0 })).toEqual({
      parcelId: 'a',
      index: 1,
    });
  });

  test('falls to the row that took the place of a parcel that left', () => {
    expect(effectiveSelection(['a', 'c'], { selectedId: 'b', selectedIndex: 1 })).toEqual({ parcelId: 'c', index: 1 });
    expect(effectiveSelection(['a'], { selectedId: 'b', selectedIndex: 1 })).toEqual({ parcelId: 'a', index: 0 });
  });

  test('is nothing in an empty list', () => {
    expect(effectiveSelection([], { selectedId: 'a', selectedIndex: 3 })).toEqual({ parcelId: null, index: -1 });
    expect(movedSelection([], { parcelId: null, index: -1 }, 1).parcelId).toBeNull();
  });

  test('moves within the ends', () => {
    const order = ['a', 'b', 'c'];
    expect(movedSelection(order, { parcelId: 'b', index: 1 }, 5)).toEqual({ parcelId: 'c', index: 2 });
    expect(movedSelection(order, { parcelId: 'b', index: 1 }, Number.NEGATIVE_INFINITY)).toEqual({
      parcelId: 'a',
      index: 0,
    });
  });
});
