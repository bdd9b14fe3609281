import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnHeadingLine, headingRows, type ListColumns, listColumns } from '../../../src/board/list/list-columns.ts';
import { columnNeeds, type ListRowInput, listRow } from '../../../src/board/list/list-row.ts';
import { cellWidth, lineText, lineWidth } from '../../../src/lib/cells.ts';
import { inGlyphs, paint } from '../../../src/lib/paint.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { forAllIn } from '../../support/for-all.ts';
import { rounds } from '../../support/rounds.ts';
import {
  aBoard,
  aCheckpoint,
  ago,
  aParcel,
  aPendingParcel,
  aRecord,
  berlin,
  day,
  hour,
  inStatus,
  minute,
  now,
} from '../parcels.ts';
import { anyText } from '../texts.ts';

/** The columns of a list that shows these parcels. */
const columnsFor = (parcels: readonly Parcel[], width: number): ListColumns =>
  listColumns(width, columnNeeds(parcels, { now, zone: berlin }));

/** The row of a parcel that is listed with others. */
function rowText(
  parcel: Parcel,
  width: number,
  { others = aBoard(), ...input }: Partial<ListRowInput> & { readonly others?: readonly Parcel[] } = {},
): string {
  const columns = columnsFor([parcel, ...others], width);
  return lineText(listRow(parcel, { now, zone: berlin, columns, checking: false, ...input }));
}

const rejected = aPendingParcel({
  registration: 'rejected',
  nextPollAt: null,
  error: {
    kind: 'request-refused',
    code: 'A0400',
    message: 'unsupported supplier code: check the courier',
    traceId: null,
  },
});
const failure = { kind: 'unreachable', code: null, message: 'The service cannot be reached.', traceId: null };

