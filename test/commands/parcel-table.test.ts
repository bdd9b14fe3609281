import { describe, expect, it } from 'vitest';
import { plainPainter } from '../../src/commands/paint.ts';
import { parcelTable } from '../../src/commands/parcel-table.ts';
import type { Parcel } from '../../src/watchlist/parcel.ts';
import { aParcel, aRecord, berlin, now } from '../board/parcels.ts';

function rowOf(parcel: Parcel): string {
  const style = { glyphs: 'symbols', colour: false, paint: plainPainter } as const;
  return parcelTable([parcel], { now, zone: berlin, style, width: null }).split('\n')[1] ?? '';
}

describe('a row of the table', () => {
  it('marks data that the service could not renew, in words', () => {
    expect(rowOf(aParcel({ record: aRecord({ trackingStatus: '005' }) }))).toContain(
      'Arrived at a sorting centre (may be old)',
    );
    expect(rowOf(aParcel())).not.toContain('old');
  });

  it('says what its courier needs to find a parcel', () => {
    const record = aRecord({ transitStatus: 'NO_RECORD', transitSubStatus: null });
    expect(rowOf(aParcel({ courierCode: 'postnl', record }))).toContain('Needs a postal code');
  });
});
