import { describe, expect, it } from 'vitest';
import { journeyProgress } from '../../src/board/symbols.ts';
import { routeLine } from '../../src/board/timeline-head.ts';
import { lineText } from '../../src/lib/cells.ts';
import { inGlyphs } from '../../src/lib/paint.ts';
import type { Parcel, RecordSummary } from '../../src/parcels/parcel.ts';
import { aCheckpoint, aParcel, aPendingParcel, aRecord } from './parcels.ts';

const withRecord = (fields: Partial<RecordSummary>, more: Partial<Parcel> = {}): Parcel =>
  aParcel({ record: aRecord(fields), ...more });
const text = (parcel: Parcel): string => lineText(routeLine(parcel, 9));

describe('routeLine', () => {
  it('draws the route with the days in transit', () => expect(text(aParcel())).toBe('CN ●━━━●──── DE   6 days'));

  it('begins at the sender and ends at the receiver', () => {
    expect(text(withRecord({ transitStatus: 'INFO_RECEIVED', transitSubStatus: null }))).toBe(
      'CN ●──────── DE   6 days',
    );
    expect(text(withRecord({ transitStatus: 'DELIVERED', transitSubStatus: null }))).toBe('CN ●━━━━━━━● DE   6 days');
  });

  it('omits the days if the service does not count them', () => {
    expect(text(withRecord({ transitDays: null }))).toBe('CN ●━━━●──── DE');
    expect(text(withRecord({ transitDays: -1 }))).toBe('CN ●━━━●──── DE');
    expect(text(withRecord({ transitDays: 0 }))).toBe('CN ●━━━●──── DE');
    expect(text(withRecord({ transitDays: 1 }))).toBe('CN ●━━━●──── DE   1 day');
  });

  it('marks a missing country, and draws no route without both', () => {
    expect(text(withRecord({ shipTo: null }))).toBe('CN ●━━━●──── ?   6 days');
    expect(text(withRecord({ shipFrom: null, shipTo: null }))).toBe('6 days');
    expect(text(withRecord({ shipFrom: null, shipTo: null, transitDays: null }))).toBe('');
    expect(text(aPendingParcel())).toBe('');
  });

  it('has no dot if the progress is unknown', () => {
    expect(text(withRecord({ transitStatus: 'TELEPORTED', transitSubStatus: null }, { lastEvent: null }))).toBe(
      'CN ───────── DE   6 days',
    );
  });

  it.each([
    ['IN_TRANSIT', 'IN_TRANSIT_08', 'CN ●━━━✈──── DE', 'CN *===>---- DE'],
    ['ABNORMAL', 'ABNORMAL_02', 'CN ●━━━✖──── DE', 'CN *===x---- DE'],
    ['OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', 'CN ●━━━━━━▲─ DE', 'CN *======^- DE'],
    ['OUT_FOR_DELIVERY', 'WAITING_DELIVERY_02', 'CN ●━━━━━━◆─ DE', 'CN *======#- DE'],
  ])("shows the parcel's state as a symbol for %s, %s", (transitStatus, transitSubStatus, expected, ascii) => {
    const line = lineText(routeLine(withRecord({ transitStatus, transitSubStatus, transitDays: null }), 9));
    expect(line).toBe(expected);
    expect(inGlyphs(line, 'ascii')).toBe(ascii);
  });
});

describe('journeyProgress', () => {
  const stationAt = (transitStatus: string, transitSubStatus: string | null): number =>
    journeyProgress(withRecord({ transitStatus, transitSubStatus }, { lastEvent: aCheckpoint({ subStatus: null }) })) ??
    -1;

  it('never moves back on a typical journey', () => {
    const stations = [
      stationAt('INFO_RECEIVED', 'INFO_RECEIVED_01'),
      stationAt('IN_TRANSIT', 'IN_TRANSIT_04'),
      stationAt('IN_TRANSIT', 'IN_TRANSIT_05'),
      stationAt('IN_TRANSIT', 'IN_TRANSIT_08'),
      stationAt('IN_TRANSIT', 'IN_TRANSIT_06'),
      stationAt('IN_TRANSIT', 'IN_TRANSIT_07'),
      stationAt('WAITING_DELIVERY', 'WAITING_DELIVERY_01'),
      stationAt('DELIVERED', 'DELIVERED_01'),
    ];
    expect(stations).toEqual([...stations].sort((a, b) => a - b));
  });

  it('uses the newest event if the record has less information', () => {
    const lastEvent = aCheckpoint({ subStatus: 'IN_TRANSIT_07' });
    expect(journeyProgress(withRecord({ transitSubStatus: null }, { lastEvent }))).toBe(0.75);
  });
});
