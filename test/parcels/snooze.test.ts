import { describe, expect, it } from 'vitest';
import { stageCounts } from '../../src/board/header-parts.ts';
import { arrangeAll } from '../../src/board/list/arrange.ts';
import { readParcel } from '../../src/parcels/parcel.ts';
import { snoozeParcel, wakeParcel } from '../../src/parcels/parcel-factory.ts';
import { isSnoozed } from '../../src/parcels/parcel-stage.ts';
import { undoChanges } from '../../src/parcels/undo-change.ts';
import { ago, aParcel, aRecord, berlin, day, hour, now } from '../board/parcels.ts';

const held = aParcel({
  id: 'held',
  record: aRecord({ transitStatus: 'ABNORMAL', transitSubStatus: 'ABNORMAL_02' }),
  unread: { since: ago(hour), lastRead: null },
});

describe('a parcel that sleeps', () => {
  it('sleeps until its time', () => {
    const asleep = snoozeParcel(held, now + day);
    expect(isSnoozed(asleep, now)).toBe(true);
    expect(isSnoozed(asleep, now + day)).toBe(false);
    expect(isSnoozed({ ...asleep, archivedAt: ago(0) }, now)).toBe(false);
  });

  it('sleeps until it moves', () => {
    const asleep = snoozeParcel(held, null);
    expect(isSnoozed(asleep, now + 99 * day)).toBe(true);
    expect(isSnoozed({ ...asleep, checkpointCount: asleep.checkpointCount + 1 }, now)).toBe(false);
    expect(isSnoozed({ ...asleep, unread: { since: ago(0), lastRead: null } }, now)).toBe(false);
  });

  it('is in a group at the end, counts nowhere, and comes back as new', () => {
    const asleep = snoozeParcel(held, now + day);
    const parcels = [asleep, aParcel({ id: 'lamp' })];
    const groups = (at: number) => arrangeAll({ parcels, now: at, zone: berlin }).groups.map(({ title }) => title);
    expect(groups(now)).toEqual(['In transit', 'Sleeping']);
    expect(groups(now + day)).toEqual(['Needs attention', 'In transit']);
    expect(stageCounts({ parcels, now, zone: berlin }).found.get('attention')).toBeUndefined();
    const awake = wakeParcel(asleep, now + day);
    expect(awake.snoozed).toBeUndefined();
    expect(awake.unread?.lastRead).toEqual(held.lastEvent);
  });

  it('is kept with its parcel, and undone with its mark', () => {
    const asleep = snoozeParcel(held, null);
    expect(readParcel(JSON.parse(JSON.stringify(asleep)))).toEqual({ parcel: asleep, whole: true });
    const undone = undoChanges([asleep], [{ before: held, after: asleep }], now);
    expect(undone).toEqual({ complete: true, parcels: [held] });
  });
});
