import { describe, expect, it } from 'vitest';
import { freshness, freshnessLooks } from '../../../src/board/status/legend.ts';
import { cellWidth } from '../../../src/lib/cells.ts';
import { isStale, missedAfterMs, turnsLateAt } from '../../../src/parcels/parcel-stage.ts';
import { ago, aParcel, aRecord, day, hour, minute, now } from '../parcels.ts';

const failure = { kind: 'unreachable', code: null, message: 'The service cannot be reached.', traceId: null };

describe('freshness', () => {
  it('is fresh until long after the update was due', () => {
    expect(freshness(aParcel({ nextPollAt: ago(15 * minute) }), now, false)).toBe('fresh');
    expect(freshness(aParcel({ nextPollAt: ago(16 * minute) }), now, false)).toBe('late');
  });

  it('is failed when the last try failed, and checking while a call is under way', () => {
    expect(freshness(aParcel({ error: failure }), now, false)).toBe('failed');
    expect(freshness(aParcel({ error: failure }), now, true)).toBe('checking');
  });

  it('is never late for a parcel that is no longer polled or is archived', () => {
    expect(freshness(aParcel({ nextPollAt: null }), now, false)).toBe('fresh');
    expect(freshness(aParcel({ nextPollAt: ago(day), archivedAt: ago(hour) }), now, false)).toBe('fresh');
  });

  it('says nothing about a rejected parcel, whose stage shows it', () => {
    expect(freshness(aParcel({ registration: 'rejected', error: failure }), now, false)).toBe('fresh');
  });
});

describe('a failed lookup', () => {
  it.each(['003', '004', '005', '006'])('makes %s doubtful', (trackingStatus) => {
    const parcel = aParcel({ record: aRecord({ trackingStatus }) });
    expect(freshness(parcel, now, false)).toBe('doubtful');
    expect(isStale(parcel, now)).toBe(true);
  });

  it.each(['001', '002', '007', null])('does not change %j', (trackingStatus) => {
    expect(freshness(aParcel({ record: aRecord({ trackingStatus }) }), now, false)).toBe('fresh');
  });
});

describe('isStale', () => {
  it('applies to failed and late parcels', () => {
    expect(isStale(aParcel({ error: failure }), now)).toBe(true);
    expect(isStale(aParcel({ nextPollAt: ago(day) }), now)).toBe(true);
    expect(isStale(aParcel(), now)).toBe(false);
  });

  it('begins at the predicted instant', () => {
    const parcel = aParcel();
    const at = turnsLateAt(parcel) ?? Number.NaN;
    expect(at).toBe(Date.parse(parcel.nextPollAt ?? '') + missedAfterMs + 1);
    expect(isStale(parcel, at - 1)).toBe(false);
    expect(isStale(parcel, at)).toBe(true);
  });
});

it('freshnessLooks have signs of one cell, a blank for fresh data', () => {
  expect(freshnessLooks.fresh.symbol).toBe(' ');
  for (const { symbol } of Object.values(freshnessLooks)) expect(cellWidth(symbol)).toBe(1);
});
