import { describe, expect, test } from 'vitest';
import { listRows, parcelsBetween } from '../../../src/board/list/list-rows.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import type { Selection, ShownList } from '../../../src/tui/board.ts';
import { applySelection, effectiveSelection, moveSelectionBy, neighbourHeading } from '../../../src/tui/list/state.ts';
import { arrange } from '../../board/list/arranged.ts';
import { berlin, day, hour, inStatus, now } from '../../board/parcels.ts';

const late = inStatus('late', 'ABNORMAL', null, hour);
const a = inStatus('a', 'IN_TRANSIT', null, hour);
const b = inStatus('b', 'IN_TRANSIT', null, 2 * hour);
const c = inStatus('c', 'IN_TRANSIT', null, 3 * hour);
const old = inStatus('old', 'DELIVERED', null, 9 * day);
const older = inStatus('older', 'DELIVERED', null, 10 * day);

function listOf(parcels: readonly Parcel[], collapsed: readonly string[] = []): ShownList {
  const arrangement = arrange({ parcels, filter: '', now, zone: berlin });
  return { arrangement, ...listRows(arrangement, collapsed) };
}

const noSelection = { selectedId: null, selectedGroup: null, selectedIndex: 0 };
const parcel = (selectedId: string, selectedIndex = 0) => ({ ...noSelection, selectedId, selectedIndex });
const heading = (selectedGroup: string, selectedIndex = 0) => ({ ...noSelection, selectedGroup, selectedIndex });

describe('selection', () => {
  test.each([
    ['expanded groups', []],
    ['collapsed groups', ['in-transit', 'delivered']],
    ['one collapsed group', ['attention']],
  ])('finds the position of each parcel with %s', (_, collapsed) => {
    const list = listOf([a, b, c, late, old, older], collapsed);
    const parcels = parcelsBetween(list.rows, 0, list.rows.length);
    for (const listed of parcels) {
      const selection = effectiveSelection(list, parcel(listed.id));
      expect(list.arrangement.order[selection.position]).toBe(listed);
      expect(list.rows[selection.row]).toMatchObject({ parcel: listed });
    }
  });

  test('follows the parcel through a new order', () => {
    expect(effectiveSelection(listOf([c, a, b]), parcel('b'))).toMatchObject({ parcelId: 'b', index: 1, position: 1 });
  });

  test('moves to the row that replaces a removed parcel', () => {
    expect(effectiveSelection(listOf([a, c]), parcel('b', 1)).parcelId).toBe('c');
    expect(effectiveSelection(listOf([a]), parcel('b', 1)).parcelId).toBe('a');
    expect(effectiveSelection(listOf([a, b]), parcel('late', 0)).parcelId).toBe('a');
  });

  test('is empty in an empty list', () => {
    const nothing = effectiveSelection(listOf([]), parcel('a', 3));
    expect(nothing).toMatchObject({ parcelId: null, group: null, index: -1 });
    expect(moveSelectionBy(listOf([]), nothing, 1).parcelId).toBeNull();
  });

  test('stops at the ends of the list', () => {
    const list = listOf([a, b, c]);
    const from = effectiveSelection(list, parcel('b'));
    expect(moveSelectionBy(list, from, 5).parcelId).toBe('c');
    expect(moveSelectionBy(list, from, Number.NEGATIVE_INFINITY).parcelId).toBe('a');
  });

  test('stops at the heading of a collapsed group, but not of an expanded one', () => {
    const list = listOf([late, a, old, older], ['delivered']);
    const steps: (string | null)[] = [];
    let selection: Selection = effectiveSelection(list, noSelection);
    for (let step = 0; step < 4; step += 1) {
      steps.push(selection.group ?? selection.parcelId);
      selection = moveSelectionBy(list, selection, 1);
    }
    expect(steps).toEqual(['late', 'a', 'delivered', 'delivered']);
  });

  test('follows its parcel into and out of a collapsed group', () => {
    const list = listOf([a, old, older], ['delivered']);
    expect(effectiveSelection(list, parcel('older'))).toMatchObject({
      parcelId: null,
      group: 'delivered',
      position: -1,
    });
    expect(effectiveSelection(listOf([a, old, older]), parcel('older'))).toMatchObject({
      parcelId: 'older',
      position: 2,
    });
  });

  test('moves between headings, expanded or collapsed, and from there to the next parcels', () => {
    const list = listOf([late, a, b, old], ['delivered']);
    const first = effectiveSelection(list, parcel('late'));
    const second = neighbourHeading(list, first, 1);
    expect(second).toMatchObject({ group: 'in-transit', parcelId: null });
    if (second === null) return;
    expect(moveSelectionBy(list, second, 1).parcelId).toBe('a');
    expect(moveSelectionBy(list, second, 2).parcelId).toBe('b');
    expect(moveSelectionBy(list, second, -1).parcelId).toBe('late');
    const third = neighbourHeading(list, second, 1);
    expect(third?.group).toBe('delivered');
    expect(neighbourHeading(list, third ?? first, 1)).toBeNull();
    // From inside a group, its own heading comes first.
    expect(neighbourHeading(list, effectiveSelection(list, parcel('b')), -1)?.group).toBe('in-transit');
    expect(effectiveSelection(list, applySelection({ selectedId: null, timelineOffset: 0 }, second))).toEqual(second);
  });

  test('moves to the next row when the selected group is gone', () => {
    expect(effectiveSelection(listOf([late, a]), heading('delivered', 2)).parcelId).toBe('a');
  });
});
