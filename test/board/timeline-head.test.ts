import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TimelineHeadInput, timelineHead, titleLines } from '../../src/board/timeline-head.ts';
import { lineText, lineWidth } from '../../src/lib/cells.ts';
import { inGlyphs } from '../../src/lib/paint.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { forAll } from '../support/for-all.ts';
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
  now,
} from './parcels.ts';
import { anyText } from './texts.ts';

function headLines(parcel: Parcel, input: Partial<TimelineHeadInput> = {}): string[] {
  const lines = timelineHead({ parcel, now, zone: berlin, width: 66, checking: false, ...input });
  return lines.map((line) => lineText(line).trimEnd());
}

const requestError = {
  kind: 'request-refused',
  code: 'A0400',
  message: 'unsupported supplier code',
  traceId: '0123abcd',
};

describe('timelineHead', () => {
  it('shows status, route and next check', () => {
    const parcel = aParcel({
      trackNo: '1Z999AA10123456784',
      record: aRecord({
        courierNameEN: 'UPS',
        shipmentType: 'UPS Express',
        transitStatus: 'ABNORMAL',
        transitSubStatus: 'ABNORMAL_02',
      }),
    });
    expect(headLines(parcel)).toEqual([
      '! Held by customs',
      'CN ●━━━━━━━━━━━━━━━━━━━━━━━━✖───────────────────────── DE   6 days',
      'next check 14:20, in 38 m · checked 2 m ago',
    ]);
  });

  it.each([
    ['no-key', 'no checks: not set up · checked 2 m ago'],
    ['paused', 'automatic checks paused · checked 2 m ago'],
    ['stopped', 'no checks until this is fixed · checked 2 m ago'],
  ] as const)('never promises a next check that will not happen: %s', (pause, line) => {
    expect(headLines(aParcel(), { pause })).toContain(line);
    expect(headLines(aParcel({ archivedAt: ago(hour) }), { pause }).join()).toContain('archived');
  });

  it('uses one line for each fact in a narrow pane', () => {
    expect(
      headLines(aParcel({ record: aRecord({ courierNameEN: 'A very long courier name' }) }), { width: 30 }),
    ).toEqual([
      '▸ Arrived at a sorting centre',
      'CN ●━━━━━━●─────── DE   6 days',
      'next check 14:20, in 38 m',
      'checked 2 m ago',
    ]);
  });

  it('shows a problem with its code and trace ID', () => {
    expect(headLines(aParcel({ error: requestError }))).toEqual(
      expect.arrayContaining(['! unsupported supplier code', 'code A0400 · trace 0123abcd']),
    );
    const lines = headLines(aParcel({ error: { ...requestError, code: null, traceId: null } }));
    expect(lines.join('\n')).not.toMatch(/code |trace /);
  });

  it("shows a rejection once, in the service's wording", () => {
    const parcel = aPendingParcel({ registration: 'rejected', nextPollAt: null, error: requestError });
    expect(headLines(parcel)).toEqual([
      '⊗ Rejected by the service',
      '! unsupported supplier code',
      'code A0400 · trace 0123abcd',
      '→ change the courier, or refresh to try again',
      'no longer checked',
    ]);
  });

  it('hides facts by default', () => {
    const parcel = aParcel({ tags: ['gift'], record: aRecord({ weight: '1.20 kg' }) });
    expect(headLines(parcel, { showsFacts: false })).toEqual([
      '▸ Arrived at a sorting centre',
      'CN ●━━━━━━━━━━━━━━━━━━━━━━━━●───────────────────────── DE   6 days',
    ]);
    expect(headLines(parcel).join('\n')).toMatch(/next check.*weight 1\.20 kg.*#gift/s);
  });

  it('uses a single line in a pane with few rows, and keeps what fits', () => {
    const parcel = aParcel({
      record: aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-23' }, transitDays: null }),
    });
    const linesAt = (width: number): string[] => headLines(parcel, { width, isCompact: true, showsFacts: false });
    expect(linesAt(72)).toEqual(['▸ Arrived at a sorting centre           CN ●━━━━━━●────── DE  Mon 23 Nov']);
    expect(linesAt(50)).toEqual(['▸ Arrived at a sorting centre           Mon 23 Nov']);
    expect(linesAt(30)).toEqual(['▸ Arrived at a sorting centre']);
  });

  it('shows why a parcel was rejected, even in a pane with few rows', () => {
    const parcel = aPendingParcel({ registration: 'rejected', nextPollAt: null, error: requestError });
    expect(headLines(parcel, { isCompact: true, showsFacts: false }).join('\n')).toContain('unsupported supplier code');
  });

  it('masks the postal code and the phone number', () => {
    const extras = { postalCode: '10115', phoneSuffix: '4711' };
    const text = headLines(aParcel({ extras, tags: ['gift'] })).join('\n');
    expect(text).toContain('postal code •••• · phone •••• · #gift');
    expect(text).not.toMatch(/10115|4711/);
    expect(inGlyphs(headLines(aParcel({ extras })).join('\n'), 'ascii')).toContain('postal code **** - phone ****');
  });

  it.each([
    ['a running check', aParcel(), true, 'checking now'],
    ['an overdue update', aParcel({ nextPollAt: ago(5 * hour) }), false, 'check overdue since 08:42'],
    ['no further update', aParcel({ nextPollAt: null }), false, 'no further check planned'],
    ['an archived parcel', aParcel({ archivedAt: ago(day) }), false, 'archived, no longer checked'],
  ])('shows %s', (_what, parcel, checking, text) => expect(headLines(parcel, { checking }).join('\n')).toContain(text));

  it('shows how long there has been no news', () => {
    const headAfter = (eventAgo: number): string => headLines(inStatus('a', 'IN_TRANSIT', null, eventAgo)).join('\n');
    expect(headAfter(3.5 * day)).toContain('no news for 3 days');
    expect(headAfter(day)).toContain('no news for 1 day');
    expect(headAfter(15 * hour)).not.toContain('no news');
  });

  it('shows when a parcel is expected, until it arrives', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-23' } as const;
    const [status] = headLines(aParcel({ record: aRecord({ expectedDelivery }) }));
    expect(status).toBe('▸ Arrived at a sorting centre                  expected Mon 23 Nov');
    const finished = [
      ['DELIVERED', null],
      ['EXPIRED', null],
      ['ABNORMAL', 'ABNORMAL_07'],
    ] as const;
    for (const [transitStatus, transitSubStatus] of finished) {
      const record = aRecord({ transitStatus, transitSubStatus, expectedDelivery });
      expect(headLines(aParcel({ record })).join('\n')).not.toContain('expected');
    }
    expect(headLines(aParcel({ archivedAt: ago(hour), record: aRecord({ expectedDelivery }) })).join()).not.toContain(
      'expe',
    );
  });

  it('shows the delivery, the signature, the contents and the merchant data', () => {
    const facts = {
      signedBy: 'Müller',
      pieces: 2,
      weight: '1.20 kg',
      dimensions: '30x20x10 cm',
      serviceCode: 'EXPRESS',
      orderNo: 'PO-4711',
      remark: 'fragile',
    };
    const parcel = aParcel({
      record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_03', ...facts }),
      lastEvent: aCheckpoint({ subStatus: 'DELIVERED_03' }),
    });
    expect(headLines(parcel).slice(-3)).toEqual([
      'delivered Fri 20 Nov 21:14 +01:00 · signed by Müller · 2 pieces',
      'weight 1.20 kg · size 30x20x10 cm · service EXPRESS',
      'order PO-4711 · remark: fragile',
    ]);
    expect(headLines(aPendingParcel({ merchant: { orderNo: 'PO-12' } })).at(-1)).toBe('order PO-12');
  });

  it('limits a long remark to a few lines', () => {
    expect(headLines(aParcel({ record: aRecord({ remark: 'fragile '.repeat(200) }) })).length).toBeLessThan(8);
  });

  it("links the number to the courier's page", () => {
    const record = aRecord({ courierTrackingLink: 'https://c.example/?n={trackingNo}' });
    const [title = []] = titleLines(aParcel({ record }), 66);
    expect(title.map(({ link }) => link).filter((link) => link !== undefined)).toEqual([
      'https://c.example/?n=LX123456789CN',
    ]);
  });

  it('warns if the service could not look the parcel up', () => {
    expect(headLines(aParcel({ record: aRecord({ trackingStatus: '005' }) })).join('\n')).toContain(
      'This may be out of date',
    );
    expect(headLines(aParcel()).join('\n')).not.toContain('This may be out of date');
    const sentences = ['003', '004', '005', '006'].map((trackingStatus) =>
      headLines(aParcel({ record: aRecord({ trackingStatus }) })).join('\n'),
    );
    expect(new Set(sentences).size).toBe(4);
  });

  it('shows how to enter what the courier needs', () => {
    const record = aRecord({ transitStatus: 'NO_RECORD', transitSubStatus: null, courierNameEN: 'PostNL' });
    const text = headLines(aParcel({ courierCode: 'postnl', record }), { width: 200 }).join('\n');
    expect(text).toContain("PostNL needs the recipient's postal code to find the parcel");
    expect(text).toContain('parcel-monitor edit LX123456789CN --postal-code');
  });

  it('shows that a number from a live lookup is not watched', () => {
    expect(headLines(aParcel(), { watched: false }).join('\n')).toContain('not watched · checked 2 m ago');
  });

  it('names the local courier of the last mile and its number', () => {
    const lastMile = { trackNo: '00340434161094027318', courierCode: 'dhl', courierName: 'DHL' };
    expect(headLines(aParcel({ record: aRecord({ lastMile }) })).join('\n')).toContain(
      'last mile: DHL 00340434161094027318',
    );
  });

  it('makes every line exactly as wide as requested', () => {
    const anyParcel = fc
      .record({ courier: anyText, service: anyText, status: anyText, message: anyText })
      .map(({ courier, service, status, message }) =>
        aParcel({
          record: aRecord({ courierNameEN: courier, shipmentType: service, transitStatus: status }),
          error: { ...requestError, message },
        }),
      );
    forAll(fc.oneof(anyParcel, fc.constantFrom(...aBoard())), fc.integer({ min: 1, max: 130 }), (parcel, width) => {
      for (const line of timelineHead({ parcel, now, zone: berlin, width, checking: false })) {
        expect(lineWidth(line)).toBe(width);
      }
    });
  });
});
