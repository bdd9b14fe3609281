import { describe, expect, it } from 'vitest';
import { createCourierCheck, createCourierResolver } from '../../../src/board/courier-search.ts';
import { readEnteredText } from '../../../src/board/input/entered-text.ts';
import {
  createParcelFinder,
  type JudgedRow,
  judgeRows,
  needsRegistration,
  scanCost,
  scanCostText,
} from '../../../src/board/scan/judge-rows.ts';
import {
  appendRows,
  parcelFromRow,
  rowsFromEntries,
  rowsFromScan,
  type ScanRow,
  withCourier,
  withLabel,
  withNumber,
} from '../../../src/board/scan/scan-row.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import type { FoundNumber } from '../../../src/scan/found-number.ts';
import { aParcel } from '../parcels.ts';

const foundNumber = (trackNo: string, more: Partial<FoundNumber> = {}): FoundNumber => ({
  trackNo,
  evidence: 'check-digit',
  certainty: 'likely',
  courierCode: null,
  candidates: [],
  label: null,
  issue: null,
  orderNo: null,
  places: [{ message: null, subject: null, part: null, line: 1 }],
  ...more,
});

const rowsOf = (...numbers: readonly FoundNumber[]): readonly ScanRow[] => rowsFromScan({ numbers });
const anyCourier = createCourierCheck(null);
const judge = (rows: readonly ScanRow[], parcels: readonly Parcel[] = [], check = anyCourier): readonly JudgedRow[] =>
  judgeRows(rows, createParcelFinder(parcels), check);
const first = (...args: Parameters<typeof judge>): JudgedRow => {
  const [row] = judge(...args);
  if (row === undefined) throw new Error('no row');
  return row;
};

describe('judgeRows', () => {
  it('selects a number that is not on the watchlist', () => {
    const row = first(rowsOf(foundNumber('RB123456785CN')));
    expect(row).toMatchObject({ state: 'new', isSelected: true });
    expect(needsRegistration(row)).toBe(true);
  });

  it('does not select a doubtful number unless the user does', () => {
    const [row] = rowsOf(foundNumber('12345678', { certainty: 'doubtful', evidence: 'looks' }));
    if (row === undefined) throw new Error('no row');
    expect(first([row])).toMatchObject({ state: 'new', isSelected: false });
    expect(first([row]).remark).toContain('looks like a tracking number');
    expect(first([{ ...row, choice: true }])).toMatchObject({ isSelected: true });
    expect(first([withNumber(row, '12345679')])).toMatchObject({ isSelected: true, remark: null });
  });

  it('does not select a number whose check digit is wrong for the courier in the text', () => {
    const row = first(
      rowsOf(foundNumber('794643219876', { certainty: 'doubtful', evidence: 'pattern', issue: 'check-digit' })),
    );
    expect(row).toMatchObject({ state: 'new', isSelected: false });
    expect(row.remark).toContain('wrong check digit');
  });

  it('says that a matching check digit may be a coincidence', () => {
    expect(first(rowsOf(foundNumber('00340434161094159088', { certainty: 'doubtful' }))).remark).toContain('by chance');
  });

  it('does not select a number with a wrong check digit', () => {
    const row = first(rowsOf(foundNumber('RB100000005CN')));
    expect(row).toMatchObject({ state: 'new', isSelected: false });
    expect(row.remark).toContain('wrong check digit');
  });

  it.each([
    ['trackNo format error', 'The service rejected the number: trackNo format error. Try a different courier.'],
    [
      'The courier was not recognised (the service says "no"). Choose one: edit X1 --courier CODE.',
      'The number was rejected. The courier was not recognised (the service says "no"). Choose one: edit X1 --courier CODE.',
    ],
  ])('says why a number was rejected, and gives advice only once: %s', (message, remark) => {
    const error = { kind: 'rejected', code: 'A0400', message, traceId: null };
    const parcel = aParcel({ trackNo: 'RB123456785GB', registration: 'rejected', error });
    expect(first(rowsOf(foundNumber('RB123456785GB')), [parcel]).remark).toBe(remark);
  });

  it.each([
    [{}, 'watched', false],
    [{ archivedAt: '2026-11-01T00:00:00Z', registration: 'registered' }, 'archived', false],
    [{ archivedAt: '2026-11-01T00:00:00Z', registration: 'pending' }, 'archived', true],
    [{ registration: 'rejected' }, 'rejected', true],
  ] as const)('gives a number on the watchlist (%j) the state "%s"', (parcel, state, registers) => {
    const known = aParcel({ trackNo: 'RB123456785CN', courierCode: 'china-post', ...parcel });
    const row = first(rowsOf(foundNumber('rb123456785cn')), [known]);
    expect(row).toMatchObject({ state, isSelected: false, parcel: known });
    if (state !== 'watched') expect(needsRegistration(row)).toBe(registers);
  });

  it('treats the same number with a different courier as a different parcel', () => {
    const known = aParcel({ trackNo: 'RB123456785CN', courierCode: 'china-post', registration: 'registered' });
    expect(first(rowsOf(foundNumber('RB123456785CN', { courierCode: 'yanwen' })), [known]).state).toBe('new');
  });

  it('does not select a number with an unknown courier', () => {
    const list = { couriers: [{ code: 'ups', nameEN: 'UPS', nameCN: null, homePage: null }], stale: false };
    const row = first(rowsOf(foundNumber('RB123456785CN', { courierCode: 'usp' })), [], createCourierCheck(list));
    expect(row).toMatchObject({ state: 'unknown-courier', isSelected: false });
    expect(row.remark).toContain('usp');
  });

  it('selects a number only once if a second row is edited to match it', () => {
    const [firstRow, secondRow] = rowsOf(foundNumber('RB123456785CN'), foundNumber('RB123456799CN'));
    if (firstRow === undefined || secondRow === undefined) throw new Error('no rows');
    const edited = judge([firstRow, withNumber(secondRow, ' rb 1234 5678 5cn')]);
    expect(edited.map(({ state }) => state)).toEqual(['new', 'twice']);
    expect(scanCost(edited).numbers).toBe(1);
    const separate = judge([withCourier(firstRow, 'a'), withCourier(withNumber(secondRow, 'RB123456785CN'), 'b')]);
    expect(separate.map(({ state }) => state)).toEqual(['new', 'new']);
  });

  it('reports that edited text is not a number, and keeps the text', () => {
    const [row] = rowsOf(foundNumber('RB123456785CN'));
    if (row === undefined) throw new Error('no row');
    expect(first([withNumber(row, 'lamp')])).toMatchObject({ state: 'no-number', trackNo: 'lamp', isSelected: false });
  });

  it('adds the edited number, courier and label', () => {
    const [row] = rowsOf(foundNumber('RB123456785CN', { label: 'Kettle' }));
    if (row === undefined) throw new Error('no row');
    expect(parcelFromRow(withCourier(withLabel(row, '  '), 'dhl'))).toEqual({
      trackNo: 'RB123456785CN',
      courierCode: 'dhl',
      label: null,
      postalCode: null,
      phoneSuffix: null,
    });
  });
});

