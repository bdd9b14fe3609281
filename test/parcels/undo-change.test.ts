import { describe, expect, it } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { asRead, editParcel } from '../../src/parcels/parcel-factory.ts';
import { differences } from '../../src/parcels/parcel-list.ts';
import { undoChanges } from '../../src/parcels/undo-change.ts';
import { someThursday } from '../support/fake-clock.ts';
import { recordOf } from '../support/records.ts';
import { parcelOf } from './parcels.ts';

const now = someThursday + 5_000;
const lamp = parcelOf('RB1CN', { label: 'Lamp', nextPollAt: '2026-11-19T12:00:00.000Z', registration: 'registered' });
/** Undoes the change from `before` to `after` once the list has become `moved`. */
function undoLater(before: readonly Parcel[], after: readonly Parcel[], moved = after): ReturnType<typeof undoChanges> {
  return undoChanges(moved, differences(before, after), now);
}

describe('undoing a change', () => {
  it('does not duplicate a number that was added again', () => {
    const again = parcelOf('RB1CN', { id: 'other' });
    const { parcels, complete } = undoLater([lamp], [], [again]);
    expect(parcels).toEqual([again]);
    expect(complete).toBe(false);
  });

  it('restores a label, unless it was edited since', () => {
    const edited = editParcel(lamp, { label: 'Light' }, now);
    expect(undoLater([lamp], [edited]).parcels).toEqual([lamp]);
    const { parcels, complete } = undoLater([lamp], [edited], [{ ...edited, label: 'Theirs' }]);
    expect(parcels[0]?.label).toBe('Theirs');
    expect(complete).toBe(false);
  });

  it('keeps later news', () => {
    const { checkpoints: _checkpoints, received: _received, ...record } = recordOf({ transitStatus: 'DELIVERED' });
    const edited = { ...editParcel(lamp, { label: 'Light' }, now), record, checkpointCount: 3 };
    const { parcels } = undoLater([lamp], [editParcel(lamp, { label: 'Light' }, now)], [edited]);
    expect(parcels[0]).toEqual({ ...lamp, record, checkpointCount: 3 });
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

  it('restores the unread mark, extended to later news', () => {
    const mark = { since: '2026-11-19T12:00:00.000Z', lastRead: null };
    const unread = { ...lamp, unread: mark };
    expect(undoLater([unread], [asRead(unread)])).toEqual({ parcels: [unread], complete: true });
    const later = { ...lamp, checkpointCount: 2, unread: { ...mark, since: '2026-11-19T13:00:00.000Z' } };
    expect(undoLater([unread], [asRead(unread)], [later])).toEqual({
      parcels: [{ ...later, unread: mark }],
      complete: true,
    });
  });
});
