import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCourierCheck } from '../../../src/board/courier-search.ts';
import { createParcelFinder, judgeRows } from '../../../src/board/scan/judge-rows.ts';
import {
  courierText,
  fitPlace,
  placeText,
  type RowProgress,
  resultText,
  rowProgress,
  scanNotes,
} from '../../../src/board/scan/row-words.ts';
import {
  columnGap,
  scanCells,
  scanColumnNames,
  scanColumns,
  scanDetail,
  scanHeadingLine,
  scanLine,
  scanNeeds,
  scanSummary,
  symbolCells,
} from '../../../src/board/scan/scan-lines.ts';
import { rowsFromScan } from '../../../src/board/scan/scan-row.ts';
import { lineText, lineWidth } from '../../../src/lib/cells.ts';
import { forAll } from '../../support/for-all.ts';
import { aParcel } from '../parcels.ts';

const text = fc.oneof(fc.string(), fc.constantFrom('包裹编号', 'Übergröße für Köln', 'ไปรษณีย์', '👩‍👩‍👧 lamp', ''));
const number = fc.record({
  trackNo: fc.stringMatching(/^[A-Z0-9]{4,40}$/),
  evidence: fc.constantFrom('parcel-delivery', 'link', 'check-digit', 'pattern', 'looks'),
  certainty: fc.constantFrom('sure', 'likely', 'doubtful'),
  courierCode: fc.option(fc.constantFrom('ups', 'a-very-long-courier-code')),
  candidates: fc.array(fc.record({ courierCode: fc.option(fc.constant('ups')), name: text }), { maxLength: 5 }),
  label: fc.option(text),
  issue: fc.constantFrom(null, 'check-digit', 'unknown-form', 'hidden'),
  orderNo: fc.option(text),
  places: fc.tuple(
    fc.record({
      message: fc.option(fc.nat(9)),
      subject: fc.option(text),
      part: fc.option(fc.constantFrom('text', 'HTML', 'a.html')),
      line: fc.option(fc.nat(9999)),
    }),
  ),
} as const);
const names = (code: string): string => code.toUpperCase();

describe('scanLine', () => {
  it('is exactly as wide as the list for any number', () =>
    forAll(fc.array(number, { maxLength: 5 }), fc.integer({ min: 34, max: 180 }), (numbers, width) => {
      const rows = judgeRows(rowsFromScan({ numbers }), createParcelFinder([]), createCourierCheck(null));
      const renderedRows = rows.map((row) => ({ row, cells: scanCells(row, null, names) }));
      const widths = scanColumns(scanNeeds(renderedRows.map(({ cells }) => cells)), width - symbolCells);
      expect(lineWidth(scanHeadingLine(widths, width))).toBe(width);
      for (const { row, cells } of renderedRows) {
        const line = scanLine({ row, cells, progress: null, selected: true, widths, width });
        expect(lineWidth(line)).toBe(width);
        for (const detail of scanDetail({ row, progress: null, names, width })) {
          expect(lineWidth(detail)).toBeLessThanOrEqual(width);
        }
      }
    }));

  it.each([
    ['line 20 +1', 10, 'line 20 +1'],
    ['line 20 +1', 9, 'line 20'],
    ['line 2000', 7, '2000'],
    ['email 2, line 731 +3', 12, 'line 731'],
    ['line 123456', 5, '…'],
  ])('never truncates a line number: %s in %i cells', (place, width, expected) => {
    expect(fitPlace(place, width)).toBe(expected);
  });

  it('shows the number and the state in the narrowest window', () => {
    const needs = { number: 18, courier: 30, label: 20, place: 12, state: 8 };
    expect(scanColumns(needs, 34)).toMatchObject({ number: 18, state: 8 });
  });

  it('never exceeds the width', () => {
    const cells = fc.integer({ min: 0, max: 60 });
    const needsOf = fc.record({ number: cells, courier: cells, label: cells, place: cells, state: cells });
    forAll(needsOf, fc.integer({ min: 30, max: 200 }), (needs, width) => {
      const widths = scanColumns(needs, width);
      const shown = scanColumnNames.filter((column) => widths[column] > 0);
      const total = shown.reduce((sum, column) => sum + widths[column] + columnGap, -columnGap);
      expect(total).toBeLessThanOrEqual(width);
      for (const column of scanColumnNames) expect(widths[column]).toBeLessThanOrEqual(needs[column]);
    });
  });
});

