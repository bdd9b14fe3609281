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
/** Makes a change, makes a later one, and undoes the first. */
function undone(before: readonly Parcel[], after: readonly Parcel[], moved = after): ReturnType<typeof undoChanges> {
  return undoChanges(moved, differences(before, after), now);
}

describe('undoing a change', () => {
  it('does not duplicate a number that was added again', () => {
    const again = parcelOf('RB1CN', { id: 'other' });
    const { parcels, complete } = undone([lamp], [], [again]);
    expect(parcels).toEqual([again]);
    expect(complete).toBe(false);
  });

  it('restores a label, unless it was edited since', () => {
    const edited = editParcel(lamp, { label: 'Light' }, now);
    expect(undone([lamp], [edited]).parcels).toEqual([lamp]);
    const { parcels, complete } = undone([lamp], [edited], [{ ...edited, label: 'Theirs' }]);
    expect(parcels[0]?.label).toBe('Theirs');
    expect(complete).toBe(false);
  });

  it('keeps later news', () => {
    const { checkpoints: _checkpoints, received: _received, ...record } = recordOf({ transitStatus: 'DELIVERED' });
    const edited = { ...editParcel(lamp, { label: 'Light' }, now), record, checkpointCount: 3 };
    const { parcels } = undone([lamp], [editParcel(lamp, { label: 'Light' }, now)], [edited]);
    expect(parcels[0]).toEqual({ ...lamp, record, checkpointCount: 3 });
  });

  it('removes extras and merchant texts that were added', () => {
    const edited = editParcel(lamp, { postalCode: '10115', merchant: { orderNo: '7' } }, now);
    const [parcel] = undone([lamp], [edited]).parcels;
    expect(parcel).toMatchObject({ extras: { postalCode: null }, registration: 'pending' });
    expect(parcel).not.toHaveProperty('merchant');
  });

  it('does not change removed parcels', () => {
    const edited = editParcel(lamp, { label: 'Light' }, now);
    expect(undone([lamp], [edited], [])).toEqual({ parcels: [], complete: false });
  });

  it('restores the unread mark, including later news', () => {
    const mark = { since: '2026-11-19T12:00:00.000Z', lastRead: null };
    const unread = { ...lamp, unread: mark };
    expect(undone([unread], [asRead(unread)])).toEqual({ parcels: [unread], complete: true });
    const later = { ...lamp, checkpointCount: 2, unread: { ...mark, since: '2026-11-19T13:00:00.000Z' } };
    expect(undone([unread], [asRead(unread)], [later])).toEqual({
      parcels: [{ ...later, unread: mark }],
      complete: true,
    });
  });
});
