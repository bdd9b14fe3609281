import { describe, expect, it } from 'vitest';
import { freshness, freshnessLooks } from '../../../src/board/symbols.ts';
import { cellWidth } from '../../../src/lib/cells.ts';
import { missedAfterMs, staleReason } from '../../../src/parcels/parcel-state.ts';
import { ago, aParcel, aRecord, day, hour, minute, now } from '../parcels.ts';

const failure = { kind: 'unreachable', code: null, message: 'The service cannot be reached.', traceId: null };

describe('freshness', () => {
  it('stays "fresh" until the update is long overdue', () => {
    expect(freshness(aParcel({ nextPollAt: ago(15 * minute) }), now, false)).toBe('fresh');
    expect(freshness(aParcel({ nextPollAt: ago(16 * minute) }), now, false)).toBe('late');
  });

  it('is "failed" after a failed check, and "checking" during a call', () => {
    expect(freshness(aParcel({ error: failure }), now, false)).toBe('failed');
    expect(freshness(aParcel({ error: failure }), now, true)).toBe('checking');
  });

  it('is never "late" for a parcel that is archived or no longer polled', () => {
    expect(freshness(aParcel({ nextPollAt: null }), now, false)).toBe('fresh');
    expect(freshness(aParcel({ nextPollAt: ago(day), archivedAt: ago(hour) }), now, false)).toBe('fresh');
  });

  it('is "fresh" for a rejected parcel, because its stage shows the problem', () => {
    expect(freshness(aParcel({ registration: 'rejected', error: failure }), now, false)).toBe('fresh');
  });
});

describe('a failed lookup', () => {
  it.each(['003', '004', '005', '006'])('with the code %s makes the data doubtful', (trackingStatus) => {
    const parcel = aParcel({ record: aRecord({ trackingStatus }) });
    expect(freshness(parcel, now, false)).toBe('doubtful');
    expect(staleReason(parcel, now)).not.toBeNull();
  });

  it.each(['001', '002', '007', null])('is not assumed for the code %j', (trackingStatus) => {
    expect(freshness(aParcel({ record: aRecord({ trackingStatus }) }), now, false)).toBe('fresh');
  });
});

describe('staleReason', () => {
  it('is set for failed and late parcels', () => {
    expect(staleReason(aParcel({ error: failure }), now)).not.toBeNull();
    expect(staleReason(aParcel({ nextPollAt: ago(day) }), now)).not.toBeNull();
    expect(staleReason(aParcel(), now)).toBeNull();
  });

  it('is set from a millisecond after a check counts as missed', () => {
    const parcel = aParcel();
    const at = Date.parse(parcel.nextPollAt ?? '') + missedAfterMs;
    expect(staleReason(parcel, at)).toBeNull();
    expect(staleReason(parcel, at + 1)).not.toBeNull();
  });
});

it('freshnessLooks has one-cell symbols, and a blank for fresh data', () => {
  expect(freshnessLooks.fresh.symbol).toBe(' ');
  for (const { symbol } of Object.values(freshnessLooks)) expect(cellWidth(symbol)).toBe(1);
});
