import { describe, expect, it } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { archiveParcel, asRead, editParcel } from '../../src/parcels/parcel-factory.ts';
import { differences } from '../../src/parcels/parcel-list.ts';
import { undoChanges } from '../../src/polling/undo.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { someThursday } from '../support/fake-clock.ts';
import { recordOf } from '../support/records.ts';

const now = someThursday + 5_000;
const lamp = parcelOf('RB1CN', { label: 'Lamp', nextPollAt: '2026-11-19T12:00:00.000Z', registration: 'registered' });
const book = parcelOf('RB2CN');

/** Undoes the change from `before` to `after` once the list has become `moved`. */
function undoLater(before: readonly Parcel[], after: readonly Parcel[], moved = after): ReturnType<typeof undoChanges> {
  return undoChanges(moved, differences(before, after), now);
}

describe('undoing a change', () => {
  it('restores a removed parcel', () => {
    expect(undoLater([lamp, book], [book])).toEqual({ parcels: [book, lamp], complete: true });
  });

  it('does not duplicate a number that was added again', () => {
    const again = parcelOf('RB1CN', { id: 'other' });
    const { parcels, complete } = undoLater([lamp], [], [again]);
    expect(parcels).toEqual([again]);
    expect(complete).toBe(false);
  });

  it('removes an added parcel', () => expect(undoLater([book], [book, lamp]).parcels).toEqual([book]));

  it('restores an archived parcel to its place in the queue', () => {
    expect(undoLater([lamp], [archiveParcel(lamp, now)]).parcels).toEqual([lamp]);
  });

  it('restores a label, unless it has been edited since', () => {
    const edited = editParcel(lamp, { label: 'Light' }, now);
    expect(undoLater([lamp], [edited]).parcels).toEqual([lamp]);
    const { parcels, complete } = undoLater([lamp], [edited], [{ ...edited, label: 'Theirs' }]);
    expect(parcels[0]?.label).toBe('Theirs');
    expect(complete).toBe(false);
  });

  it('keeps later updates', () => {
    const { checkpoints: _checkpoints, received: _received, ...record } = recordOf({ transitStatus: 'DELIVERED' });
    const edited = { ...editParcel(lamp, { label: 'Light' }, now), record, checkpointCount: 3 };
    const { parcels } = undoLater([lamp], [editParcel(lamp, { label: 'Light' }, now)], [edited]);
    expect(parcels[0]).toEqual({ ...lamp, record, checkpointCount: 3 });
  });

  it('restores the old courier with its record, and registers it', () => {
    const known = { ...lamp, courierCode: 'dhl', courierPinned: true, checkpointCount: 4 };
    const edited = editParcel(known, { courierCode: 'ups' }, now);
    expect(edited).toMatchObject({ checkpointCount: 0, historyId: expect.any(String) });
    const [parcel] = undoLater([known], [edited], [{ ...edited, checkpointCount: 1 }]).parcels;
    expect(parcel).toMatchObject({ courierCode: 'dhl', checkpointCount: 4, registration: 'pending' });
    expect(parcel).not.toHaveProperty('historyId');
  });

  it('removes extras and merchant details that were added', () => {
    const edited = editParcel(lamp, { postalCode: '10115', merchant: { orderNo: '7' } }, now);
    const [parcel] = undoLater([lamp], [edited]).parcels;
    expect(parcel).toMatchObject({ extras: { postalCode: null }, registration: 'pending' });
    expect(parcel).not.toHaveProperty('merchant');
  });

  it('does not change removed parcels', () => {
    const edited = editParcel(lamp, { label: 'Light' }, now);
    expect(undoLater([lamp], [edited], [])).toEqual({ parcels: [], complete: false });
  });

  it('restores the unread mark, extended to later updates', () => {
    const mark = { since: '2026-11-19T12:00:00.000Z', lastRead: null };
    const unread = { ...lamp, unread: mark };
    expect(undoLater([unread], [asRead(unread)])).toEqual({ parcels: [unread], complete: true });
    const later = { ...lamp, checkpointCount: 2, unread: { ...mark, since: '2026-11-19T13:00:00.000Z' } };
    expect(undoLater([unread], [asRead(unread)], [later])).toEqual({
      parcels: [{ ...later, unread: mark }],
      complete: true,
    });
  });

  it('does nothing for a change that has no effect', () => {
    const list = [lamp];
    expect(differences(list, list)).toEqual([]);
    expect(differences(list, [lamp])).toEqual([]);
  });
});
