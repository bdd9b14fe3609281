import { describe, expect, it } from 'vitest';
import { plainPainter } from '../../../src/board/text/paint.ts';
import { parcelTable } from '../../../src/commands/output/parcel-table.ts';
import { renderTable } from '../../../src/commands/output/table.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { aParcel, aRecord, berlin, day, hour, inStatus, now } from '../../board/parcels.ts';

const tableOf = (parcels: readonly Parcel[], width: number | null, isPaused = false): string =>
  renderTable(parcelTable(parcels, { now, zone: berlin, isPaused }), width, plainPainter('symbols'));

function rowOf(parcel: Parcel, isPaused = false): string {
  return tableOf([parcel], null, isPaused).split('\n')[1] ?? '';
}

describe('a row of the table', () => {
  it('marks data that the service could not renew, in words', () => {
    expect(rowOf(aParcel({ record: aRecord({ trackingStatus: '005' }) }))).toContain(
      'Arrived at a sorting centre (may be old)',
    );
    expect(rowOf(aParcel())).not.toContain('old');
  });

  it('ends with when it is asked about next, unless that time will not be kept', () => {
    const due = aParcel({ nextPollAt: '2026-11-21T13:20:00.000Z' });
    expect(rowOf(due)).toMatch(/ 14:20$/);
    expect(rowOf(due, true)).toMatch(/ paused$/);
    expect(rowOf(aParcel({ nextPollAt: null }), true)).not.toContain('paused');
  });

  it('says what its courier needs to find a parcel', () => {
    const record = aRecord({ transitStatus: 'NO_RECORD', transitSubStatus: null });
    expect(rowOf(aParcel({ courierCode: 'postnl', record }))).toContain('Needs a postal code');
  });
});

describe('a row of what comes', () => {
  it('tells when a parcel is expected', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-23' } as const;
    expect(rowOf(aParcel({ record: aRecord({ expectedDelivery }) }))).toMatch(/ {2}Leipzig, DE {2}Mon 23 Nov {2}/);
    const late = { kind: 'day', date: '2026-11-16' } as const;
    expect(rowOf(aParcel({ record: aRecord({ expectedDelivery: late }) }))).toContain('was expected Mon 16 Nov');
  });

  it('says out today only of what comes today', () => {
    const out = (eventAgo: number) => rowOf(inStatus('a', 'OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', eventAgo));
    expect(out(hour)).toMatch(/^▲ Out today .* Out for delivery {2}/);
    expect(out(3 * day)).toMatch(/^▲ Out .* Out for delivery since Wed {2}/);
    expect(rowOf(inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_03', hour))).toMatch(/^▲ Postponed /);
    expect(rowOf(inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 2 * day))).toContain('waits 2 d');
  });
});

describe('a table of parcels without labels', () => {
  const head = (parcels: readonly Parcel[], width: number | null): string =>
    tableOf(parcels, width).split('\n')[0] ?? '';

  it('gives the room of the label to what there is, in a narrow terminal', () => {
    const unlabelled = [aParcel({ label: null })];
    expect(head(unlabelled, 80)).not.toContain('LABEL');
    expect(head([...unlabelled, aParcel({ label: 'Lamp' })], 80)).toContain('LABEL');
  });

  it('has all its columns in a pipe', () => {
    const columns = head([aParcel({ label: null, lastEvent: null, nextPollAt: null })], null).split(/ {2,}/);
    expect(columns).toEqual(['STAGE', 'NUMBER', 'LABEL', 'COURIER', 'STATUS', 'PLACE', 'EXPECTED', 'AGE', 'NEXT']);
  });
});
