import { describe, expect, it } from 'vitest';
import { parcelTable } from '../../src/commands/parcel-table.ts';
import { plainPainter } from '../../src/lib/paint.ts';
import { renderTable } from '../../src/lib/table.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aParcel, aRecord, berlin, day, hour, inStatus, now } from '../board/parcels.ts';

const tableOf = (parcels: readonly Parcel[], width: number | null, isPaused = false): string =>
  renderTable(parcelTable(parcels, { now, zone: berlin, isPaused, width }), width, plainPainter('symbols'));

function rowOf(parcel: Parcel, isPaused = false): string {
  return tableOf([parcel], null, isPaused).split('\n')[1] ?? '';
}

describe('a row of the table', () => {
  it('marks stale data in words', () => {
    expect(rowOf(aParcel({ record: aRecord({ trackingStatus: '005' }) }))).toContain(
      'Arrived at a sorting centre (may be old)',
    );
    expect(rowOf(aParcel())).not.toContain('old');
  });

  it('ends with the next check unless checks are paused', () => {
    const due = aParcel({ nextPollAt: '2026-11-21T13:20:00.000Z' });
    expect(rowOf(due)).toMatch(/ 14:20$/);
    expect(rowOf(due, true)).toMatch(/ paused$/);
    expect(rowOf(aParcel({ nextPollAt: null }), true)).not.toContain('paused');
  });

  it('says what its courier needs', () => {
    const record = aRecord({ transitStatus: 'NO_RECORD', transitSubStatus: null });
    expect(rowOf(aParcel({ courierCode: 'postnl', record }))).toContain('Needs a postal code');
  });
});

describe('a row of an expected parcel', () => {
  it('says when the parcel is expected', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-23' } as const;
    expect(rowOf(aParcel({ record: aRecord({ expectedDelivery }) }))).toMatch(/ {2}Leipzig, DE {2}Mon 23 Nov {2}/);
    const late = { kind: 'day', date: '2026-11-16' } as const;
    expect(rowOf(aParcel({ record: aRecord({ expectedDelivery: late }) }))).toContain('was expected Mon 16 Nov');
  });

  it('says "out today" only on the day of delivery', () => {
    const out = (eventAgo: number) => rowOf(inStatus('a', 'OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', eventAgo));
    expect(out(hour)).toMatch(/^▲ Out today .* Out for delivery {2}/);
    expect(out(3 * day)).toMatch(/^▲ Out .* Out for delivery since Wed {2}/);
    expect(rowOf(inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_03', hour))).toMatch(/^▲ Postponed /);
    expect(rowOf(inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 2 * day))).toContain('waiting 2 d');
  });
});

describe('a table of parcels in a narrow terminal', () => {
  const pickup = (label: string | null) => ({
    ...inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 2 * day),
    trackNo: 'RB123456785CN',
    label,
  });

  it('has a sign instead of the stage, numbers only without a label, and room for the status', () => {
    const label = 'Plant pot; terracotta, 28 cm, with a saucer';
    const [head = '', lamp = '', nameless = ''] = tableOf([pickup(label), pickup(null)], 80).split('\n');
    expect(head).toMatch(/^ {3}PARCEL {2,}COURIER/);
    expect(head).not.toMatch(/STAGE|NUMBER/);
    expect(lamp).toMatch(/^◆ {2}Plant pot; terracotta, 28 c… {2}/);
    expect(nameless).toMatch(/^◆ {2}RB123456785CN {2}/);
    for (const row of [lamp, nameless]) expect(row).toContain('Ready for pick-up, waiting 2 d');
    expect(tableOf([pickup(label)], 119)).not.toContain('STAGE');
    expect(tableOf([pickup(label)], 120)).toContain('STAGE');
    for (const width of [20, 40, 60]) expect(tableOf([pickup(null)], width)).toContain('RB123456785CN');
  });

  it('keeps every chosen column', () => {
    const columns = ['label', 'place', 'next'] as const;
    const table = parcelTable([pickup('Lamp')], { now, zone: berlin, isPaused: false, width: 30, columns });
    expect(renderTable(table, 30, plainPainter('symbols')).split('\n')[0]).toMatch(/^LABEL +PLACE +NEXT$/);
  });
});

describe('a table of parcels', () => {
  it('has all columns in a pipe', () => {
    const columns = (
      tableOf([aParcel({ label: null, lastEvent: null, nextPollAt: null })], null).split('\n')[0] ?? ''
    ).split(/ {2,}/);
    expect(columns).toEqual(['STAGE', 'NUMBER', 'LABEL', 'COURIER', 'STATUS', 'PLACE', 'EXPECTED', 'AGE', 'NEXT']);
  });
});
