import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Zone } from '../../../src/lib/date-time.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { stages } from '../../../src/service/status.ts';
import { forAll } from '../../support/for-all.ts';
import { aBoard, aCheckpoint, ago, aParcel, aPendingParcel, aRecord, berlin, day, inStatus, now } from '../parcels.ts';
import { arrange } from './arranged.ts';

function groupsOf(parcels: readonly Parcel[], filter = ''): [string, string[]][] {
  const { groups } = arrange({ parcels, filter, now, zone: berlin });
  return groups.map((group) => [group.title, group.parcels.map((parcel) => parcel.id)]);
}

describe('arrange', () => {
  it('groups by urgency', () => {
    expect(groupsOf(aBoard())).toEqual([
      ['Needs attention', ['address', 'headphones', 'rejected']],
      ['Out for delivery', ['book']],
      ['Ready for pick-up', ['kettle']],
      ['In transit', ['lamp', 'korea', 'thai']],
      ['Announced', ['arabic']],
      ['No info yet', ['pending']],
      ['Unknown', ['strange']],
      ['Delivered today', ['books']],
      ['Delivered', ['shoes']],
    ]);
  });

  it('puts parcels without an event after those with one, most recently added first', () => {
    const withoutEvent = (id: string, addedAgo: number): Parcel => aPendingParcel({ id, addedAt: ago(addedAgo) });
    const seen = aParcel({ id: 'seen', record: aRecord({ transitStatus: 'NO_RECORD' }), lastEvent: aCheckpoint() });
    expect(groupsOf([withoutEvent('first', 2 * day), withoutEvent('second', day), seen])).toEqual([
      ['No info yet', ['seen', 'second', 'first']],
    ]);
  });

  it("uses the viewer's calendar to decide what was delivered today", () => {
    const late = aParcel({
      id: 'late',
      record: aRecord({ transitStatus: 'DELIVERED' }),
      lastEvent: aCheckpoint({ at: '2026-11-20T23:30:00Z' }),
    });
    expect(groupsOf([late])).toEqual([['Delivered today', ['late']]]);
    const { groups } = arrange({ parcels: [late], filter: '', now, zone: new Zone('America/New_York') });
    expect(groups.map((group) => group.title)).toEqual(['Delivered']);
  });

  it("uses the courier's date if the zone is unknown", () => {
    const lastEvent = aCheckpoint({ at: null, offset: null, certain: false, local: '2026-11-21 09:00:00' });
    const parcel = aParcel({ id: 'zoneless', record: aRecord({ transitStatus: 'DELIVERED' }), lastEvent });
    expect(groupsOf([parcel])).toEqual([['Delivered today', ['zoneless']]]);
  });

  it('shows every parcel exactly once, in the order of the groups', () => {
    const anyParcel = fc
      .record({
        status: fc.constantFrom(
          'INIT',
          'NO_RECORD',
          'INFO_RECEIVED',
          'IN_TRANSIT',
          'WAITING_DELIVERY',
          'DELIVERY_FAILED',
          'ABNORMAL',
          'DELIVERED',
          'EXPIRED',
          'NEW_ONE',
        ),
        eventAgo: fc.integer({ min: 0, max: 30 * day }),
        archived: fc.boolean(),
      })
      .map((fields) => ({
        ...inStatus('', fields.status, null, fields.eventAgo),
        archivedAt: fields.archived ? ago(0) : null,
      }));
    forAll(fc.array(anyParcel, { maxLength: 30 }), (list) => {
      const parcels = list.map((parcel, index) => ({ ...parcel, id: String(index) }));
      const { groups, order } = arrange({ parcels, filter: '', now, zone: berlin });
      const watched = parcels.filter((parcel) => parcel.archivedAt === null);
      expect([...order].sort((a, b) => Number(a.id) - Number(b.id))).toEqual(watched);
      expect(groups.flatMap((group) => group.parcels)).toEqual(order);
      for (const group of groups) expect(group.parcels.length).toBeGreaterThan(0);
    });
  });

  it('has a group for every stage', () => {
    const statuses = [
      'ABNORMAL',
      'OUT_FOR_DELIVERY',
      'IN_TRANSIT',
      'INFO_RECEIVED',
      'INIT',
      'NEW_ONE',
      'DELIVERED',
      'EXPIRED',
    ];
    const pickup = inStatus('pickup', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', day);
    const parcels = [pickup, ...statuses.map((status) => inStatus(status, status, null, day))];
    const { groups } = arrange({ parcels, filter: '', now, zone: berlin });
    expect(new Set(groups.flatMap((group) => group.stages))).toEqual(new Set(stages));
  });
});