describe('rowsFromEntries', () => {
  it('reads the courier and the label, keeps each number once, and says why an entry is not a number', () => {
    const rows = rowsFromEntries(
      readEnteredText('RB123456785CN @yanwen "Hat"\nsocks\nrb123456785cn @YANWEN\nLX123456785CN'),
    );
    expect(rows.map(({ trackNo, courierCode, label }) => [trackNo, courierCode, label])).toEqual([
      ['RB123456785CN', 'yanwen', 'Hat'],
      ['socks', null, null],
      ['LX123456785CN', null, null],
    ]);
    expect(judge(rows).map(({ state }) => state)).toEqual(['new', 'no-number', 'new']);
  });

  it('gives appended rows new keys', () => {
    const rows = rowsFromEntries(readEnteredText('RB123456785CN\nLX123456785CN'));
    const keys = appendRows(rows, rows).map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
  });
});

describe('the cost', () => {
  const manyRows = judge(
    rowsFromEntries(readEnteredText(Array.from({ length: 250 }, (_, n) => `JD${1000000 + n}`).join('\n'))),
  );

  it('counts the registrations and calls for the selected rows', () => {
    expect(scanCost(manyRows)).toEqual({ numbers: 250, registrations: 250, calls: 6 });
    expect(scanCost([])).toEqual({ numbers: 0, registrations: 0, calls: 0 });
  });

  it.each([
    [null, '250 registrations and 6 calls'],
    [300, '250 registrations and 6 calls; your budget has 300 left this month'],
    [200, '250 registrations and 6 calls; your budget has 200 left this month, so 50 must wait'],
  ])('says how much of the budget is left: %j', (left, expected) =>
    expect(scanCostText(scanCost(manyRows), left)).toBe(expected),
  );
});

it('finds a courier by its Chinese name and rejects an unknown name', () => {
  const couriers = [{ code: 'sfb2c', nameEN: 'SF Express', nameCN: '顺丰速运', homePage: null }];
  const entries = readEnteredText('RB123456785CN @顺丰\nRB123456785GB @燕文');
  expect(judge(rowsFromEntries(entries, createCourierResolver({ couriers, stale: false })))).toMatchObject([
    { state: 'new', courierCode: 'sfb2c', problem: null },
    { state: 'no-number', courierCode: null, problem: 'No courier is called "燕文".' },
  ]);
});
