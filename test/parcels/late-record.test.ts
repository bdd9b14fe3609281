import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyLateRecord, isLate, mergeHistory, mergePossiblyLate } from '../../src/parcels/merge-record.ts';
import { historyFormat } from '../../src/store/file/formats.ts';
import { forAll } from '../support/for-all.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { parcelOf } from './parcels.ts';

const morning = checkpointOf('Departed', '2026-11-19T07:00:00Z');
const noon = checkpointOf('Arrived', '2026-11-19T12:00:00Z');

describe('a record', () => {
  it('is late if its newest checkpoint is older than the newest known one', () => {
    expect(isLate(noon, recordOf({ checkpoints: [morning] }))).toBe(true);
    expect(isLate(morning, recordOf({ checkpoints: [noon, morning] }))).toBe(false);
    expect(isLate(morning, recordOf({ checkpoints: [morning, noon] }))).toBe(false);
  });

  it('is not late if it has the newest known checkpoint', () => {
    expect(isLate(noon, recordOf({ checkpoints: [noon] }))).toBe(false);
  });

  it('is late if it has no checkpoints although some are known', () => {
    expect(isLate(noon, recordOf())).toBe(true);
    expect(isLate(null, recordOf())).toBe(false);
  });

  it('is compared by local time if an instant is missing', () => {
    const local = checkpointOf('Arrived', null, { local: '2026-11-19 12:00:00' });
    const earlier = checkpointOf('Departed', null, { local: '2026-11-19 07:00:00' });
    expect(isLate(local, recordOf({ checkpoints: [earlier] }))).toBe(true);
    expect(isLate(earlier, recordOf({ checkpoints: [local] }))).toBe(false);
  });

  it('is never late without evidence', () => {
    expect(isLate(noon, recordOf({ checkpoints: [checkpointOf('Departed', null)] }))).toBe(false);
  });
});

describe('a late record', () => {
  it('only adds its checkpoints', () => {
    const known = mergeHistory(historyFormat.empty, recordOf({ checkpoints: [noon], received: { trackNo: 'new' } }));
    const merged = mergePossiblyLate(known, recordOf({ checkpoints: [morning], received: { trackNo: 'old' } }));
    expect(merged.checkpoints.map(({ detail }) => detail)).toEqual(['Arrived', 'Departed']);
    expect(merged.received).toEqual({ trackNo: 'new' });
    const parcel = parcelOf('RB1CN', { lastEvent: noon, checkpointCount: 1 });
    expect(applyLateRecord(parcel, merged)).toEqual({ ...parcel, checkpointCount: 2 });
  });

  it('changes nothing if it has nothing new', () => {
    const known = mergeHistory(historyFormat.empty, recordOf({ checkpoints: [noon, morning] }));
    expect(mergePossiblyLate(known, recordOf({ checkpoints: [morning] }))).toBe(known);
    const parcel = parcelOf('RB1CN', { lastEvent: noon, checkpointCount: 2 });
    expect(applyLateRecord(parcel, known)).toBe(parcel);
  });

  it('loses no checkpoints, regardless of the order', () => {
    const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 8 });
    const recordAt = (given: readonly number[]) =>
      recordOf({
        checkpoints: given.map((hour) =>
          checkpointOf(`at ${hour}`, `2026-11-19T${String(hour).padStart(2, '0')}:00:00Z`),
        ),
      });
    forAll(hours, hours, (a, b) => {
      const [first, second] = [recordAt(a), recordAt(b)];
      const forwards = mergePossiblyLate(mergePossiblyLate(historyFormat.empty, first), second);
      const backwards = mergePossiblyLate(mergePossiblyLate(historyFormat.empty, second), first);
      expect(forwards.checkpoints).toEqual(backwards.checkpoints);
      expect(forwards.checkpoints).toHaveLength(new Set([...a, ...b]).size);
    });
  });
});