describe('listRow', () => {
  it('shows a mark next to the selection, even without colour or in ASCII', () => {
    const lamp = aParcel({ label: 'Lamp' });
    expect(rowText(lamp, 40, { marked: true })).toMatch(/^ ■▸ Lamp /);
    expect(rowText(lamp, 40, { marked: true, selected: true })).toMatch(/^▌■▸ Lamp /);
    expect(inGlyphs(rowText(lamp, 40, { marked: true, selected: true }), 'ascii')).toMatch(/^\[\+> Lamp /);
    expect(rowText(lamp, 40)).toMatch(/^ {2}▸ Lamp /);
  });

  it('shows no next check if there is none', () => {
    expect(rowText(aParcel(), 120)).toContain('14:20');
    expect(rowText(aParcel(), 120, { pause: 'paused' })).not.toContain('14:20');
  });

  it('never shows an event as a place', () => {
    const lastEvent = aCheckpoint({ address: null, detail: 'Scanned' });
    expect(rowText(aParcel({ lastEvent }), 100)).not.toContain('Scanned');
    expect(rowText(aParcel({ lastEvent }), 160).match(/Scanned/g)).toHaveLength(1);
  });

  it("shows the status in our wording and the place, never the courier's wording", () => {
    const record = aRecord({ transitStatus: 'WAITING_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_01' });
    const lastEvent = aCheckpoint({ detail: 'Die Sendung wurde in das Zustellfahrzeug geladen', address: 'München' });
    for (const width of [38, 60, 80, 108]) {
      expect(rowText(aParcel({ record, lastEvent }), width)).not.toContain('Sendung');
    }
    expect(rowText(aParcel({ record, lastEvent }), 80)).toContain('Out for delivery · München');
  });

  it('shows only the place if the heading shows the status and there is no room for both', () => {
    const record = aRecord({ transitStatus: 'IN_TRANSIT', transitSubStatus: null });
    expect(rowText(aParcel({ record }), 40)).toMatch(/ Leipzig, DE +16h $/);
    expect(rowText(aParcel({ record }), 40, { hasStageHeadings: false })).toContain('In transit');
  });

  it('colours the expected day: red if late, yellow if today', () => {
    const toneOf = (date: string) => {
      const parcel = aParcel({ record: aRecord({ expectedDelivery: { kind: 'day', date } }) });
      const line = listRow(parcel, { now, zone: berlin, columns: columnsFor([parcel], 108), checking: false });
      return line.find(({ text }) => /late|today|Nov/.test(text))?.tone;
    };
    expect(['2026-11-20', '2026-11-21', '2026-11-25'].map(toneOf)).toEqual(['attention', 'today', 'plain']);
  });

  it('never shows the same text twice', () => {
    const status = { transitStatus: 'WAITING_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_01' };
    const outForDelivery = (detail: string): Parcel =>
      aParcel({
        record: aRecord(status),
        lastEvent: aCheckpoint({ at: ago(hour), subStatus: 'WAITING_DELIVERY_01', detail }),
      });
    expect(rowText(outForDelivery('OUT FOR DELIVERY'), 200)).not.toContain('OUT FOR');
    expect(rowText(outForDelivery('Out for delivery'), 80)).toContain('Out for delivery · Leipzig');
    const arrived = aParcel({ lastEvent: aCheckpoint({ detail: 'Arrived at the sorting center' }) });
    expect(rowText(arrived, 200)).toContain('Arrived at the sorting center');
    const scanned = aParcel({ lastEvent: aCheckpoint({ detail: 'Arrived at the sorting centre' }) });
    expect(rowText(scanned, 200)).not.toContain('Arrived at the sorting');
  });

  it('shows the place and the expected day after the status if they have no column and fit', () => {
    expect(rowText(inStatus('a', 'ABNORMAL', 'ABNORMAL_02', day), 70)).toContain(' Held by customs · Leipzig');
    const expectedDelivery = { kind: 'day', date: '2026-11-22' } as const;
    const parcel = aParcel({ record: aRecord({ transitSubStatus: 'IN_TRANSIT_03', expectedDelivery }) });
    const columns = { width: 50, gap: 1, columns: [{ name: 'status', width: 45 }] } as const;
    expect(lineText(listRow(parcel, { now, zone: berlin, columns, checking: false }))).toContain(
      ' Customs cleared · by tomorrow · Leipzig, DE',
    );
  });

  it('keeps both ends of a number that is too long', () => {
    expect(rowText(aParcel({ trackNo: '00340434161094027318' }), 38)).toContain('003404…27318');
  });

  it('shows the next update by weekday and time, or by weekday alone if that does not fit', () => {
    const parcel = aParcel({ nextPollAt: '2026-11-23T13:20:00Z' });
    expect(rowText(parcel, 180)).toContain('Mon 14:20');
    expect(rowText(parcel, 116)).toMatch(/ Mon +16h $/);
  });

  it("does not fall back to the group's title if the status does not fit", () => {
    expect(rowText(aParcel(), 38)).not.toContain('In transit');
    expect(rowText(inStatus('a', 'DELIVERED', 'DELIVERED_04', day), 38)).toContain('Left in a');
  });

  it('never replaces a status that needs attention', () => {
    const parcel = aParcel({ record: aRecord({ transitStatus: 'ABNORMAL', transitSubStatus: 'ABNORMAL_02' }) });
    expect(rowText(parcel, 34)).toContain('! LX12');
    expect(rowText(parcel, 34)).toContain('Held by c');
  });

  it('shows the reason for a rejection instead of the place and the event', () => {
    expect(rowText(rejected, 80)).toContain('unsupported supplier code:');
    expect(rowText(rejected, 160)).toContain('unsupported supplier code: check the courier ');
  });

  it('marks parcels that failed, are late or are being checked with a symbol, and a word if it fits', () => {
    expect(rowText(aParcel({ error: failure }), 120)).toMatch(/failed +✗ +16h $/);
    expect(rowText(aParcel({ nextPollAt: ago(5 * hour) }), 120)).toMatch(/late +◔ +16h $/);
    expect(rowText(aParcel(), 120, { checking: true })).toMatch(/now +↻ +16h $/);
    expect(rowText({ ...inStatus('a', 'IN_TRANSIT', 'IN_TRANSIT_03', day), error: failure }, 76)).toMatch(
      /Customs cleared · check failed +✗ +1d $/,
    );
    expect(rowText(aParcel({ error: failure }), 38)).toMatch(/✗ +16h $/);
    expect(inGlyphs(rowText(aParcel({ error: failure }), 38), 'ascii')).toMatch(/x +16h $/);
  });

  it('shows why the last check failed if it fits', () => {
    expect(rowText(aParcel({ error: failure }), 160)).toContain('The service cannot be reached.');
    // The lines under the header already show it.
    const shownProblem = failure.message;
    expect(rowText(aParcel({ error: failure }), 160, { shownProblem })).not.toContain('The service cannot be reached.');
  });

  it('marks an uncertain age', () => {
    const lastEvent = aCheckpoint({ at: null, offset: null, certain: false, local: '2026-11-18 11:05:00' });
    expect(rowText(aParcel({ lastEvent }), 38)).toMatch(/ ~2-3d $/);
  });

  it('gives the selected row a background', () => {
    const line = listRow(aParcel(), {
      now,
      zone: berlin,
      columns: columnsFor([aParcel()], 60),
      checking: false,
      selected: true,
    });
    expect(line.map(({ reverse }) => reverse === true)).toEqual([false, true]);
    expect(paint(line, { colour: false, glyphs: 'ascii', hyperlinks: false })).toMatch(
      /^.*\[.*\u001b\[7m.*\u001b\[27m$/s,
    );
  });

  it('marks an unread row with a symbol and a bold name', () => {
    const unread = aParcel({ label: 'Lamp', unread: { since: ago(hour), lastRead: null } });
    expect(rowText(unread, 38)).toMatch(/^ •▸ Lamp/);
    expect(rowText(unread, 38, { selected: true })).toMatch(/^▌•▸ Lamp/);
    expect(rowText(unread, 38, { marked: true })).toMatch(/^ ■▸ Lamp/);
    expect(inGlyphs(rowText(unread, 38), 'ascii')).toMatch(/^ \*> Lamp/);
    const line = listRow(unread, { now, zone: berlin, columns: columnsFor([unread], 38), checking: false });
    expect(line.find(({ text }) => text.startsWith('Lamp'))?.bold).toBe(true);
  });

  it('colours only the symbol', () => {
    const parcel = aParcel({ record: aRecord({ transitStatus: 'DELIVERY_FAILED', transitSubStatus: null }) });
    const line = listRow(parcel, { now, zone: berlin, columns: columnsFor([parcel], 60), checking: false });
    const toned = line.filter((segment) => segment.tone === 'attention').map((segment) => segment.text.trim());
    expect(toned).toEqual(['!']);
  });

  it.each([
    ['has waited for three days', inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 3 * day), 'today'],
    ['has waited for a week', inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 7 * day), 'attention'],
    ['is quiet', inStatus('a', 'IN_TRANSIT', 'IN_TRANSIT_02', 5 * day), 'today'],
  ])('highlights a parcel that %s', (_what, parcel, tone) => {
    const columns = columnsFor([parcel], 100);
    const usual = new Map([['yanwen', 2]]);
    const row = listRow(parcel, { now, zone: berlin, columns, checking: false, usual });
    expect(row.find(({ text }) => /[◆▸]/.test(text))).toMatchObject({ tone, bold: true });
    expect(lineText(row)).toMatch(/waiting|quiet 5 d, usually 2/);
  });

  describe('for a parcel with an expected day', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-23' } as const;
    const parcel = aParcel({ record: aRecord({ expectedDelivery }) });

    it.each([
      [160, /Leip.* Mon 23 Nov +14:20 +16h $/],
      [83, /sorting centre +Mon 23 Nov +16h $/],
      [78, /sorting centre +Mon 23 Nov +16h $/],
    ])('shows the day in its own column at %d cells', (width, pattern) =>
      expect(rowText(parcel, width)).toMatch(pattern),
    );

    it('shows the day instead of a status that does not fit in a narrower list', () => {
      expect(rowText(parcel, 48)).toMatch(/ by Mon 23 Nov +16h $/);
      expect(rowText(parcel, 34)).toMatch(/ Mon 23 Nov +16h $/);
    });

    it('keeps the status if the parcel is late', () => {
      const late = aParcel({ record: aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-20' } }) });
      expect(rowText(late, 84)).toContain(' 1 d late ');
      expect(rowText(late, 48)).toContain('Arrived at a sorting');
    });
  });

  it('shows how long a parcel has been out or waiting, if that fits', () => {
    const out = inStatus('a', 'OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', 3 * day);
    expect(rowText(out, 160)).toContain('Out for delivery since Wed');
    expect(rowText(out, 45)).toContain('Out since Wed');
    const postponed = inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_03', 2 * hour);
    expect(rowText(postponed, 84)).toContain('Delivery postponed');
    expect(rowText(postponed, 34)).toContain('Delivery');
    const waiting = inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 2 * day);
    expect(rowText(waiting, 100)).toContain('Ready for pick-up, waiting 2 d');
    expect(rowText(waiting, 48)).toContain('waiting 2 d');
    expect(rowText(waiting, 53)).toContain('waiting 2 d · Leipzig');
  });

  it('is exactly as wide as requested', () => {
    const anyParcel = fc
      .record({
        label: fc.option(anyText),
        courier: fc.option(anyText),
        place: fc.option(anyText),
        detail: fc.option(anyText),
      })
      .map(({ label, courier, place, detail }) =>
        aParcel({
          label,
          record: aRecord({ courierNameEN: courier }),
          lastEvent: aCheckpoint({ address: place, detail, at: ago(3 * day + minute) }),
        }),
      );
    forAllIn(
      rounds(400),
      fc.oneof(anyParcel, fc.constantFrom(...aBoard())),
      fc.integer({ min: 0, max: 300 }),
      (parcel, width) => {
        const columns = columnsFor([parcel, ...aBoard()], width);
        const line = listRow(parcel, { now, zone: berlin, columns, checking: false });
        expect(lineWidth(line)).toBe(width);
        expect(cellWidth(lineText(line))).toBe(width);
      },
    );
  });
});

describe('columnHeadingLine', () => {
  const headings = (width: number): string => lineText(columnHeadingLine(columnsFor(aBoard(), width)));

  it('names the columns that fit', () => {
    expect(headings(160)).toMatch(/^ {4}Parcel +Courier +Status +Newest event +Journey +Next +Last $/);
    expect(headings(38)).toMatch(/^ {4}Parcel +Status +Last $/);
  });

  it('is exactly as wide as its list', () => {
    for (let width = 0; width <= 300; width += 1) expect(cellWidth(headings(width))).toBe(width);
  });

  it('is omitted if the list is short', () => expect([3, 7, 8, 40].map(headingRows)).toEqual([0, 0, 1, 1]));
});
