import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupHeading, type ListRowInput, listRow } from '../../../src/board/list/list-row.ts';
import { cellWidth, lineText, lineWidth } from '../../../src/board/text/cells.ts';
import { inGlyphs } from '../../../src/board/text/stand-in.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
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

function rowText(parcel: Parcel, width: number, input: Partial<ListRowInput> = {}): string {
  return lineText(listRow(parcel, { now, width, zone: berlin, checking: false, ...input }));
}

const refused = aPendingParcel({
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
  it('shows a mark beside the selection, without colour and in ASCII, too', () => {
    const lamp = aParcel({ label: 'Lamp' });
    expect(rowText(lamp, 40, { marked: true })).toMatch(/^ ▸■Lamp /);
    expect(rowText(lamp, 40, { marked: true, selected: true })).toMatch(/^▌▸■Lamp /);
    expect(inGlyphs(rowText(lamp, 40, { marked: true, selected: true }), 'ascii')).toMatch(/^\|>\+Lamp /);
    expect(rowText(lamp, 40)).toMatch(/^ {1}▸ Lamp /);
  });

  it('promises no next check where none will be', () => {
    expect(rowText(aParcel(), 110)).toContain('14:20');
    expect(rowText(aParcel(), 110, { pause: 'paused' })).not.toContain('14:20');
  });

  it('tells stage, name, status and age in a narrow list', () => {
    expect(rowText(aParcel({ label: 'Lamp' }), 38)).toBe(' ▸ Lamp           On the way      16h ');
  });

  it('tells courier, place and next update in a wide one', () => {
    const text = rowText(aParcel({ label: 'Lamp' }), 100);
    expect(text).toMatch(/^ ▸ Lamp +Yanwen +Arrived at a sorting … +Leipzig, DE +14:20 +16h $/);
  });

  it('tells the event where there is room for all', () => {
    const parcel = aParcel({ lastEvent: aCheckpoint({ detail: '航班已起飞' }) });
    expect(rowText(parcel, 160)).toContain('航班已起飞');
  });

  it('tells the event in place of the place when there is none', () => {
    expect(rowText(aParcel({ lastEvent: aCheckpoint({ address: null, detail: 'Scanned' }) }), 80)).toContain('Scanned');
  });

  it('keeps both ends of a number that is too long', () => {
    expect(rowText(aParcel({ trackNo: '00340434161094027318' }), 38)).toContain('0034043…027318');
  });

  it('tells the next update by weekday, or by days where that has no room', () => {
    const parcel = aParcel({ nextPollAt: '2026-11-23T13:20:00Z' });
    expect(rowText(parcel, 100)).toContain('Mon 14:20');
    expect(rowText(parcel, 80)).toMatch(/ 2d +16h $/);
  });

  it('uses the stage’s short word where the status has no room', () => {
    const parcel = aParcel({ record: aRecord({ transitStatus: 'INFO_RECEIVED', transitSubStatus: null }) });
    expect(rowText(parcel, 38)).toContain('Announced ');
  });

  it('never replaces a status that needs the reader', () => {
    const parcel = aParcel({ record: aRecord({ transitStatus: 'ABNORMAL', transitSubStatus: 'ABNORMAL_02' }) });
    expect(rowText(parcel, 34)).toContain('! LX123…');
    expect(rowText(parcel, 34)).toContain('Held by c');
  });

  it('gives the room of place and event to the words of a rejection', () => {
    expect(rowText(refused, 80)).toContain('unsupported supplier code:');
    expect(rowText(refused, 160)).toContain('unsupported supplier code: check the courier ');
  });

  it('marks a failed, a late and a checked parcel by a sign, with a word where there is room', () => {
    expect(rowText(aParcel({ error: failure }), 80)).toMatch(/failed {2}✗ 16h $/);
    expect(rowText(aParcel({ nextPollAt: ago(5 * hour) }), 80)).toMatch(/late {2}◔ 16h $/);
    expect(rowText(aParcel(), 80, { checking: true })).toMatch(/now {2}↻ 16h $/);
    expect(rowText(aParcel({ error: failure }), 38)).toMatch(/✗ 16h $/);
    expect(inGlyphs(rowText(aParcel({ error: failure }), 38), 'ascii')).toMatch(/x 16h $/);
  });

  it('says why the last try failed where there is room for all', () => {
    expect(rowText(aParcel({ error: failure }), 160)).toContain('The service cannot be reached.');
  });

  it('marks an age that is uncertain', () => {
    const lastEvent = aCheckpoint({ at: null, offset: null, certain: false, local: '2026-11-18 11:05:00' });
    expect(rowText(aParcel({ lastEvent }), 38)).toMatch(/ ~3d $/);
  });

  it('marks the selected row', () => {
    expect(rowText(aParcel(), 38, { selected: true })).toMatch(/^▌▸/);
    expect(inGlyphs(rowText(aParcel(), 38, { selected: true }), 'ascii')).toMatch(/^\|>/);
  });

  it('colours only the stage', () => {
    const parcel = aParcel({ record: aRecord({ transitStatus: 'DELIVERY_FAILED', transitSubStatus: null }) });
    const line = listRow(parcel, { now, width: 100, zone: berlin, checking: false });
    const toned = line.filter((segment) => segment.tone === 'attention').map((segment) => segment.text.trim());
    expect(toned).toEqual(['!', 'Delivery attempt fail…']);
  });

  it('shows nothing but ASCII in the ASCII set when the texts are ASCII', () => {
    for (const checking of [true, false]) {
      expect(inGlyphs(rowText(aParcel(), 160, { checking }), 'ascii')).toMatch(/^[ -~]+$/);
    }
  });

  it('keeps the columns of all rows straight', () => {
    const starts = aBoard()
      .filter((parcel) => parcel.record !== null)
      .map((parcel) => {
        const text = rowText(parcel, 100);
        const courier = parcel.record?.courierNameEN ?? '';
        return cellWidth(text.slice(0, text.indexOf(courier)));
      });
    expect(new Set(starts).size).toBe(1);
  });

  describe('of an expected parcel', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-23' } as const;
    const parcel = aParcel({ record: aRecord({ expectedDelivery }) });

    it.each([
      [160, 'Mon 23 Nov'],
      [84, 'Mon 23 Nov'],
      [76, 'Mon 23 Nov'],
    ])('has a column for it at %d cells', (width, text) => {
      expect(rowText(parcel, width, { withExpected: true })).toMatch(new RegExp(`Leip.* ${text} .* 14:20 +16h $`));
    });

    it('tells it in the best place there is in a narrower list', () => {
      expect(rowText(parcel, 64, { withExpected: true })).toMatch(/sor… Mon 23 Nov +16h $/);
      expect(rowText(parcel, 51, { withExpected: true })).toMatch(/ by Mon 23 Nov +16h $/);
      expect(rowText(parcel, 34, { withExpected: true })).toMatch(/ Mon 23 Nov +16h $/);
    });

    it('keeps status and place where it is late', () => {
      const late = aParcel({ record: aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-20' } }) });
      expect(rowText(late, 84, { withExpected: true })).toContain(' yesterday ');
      expect(rowText(late, 64, { withExpected: true })).toContain('Leipzig');
      expect(rowText(late, 51, { withExpected: true })).toContain('On the way');
    });
  });

  it('is as long out, or waiting, as it fits', () => {
    const out = inStatus('a', 'OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', 3 * day);
    expect(rowText(out, 160)).toContain('Out for delivery since Wed');
    expect(rowText(out, 84)).toContain('Out since Wed');
    expect(rowText(out, 34)).toMatch(/ Out +3d $/);
    const postponed = inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_03', 2 * hour);
    expect(rowText(postponed, 84)).toContain('Delivery postponed');
    expect(rowText(postponed, 51)).toContain('Postponed');
    const waiting = inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 2 * day);
    expect(rowText(waiting, 84)).toContain('waits 2 d');
  });

  it('is exactly as wide as asked for, whatever the texts', () => {
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
    fc.assert(
      fc.property(
        fc.oneof(anyParcel, fc.constantFrom(...aBoard())),
        fc.integer({ min: 0, max: 200 }),
        (parcel, width) => {
          const line = listRow(parcel, { now, width, zone: berlin, checking: false });
          expect(lineWidth(line)).toBe(width);
          expect(cellWidth(lineText(line))).toBe(width);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('groupHeading', () => {
  it('has the title on the left and the number of parcels on the right', () => {
    expect(lineText(groupHeading('On the way', 6, 24))).toBe(' On the way           6 ');
  });

  it('is exactly as wide as asked for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(10_000), fc.nat(80), (title, count, width) => {
        expect(lineWidth(groupHeading(title, count, width))).toBe(width);
      }),
    );
  });
});
