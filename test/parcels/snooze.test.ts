import { describe, expect, it } from 'vitest';
import { arrangeAll } from '../../src/board/list/arrange.ts';
import { stageCounts } from '../../src/board/status/status-now.ts';
import { readParcel } from '../../src/parcels/parcel.ts';
import { isSnoozed, snoozeParcel, unsnoozeParcel } from '../../src/parcels/snooze.ts';
import { undoChanges } from '../../src/polling/undo.ts';
import { ago, aParcel, aRecord, berlin, day, hour, now } from '../board/parcels.ts';

const held = aParcel({
  id: 'held',
  record: aRecord({ transitStatus: 'ABNORMAL', transitSubStatus: 'ABNORMAL_02' }),
  unread: { since: ago(hour), lastRead: null },
});

describe('a snooze', () => {
  it('lasts until the chosen time', () => {
    const snoozed = snoozeParcel(held, now + day);
    expect(isSnoozed(snoozed, now)).toBe(true);
    expect(isSnoozed(snoozed, now + day)).toBe(false);
    expect(isSnoozed({ ...snoozed, archivedAt: ago(0) }, now)).toBe(false);
  });

  it('lasts until the parcel moves', () => {
    const snoozed = snoozeParcel(held, null);
    expect(isSnoozed(snoozed, now + 99 * day)).toBe(true);
    expect(isSnoozed({ ...snoozed, checkpointCount: snoozed.checkpointCount + 1 }, now)).toBe(false);
    expect(isSnoozed({ ...snoozed, unread: { since: ago(0), lastRead: null } }, now)).toBe(false);
  });

  it('moves the parcel to the last group and out of the counts, and makes it unread when it ends', () => {
    const snoozed = snoozeParcel(held, now + day);
    const parcels = [snoozed, aParcel({ id: 'lamp' })];
    const groups = (at: number) => arrangeAll({ parcels, now: at, zone: berlin }).groups.map(({ title }) => title);
    expect(groups(now)).toEqual(['In transit', 'Snoozed']);
    expect(groups(now + day)).toEqual(['Needs attention', 'In transit']);
    expect(stageCounts({ parcels, now, zone: berlin }).found.get('attention')).toBeUndefined();
    const unsnoozed = unsnoozeParcel(snoozed, now + day);
    expect(unsnoozed.snoozed).toBeUndefined();
    expect(unsnoozed.unread?.lastRead).toEqual(held.lastEvent);
  });

  it('is saved with its parcel, and can be undone', () => {
    const snoozed = snoozeParcel(held, null);
    expect(readParcel(JSON.parse(JSON.stringify(snoozed)))).toEqual({ parcel: snoozed, isComplete: true });
    const undone = undoChanges([snoozed], [{ before: held, after: snoozed }], now);
    expect(undone).toEqual({ complete: true, parcels: [held] });
  });
});