describe('placeText', () => {
  const nowhere = { message: null, subject: null, part: null, line: null };

  it.each([
    [{ line: 3 }, 'line 3'],
    [{ message: 2, part: 'text', line: 7 }, 'email 2, line 7'],
    [{ message: 2, part: 'HTML', subject: 'Your order' }, 'email 2, HTML'],
    [{ subject: 'Your order' }, '“Your order”'],
    [{}, ''],
  ])('describes %j as %j', (place, expected) => expect(placeText({ ...nowhere, ...place })).toBe(expected));
});

describe('progressOf and resultText', () => {
  it.each([
    ['added', 'registered', false, 'registered'],
    ['restored', 'registered', false, 'restored'],
    ['duplicate', 'registered', false, 'known'],
    ['added', 'pending', true, 'registering'],
    ['added', 'pending', false, 'pending'],
    ['retried', 'rejected', false, 'rejected'],
  ] as const)('reports %s and %s (in progress: %j) as %s', (kind, registration, isInProgress, progress) => {
    expect(rowProgress(kind, aParcel({ registration }), isInProgress).kind).toBe(progress);
  });

  it('counts the results', () => {
    const all: readonly RowProgress[] = [
      { kind: 'registered' },
      { kind: 'restored' },
      { kind: 'pending' },
      { kind: 'known' },
      { kind: 'rejected', reason: 'no' },
      { kind: 'failed', reason: 'disk' },
    ];
    expect(resultText(all)).toBe(
      '2 added, 1 saved, to be registered later, 1 already on the list, 1 rejected by the service, 1 not added.',
    );
    expect(resultText(all.slice(0, 2))).toBe('Added 2 numbers.');
    expect(resultText([])).toBe('Nothing was added.');
  });
});

describe('the line above the list', () => {
  const cost = { numbers: 2, registrations: 2, calls: 2 };
  const summary = (input: Partial<Parameters<typeof scanSummary>[0]>): string =>
    lineText(
      scanSummary({
        stage: { kind: 'choosing' },
        rows: [1, 2],
        selected: { state: 'new' },
        cost,
        registrationsLeft: null,
        notes: [],
        width: 100,
        ...input,
      }),
    ).trim();

  it('shows what adding costs, or its progress', () => {
    expect(summary({})).toBe('Add 2 numbers: 2 registrations and 2 calls');
    expect(summary({ registrationsLeft: 1 })).toBe(
      'Add 2 numbers: 2 registrations and 2 calls; your budget has 1 left this month, so 1 must wait',
    );
    expect(summary({ cost: { numbers: 0, registrations: 0, calls: 0 } })).toContain(
      'Nothing to add. Press Space to choose',
    );
    expect(summary({ cost: { numbers: 0, registrations: 0, calls: 0 }, selected: { state: 'watched' } })).toBe(
      'Nothing to add.',
    );
    expect(summary({ stage: { kind: 'adding', doing: 'Registering 1 of 2…', isStopping: true } })).toBe(
      'Stopping… Registering 1 of 2…',
    );
  });

  it('shows what could not be read', () => {
    const place = { message: 2, subject: null, part: 'a.html', line: null };
    const problems = [{ place, message: 'This part is too large.' }];
    expect(scanNotes({ leftOut: 1, problems })).toEqual([
      '1 more number left out. Add these first.',
      'email 2, a.html: This part is too large.',
    ]);
    expect(scanNotes({ leftOut: 0, problems: [] })).toEqual([]);
  });
});

describe('courierText', () => {
  const found = {
    trackNo: '1Z999AA10123456784',
    evidence: 'link',
    certainty: 'sure',
    courierCode: 'ups',
    candidates: [{ courierCode: 'ups', name: 'UPS' }],
    label: null,
    issue: null,
    orderNo: null,
    places: [{ message: null, subject: null, part: null, line: 1 }],
  } as const;

  it.each([
    ['ups', found.candidates, 'UPS'],
    ['dhl', found.candidates, 'DHL'],
    [null, found.candidates, 'UPS?'],
    [null, ['A', 'B', 'C', 'D'].map((name) => ({ courierCode: null, name })), 'A or B or C …?'],
    [null, [], ''],
  ])('describes %j among %j as %j', (courierCode, candidates, expected) => {
    expect(courierText({ courierCode, candidates, parcel: null }, names)).toBe(expected);
  });
});
