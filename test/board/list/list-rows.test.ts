import { describe, expect, it } from 'vitest';
import { arrange } from '../../../src/board/list/arrange.ts';
import { listRows, rowKey } from '../../../src/board/list/list-rows.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { aBoard, ago, berlin, day, hour, inStatus, now } from '../parcels.ts';

const unread = (id: string, eventAgo: number): Parcel => ({
  ...inStatus(id, 'DELIVERED', null, eventAgo),
  unread: { since: ago(hour), lastRead: null },
});

describe('listRows', () => {
  it('has every parcel under its heading', () => {
    const { rows, stops } = listRows(arrange({ parcels: aBoard(), filter: '', now, zone: berlin }));
    expect(rows).toHaveLength(22);
    expect(stops).toHaveLength(13);
    expect(stops.every((stop) => rows[stop]?.kind === 'parcel')).toBe(true);
  });

  it('shows the heading alone of a collapsed group, with what is hidden in it', () => {
    const parcels = [
      inStatus('a', 'IN_TRANSIT', null, hour),
      unread('old', 3 * day),
      inStatus('older', 'DELIVERED', null, 9 * day),
    ];
    const { rows, stops } = listRows(arrange({ parcels, filter: '', now, zone: berlin }), ['delivered', 'expired']);
    expect(rows.map(rowKey)).toEqual(['group in-transit', 'a', 'group delivered']);
    expect(rows[2]).toMatchObject({ title: 'Delivered', count: 2, isCollapsed: true, unread: 1, attention: 0 });
    expect(stops).toEqual([1, 2]);
  });

  it('counts nothing as hidden in an open group', () => {
    const { rows } = listRows(arrange({ parcels: [unread('old', 3 * day)], filter: '', now, zone: berlin }));
    expect(rows[0]).toMatchObject({ isCollapsed: false, unread: 0 });
  });

  it('counts what needs attention in a collapsed group, unless its title says it', () => {
    const parcels = [inStatus('late', 'ABNORMAL', null, hour)];
    const collapsed = ['attention', 'courier Yanwen'];
    const byUrgency = listRows(arrange({ parcels, filter: '', now, zone: berlin }), collapsed);
    expect(byUrgency.rows[0]).toMatchObject({ isCollapsed: true, attention: 0 });
    const sorting = { order: 'courier', isReversed: false } as const;
    const byCourier = listRows(arrange({ parcels, filter: '', now, zone: berlin, sorting }), collapsed);
    expect(byCourier.rows[0]).toMatchObject({ title: 'Yanwen', isCollapsed: true, attention: 1 });
  });
});
