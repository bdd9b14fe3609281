import { describe, expect, test } from 'vitest';
import { parcelSummary } from '../../src/board/parcel-facts.ts';
import { aCheckpoint, aParcel, aPendingParcel, berlin } from './parcels.ts';

describe('the one-line summary of a parcel', () => {
  test('contains the label, number, courier, status, place, and the time on the displayed clock', () => {
    const parcel = aParcel({ label: 'Lamp', lastEvent: aCheckpoint({ at: '2026-11-20T20:14:00Z' }) });
    expect(parcelSummary(parcel, 'event', berlin)).toBe(
      'Lamp · LX123456789CN · Yanwen · Arrived at a sorting centre · Leipzig, DE · 2026-11-20 21:14 +01:00',
    );
    expect(parcelSummary(parcel, 'utc', berlin)).toContain('2026-11-20 20:14 UTC');
  });

  test('leaves out unknown facts', () => {
    const parcel = aPendingParcel({ label: null, courierCode: null, trackNo: 'RB1CN' });
    expect(parcelSummary(parcel, 'event', berlin)).toBe('RB1CN · Waiting for registration');
    const timeless = aParcel({ lastEvent: aCheckpoint({ at: null, local: null, offset: null, address: null }) });
    expect(parcelSummary(timeless, 'event', berlin)).toMatch(/ · Yanwen · [^·]+$/);
  });
});
