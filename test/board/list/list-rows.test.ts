import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListRows } from '../../../src/board/list/list-rows.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { aBoard, ago, aParcel, berlin, day, hour, inStatus, now } from '../parcels.ts';
import { arrange } from './arranged.ts';
import { rowKey } from './row-key.ts';

const unread = (id: string, eventAgo: number): Parcel => ({
  ...inStatus(id, 'DELIVERED', null, eventAgo),
  unread: { since: ago(hour), lastRead: null },
});

const stopsOf = (rows: ListRows): readonly number[] =>
  Array.from({ length: rows.stopCount }, (_, index) => rows.stop(index));

describe('ListRows', () => {
  it('has every parcel under its heading', () => {
    const rows = new ListRows(arrange({ parcels: aBoard(), filter: '', now, zone: berlin }));
    expect(rows.slice()).toHaveLength(22);
    expect(stopsOf(rows)).toHaveLength(13);
    expect(stopsOf(rows).every((stop) => rows.at(stop)?.kind === 'parcel')).toBe(true);
  });

  it('shows the heading alone of a collapsed group, with what is hidden in it', () => {
    const parcels = [
      inStatus('a', 'IN_TRANSIT', null, hour),
      unread('old', 3 * day),
      inStatus('older', 'DELIVERED', null, 9 * day),
    ];
    const rows = new ListRows(arrange({ parcels, filter: '', now, zone: berlin }), ['delivered', 'expired']);
    expect(rows.slice().map(rowKey)).toEqual(['group in-transit', 'a', 'group delivered']);
    expect(rows.at(2)).toMatchObject({ title: 'Delivered', count: 2, isCollapsed: true, unread: 1, attention: 0 });
    expect(stopsOf(rows)).toEqual([1, 2]);
  });

  it('counts nothing as hidden in an open group', () => {
    const rows = new ListRows(arrange({ parcels: [unread('old', 3 * day)], filter: '', now, zone: berlin }));
    expect(rows.at(0)).toMatchObject({ isCollapsed: false, unread: 0 });
  });

  it('counts what needs attention in a collapsed group, unless its title says it', () => {
    const parcels = [inStatus('late', 'ABNORMAL', null, hour)];
    const collapsed = ['attention', 'courier Yanwen'];
    const byUrgency = new ListRows(arrange({ parcels, filter: '', now, zone: berlin }), collapsed);
    expect(byUrgency.at(0)).toMatchObject({ isCollapsed: true, attention: 0 });
    const sorting = { order: 'courier', isReversed: false } as const;
    const byCourier = new ListRows(arrange({ parcels, filter: '', now, zone: berlin, sorting }), collapsed);
    expect(byCourier.at(0)).toMatchObject({ title: 'Yanwen', isCollapsed: true, attention: 1 });
  });

  it('are those of a list of all of them, made one by one', () => {
    const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.boolean(), fc.nat(30), fc.nat(30), (groups, isFlat, from, to) => {
        const made = groups.map(([size], group) => ({
          ...{ key: `g${group}`, title: 'Group', stages: [] },
          parcels: Array.from({ length: size }, (_, at) => aParcel({ id: `${group}-${at}` })),
        }));
        const order = made.flatMap(({ parcels }) => parcels);
        const collapsed = groups.flatMap(([, isCollapsed], group) => (isCollapsed ? [`g${group}`] : []));
        const arrangement = isFlat
          ? ({ grouping: null, groups: [], order, unfiltered: order } as const)
          : ({ grouping: 'courier', groups: made, order, unfiltered: order } as const);
        const rows = new ListRows(arrangement, collapsed);
        const isOpen = (key: string): boolean => isFlat || !collapsed.includes(key);
        const all = made.flatMap(({ key, parcels }) => [
          ...(isFlat ? [] : [`group ${key}`]),
          ...(isOpen(key) ? parcels.map(({ id }) => id) : []),
        ]);
        const stops = all.flatMap((key, row) =>
          key.startsWith('group') && isOpen(key.slice('group '.length)) ? [] : [row],
        );
        expect(rows.slice().map(rowKey)).toEqual(all);
        expect(rows.slice(from, to).map(rowKey)).toEqual(all.slice(from, to));
        expect(rows.count).toBe(all.length);
        expect(stopsOf(rows)).toEqual(stops);
        expect([rows.stop(-1), rows.stop(stops.length), rows.at(-1), rows.at(all.length)]).toEqual([
          -1,
          -1,
          null,
          null,
        ]);
        for (const [row, key] of all.entries()) {
          const after = stops.findIndex((stop) => stop >= row);
          expect(rows.stopFrom(row)).toBe(after === -1 ? stops.length : after);
          if (key.startsWith('group')) expect(rows.rowOfGroup(key.slice('group '.length))).toBe(row);
          else expect(order[rows.position(row)]?.id).toBe(key);
          if (!key.startsWith('group')) expect(rows.rowOfParcel(key, to)).toBe(row);
          expect(rows.headingAbove(row)).toBe(all.slice(0, row + 1).findLastIndex((one) => one.startsWith('group')));
          expect(rows.neighbourHeading(row, 1)).toBe(all.findIndex((one, at) => at > row && one.startsWith('group')));
          expect(rows.neighbourHeading(row, -1)).toBe(
            all.slice(0, row).findLastIndex((one) => one.startsWith('group')),
          );
        }
        expect(rows.parcelsBetween(from, to).map(({ id }) => id)).toEqual(
          all.slice(Math.min(from, to), Math.max(from, to) + 1).filter((key) => !key.startsWith('group')),
        );
      }),
    );
  });
});
