import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { csvHeadings, csvRow, exportedParcel } from '../../src/commands/export.ts';
import { csvText } from '../../src/lib/escape.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { aBoard, aCheckpoint, aParcel, now } from '../board/parcels.ts';
import { forAll } from '../support/for-all.ts';
import { enteredParcels } from './exported-parcels.ts';

const exportOptions = { serviceClock: assumedServiceClock, now, isPaused: false };
const write = (parcels: readonly Parcel[]): string =>
  csvText([csvHeadings, ...parcels.map((parcel) => csvRow(exportedParcel(parcel, exportOptions)))]);
/** Parses strictly by RFC 4180: every row has the same number of cells, and quotes enclose a whole cell. */
const read = (text: string): readonly Readonly<Record<string, string>>[] => parse(text, { columns: true });

describe('an export as CSV', () => {
  it('has a header row and one row per parcel', () => {
    const label = 'Lamp, 12" wide';
    const [row] = read(write([aParcel({ label, tags: ['home', 'a,b'], lastEvent: aCheckpoint() })]));
    expect(row).toMatchObject({
      trackNo: 'LX123456789CN',
      courierCode: 'yanwen',
      courierName: 'Yanwen',
      label,
      tags: 'home,"a,b"',
      state: 'watching',
      stage: 'in-transit',
      statusText: 'Arrived at a sorting centre',
      transitDays: '6',
      lastEventAt: '2026-11-20T20:14:00Z',
      lastEventLocal: '2026-11-20 21:14:00 +01:00',
      nextUpdateAt: '2026-11-21T13:20:00Z',
      archivedAt: '',
      postalCode: '',
    });
  });

  it('has only a header row without parcels', () => {
    expect(write([])).toMatch(
      /^trackNo,courierCode,[A-Za-z,0-9]+,custom2,deliveredLocal,forecastFrom,forecastTo,note\r\n$/,
    );
  });

  it('ends every line with CRLF and has no other line ends, control characters or byte order mark', () => {
    const text = write(aBoard());
    expect(text.split('\r\n')).toHaveLength(aBoard().length + 2);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\uFEFF]/u);
  });

  it('has no cells that a spreadsheet would run as formulas', () =>
    forAll(enteredParcels, (parcels) => {
      const rows = read(write(parcels));
      expect(rows).toHaveLength(parcels.length);
      for (const cell of rows.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    }));

  it('also guards text from couriers', () => {
    const lastEvent = aCheckpoint({ detail: '=HYPERLINK("http://x")', address: '-', local: null });
    expect(read(write([aParcel({ lastEvent })]))[0]).toMatchObject({
      lastEventDetail: '\'=HYPERLINK("http://x")',
      lastEventAddress: "'-",
      lastEventLocal: '',
    });
  });
});
