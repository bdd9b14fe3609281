import { describe, expect, it } from 'vitest';
import { exportMarkdown } from '../../src/commands/export.ts';
import { cleanText } from '../../src/lib/clean-text.ts';
import { Zone } from '../../src/lib/date-time.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { arrange } from '../board/list/arranged.ts';
import { aBoard, aCheckpoint, ago, aParcel, aRecord, berlin, day, hour, inStatus, now } from '../board/parcels.ts';
import { forAll } from '../support/for-all.ts';
import { hostileText } from './exported-parcels.ts';

const write = (parcels: readonly Parcel[], zone = berlin): string => exportMarkdown(parcels, { now, zone });
const rowsOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:Parcel \||---)/.test(line));
/** Splits a row into cells like a Markdown parser. */
const cellsOf = (row: string): readonly string[] =>
  row
    .split(/(?<!\\)(?:\\\\)*\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

describe('an export as Markdown', () => {
  it("has one table per group, in the board's order and wording", () => {
    const text = write(aBoard());
    const { groups, order } = arrange({ parcels: aBoard(), filter: '', now, zone: berlin });
    expect(text.match(/^### .*$/gm)).toEqual(groups.map(({ parcels, title }) => `### ${title} (${parcels.length})`));
    expect(rowsOf(text).map((row) => cellsOf(row)[1])).toEqual(order.map(({ trackNo }) => `\`${trackNo}\``));
  });

  it("has times in the viewer's zone, and marks uncertain ones", () => {
    const parcel = aParcel({ label: 'Lamp' });
    expect(rowsOf(write([parcel]))).toEqual([
      '| Lamp | `LX123456789CN` | Yanwen | Arrived at a sorting centre | Leipzig, DE |  | 2026-11-20 21:14 +01:00 |',
    ]);
    expect(write([parcel], new Zone('Asia/Tokyo'))).toContain('| 2026-11-21 05:14 +09:00 |');
    expect(write([parcel], new Zone('Asia/Tokyo'))).toMatch(/\n\nAs of 2026-11-21 21:42 \+09:00 \(Asia\/Tokyo\)\.\n$/);
    const nowhere = aCheckpoint({ at: null, offset: null, certain: false, local: '2026-11-18 11:05:00' });
    expect(write([aParcel({ lastEvent: nowhere })])).toContain('| 2026-11-18 11:05 \\~ |');
    expect(write([aParcel({ lastEvent: aCheckpoint({ certain: false }) })])).toContain('| 2026-11-20 21:14 ± |');
  });

  it('says when parcels are expected, how long they have waited, and when they went out', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-23' } as const;
    expect(rowsOf(write([aParcel({ record: aRecord({ expectedDelivery }) })]))[0]).toContain('| Mon 23 Nov |');
    const text = write([
      inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 2 * day),
      inStatus('b', 'OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', 3 * day),
    ]);
    expect(text).toContain('| Ready for pick-up, waiting 2 d |');
    expect(text).toContain('| Out for delivery since Wed |');
  });

  it('puts archived parcels last', () => {
    const text = write([aParcel({ archivedAt: ago(hour), label: 'Old' }), aParcel({ label: 'New' })]);
    expect(text.indexOf('### In transit (1)')).toBeLessThan(text.indexOf('### Archived (1)'));
    expect(rowsOf(text).map((row) => cellsOf(row)[0])).toEqual(['New', 'Old']);
  });

  it('is one sentence if there are no parcels', () => {
    expect(write([])).toBe('There are no parcels.\n\nAs of 2026-11-21 13:42 +01:00 (Europe/Berlin).\n');
  });

  it('shows text unchanged, never as markup', () => {
    const label = 'a|b <img src=x> & `c` *d* _e_ [f](http://g) \\';
    expect(write([aParcel({ label })])).toContain(
      '| a\\|b &lt;img src=x&gt; &amp; \\`c\\` \\*d\\* \\_e\\_ \\[f\\](http://g) \\\\ |',
    );
  });

  it('has seven cells per row for any text', () =>
    forAll(hostileText.map(cleanText), hostileText.map(cleanText), (label, address) => {
      const text = write([aParcel({ label, lastEvent: aCheckpoint({ address }) })]);
      const [row, ...others] = rowsOf(text);
      expect(others).toEqual([]);
      expect(cellsOf(row ?? '')).toHaveLength(7);
      expect(text).not.toMatch(/[<>]/);
    }));

  it('contains no postal codes or phone digits', () => {
    expect(write([aParcel({ extras: { postalCode: '50667X', phoneSuffix: '9876' } })])).not.toMatch(/50667X|9876/);
  });
});
