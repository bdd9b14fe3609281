import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findGroupRow,
  findParcelRow,
  headingAbove,
  listRows,
  neighbourHeading,
  parcelsBetween,
} from '../../../src/board/list/list-rows.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { forAll } from '../../support/for-all.ts';
import { aBoard, ago, aParcel, berlin, day, hour, inStatus, now } from '../parcels.ts';
import { arrange } from './arranged.ts';
import { rowKey } from './row-key.ts';

const unread = (id: string, eventAgo: number): Parcel => ({
  ...inStatus(id, 'DELIVERED', null, eventAgo),
  unread: { since: ago(hour), lastRead: null },
});

describe("a list's rows", () => {
  it('include every parcel under its heading', () => {
    const { rows, stops } = listRows(arrange({ parcels: aBoard(), filter: '', now, zone: berlin }));
    expect(rows).toHaveLength(22);
    expect(stops).toHaveLength(13);
    expect(stops.every((stop) => rows[stop]?.kind === 'parcel')).toBe(true);
  });

  it('show only the heading of a collapsed group, and count what it hides', () => {
    const parcels = [
      inStatus('a', 'IN_TRANSIT', null, hour),
      unread('old', 3 * day),
      inStatus('older', 'DELIVERED', null, 9 * day),
    ];
    const collapsed = ['delivered', 'expired'];
    const { rows, stops } = listRows(arrange({ parcels, filter: '', now, zone: berlin }), collapsed);
    expect(rows.map(rowKey)).toEqual(['group in-transit', 'a', 'group delivered']);
    expect(rows[2]).toMatchObject({ title: 'Delivered', count: 2, isCollapsed: true, unread: 1, attention: 0 });
    expect(stops).toEqual([1, 2]);
  });

  it('count nothing as hidden in an expanded group', () => {
    const { rows } = listRows(arrange({ parcels: [unread('old', 3 * day)], filter: '', now, zone: berlin }));
    expect(rows[0]).toMatchObject({ isCollapsed: false, unread: 0 });
  });

  it('count what needs attention in a collapsed group, unless its title says so', () => {
    const parcels = [inStatus('late', 'ABNORMAL', null, hour)];
    const collapsed = ['attention', 'courier Yanwen'];
    const byUrgency = listRows(arrange({ parcels, filter: '', now, zone: berlin }), collapsed);
    expect(byUrgency.rows[0]).toMatchObject({ isCollapsed: true, attention: 0 });
    const sorting = { order: 'courier', isReversed: false } as const;
    const byCourier = listRows(arrange({ parcels, filter: '', now, zone: berlin, sorting }), collapsed);
    expect(byCourier.rows[0]).toMatchObject({ title: 'Yanwen', isCollapsed: true, attention: 1 });
  });

  it('can be found by parcel, by group and from one another, whichever groups are collapsed', () => {
    const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()), { maxLength: 6 });
    forAll(sizes, fc.boolean(), fc.nat(30), fc.nat(30), (groups, isFlat, from, to) => {
      const allGroups = groups.map(([size], group) => ({
        ...{ key: `g${group}`, title: 'Group', stages: [] },
        parcels: Array.from({ length: size }, (_, at) => aParcel({ id: `${group}-${at}` })),
      }));
      const order = allGroups.flatMap(({ parcels }) => parcels);
      const collapsed = groups.flatMap(([, isCollapsed], group) => (isCollapsed ? [`g${group}`] : []));
      const arrangement = isFlat
        ? ({ grouping: null, groups: [], order, unfiltered: order } as const)
        : ({ grouping: 'courier', groups: allGroups, order, unfiltered: order } as const);
      const { rows, stops } = listRows(arrangement, collapsed);
      const isOpen = (key: string): boolean => isFlat || !collapsed.includes(key);
      const all = allGroups.flatMap(({ key, parcels }) => [
        ...(isFlat ? [] : [`group ${key}`]),
        ...(isOpen(key) ? parcels.map(({ id }) => id) : []),
      ]);
      const isHeading = (key: string): boolean => key.startsWith('group');
      expect(rows.map(rowKey)).toEqual(all);
      expect(stops).toEqual(
        all.flatMap((key, row) => (isHeading(key) && isOpen(key.slice('group '.length)) ? [] : [row])),
      );
      for (const [row, key] of all.entries()) {
        if (isHeading(key)) expect(findGroupRow(rows, key.slice('group '.length))).toBe(row);
        else expect(findParcelRow(rows, key)).toBe(row);
        expect(headingAbove(rows, row)).toBe(all.slice(0, row + 1).findLastIndex(isHeading));
        expect(neighbourHeading(rows, row, 1)).toBe(all.findIndex((other, at) => at > row && isHeading(other)));
        expect(neighbourHeading(rows, row, -1)).toBe(all.slice(0, row).findLastIndex(isHeading));
      }
      expect(parcelsBetween(rows, from, to).map(({ id }) => id)).toEqual(
        all.slice(Math.min(from, to), Math.max(from, to) + 1).filter((key) => !isHeading(key)),
      );
    });
  });
});
