import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parcelColumns } from '../../../src/board/columns.ts';
import {
  type ColumnName,
  type ColumnNeeds,
  columnHeadingLine,
  journeyWidth,
  leadWidth,
  listColumns,
  trailWidth,
} from '../../../src/board/list/list-columns.ts';
import { columnNeeds, listRow } from '../../../src/board/list/list-row.ts';
import { lineText } from '../../../src/lib/cells.ts';
import { forAll, forAllIn } from '../../support/for-all.ts';
import { rounds } from '../../support/rounds.ts';
import { aBoard, aCheckpoint, aParcel, berlin, day, now } from '../parcels.ts';

const viewing = { now, zone: berlin };
const usual: ColumnNeeds = {
  name: 18,
  courier: 14,
  status: 40,
  event: 60,
  journey: journeyWidth,
  expected: 0,
  next: 6,
  last: 5,
};
const namesAt = (width: number, needs: Partial<ColumnNeeds> = {}): ColumnName[] =>
  listColumns(width, { ...usual, ...needs }).columns.map((column) => column.name);

const anyNeeds: fc.Arbitrary<ColumnNeeds> = fc.record({
  name: fc.integer({ min: 6, max: 60 }),
  courier: fc.oneof(fc.constant(0), fc.integer({ min: 7, max: 50 })),
  status: fc.integer({ min: 6, max: 140 }),
  journey: fc.constantFrom(0, journeyWidth),
  event: fc.oneof(fc.constant(0), fc.integer({ min: 5, max: 200 })),
  expected: fc.constantFrom(0, 8, 10, 14),
  next: fc.constantFrom(0, 6, 10),
  last: fc.constantFrom(0, 5),
});

describe('listColumns', () => {
  it('gains columns as the list gets wider', () => {
    expect(namesAt(12)).toEqual(['name']);
    expect(namesAt(38)).toEqual(['name', 'status', 'last']);
    expect(namesAt(58)).toEqual(['name', 'courier', 'status', 'last']);
    expect(namesAt(84)).toEqual(['name', 'courier', 'status', 'journey', 'last']);
    expect(namesAt(120)).toEqual(['name', 'courier', 'status', 'journey', 'next', 'last']);
    expect(namesAt(142)).toEqual(['name', 'courier', 'status', 'event', 'journey', 'next', 'last']);
  });

  it('omits columns without values in favour of others', () => {
    expect(namesAt(104, { journey: 0, courier: 0 })).toEqual(['name', 'status', 'event', 'next', 'last']);
    expect(namesAt(80, { expected: 10 })).toEqual(['name', 'courier', 'status', 'expected', 'last']);
  });

  it('shows typical statuses and couriers in full before it adds journeys and times', () => {
    for (const width of [78, 95, 104, 142]) {
      const { columns } = listColumns(width, { ...usual, expected: 10 });
      const widths = new Map(columns.map((column) => [column.name, column.width]));
      expect(widths.get('status')).toBeGreaterThanOrEqual(24);
      expect(widths.get('courier')).toBeGreaterThanOrEqual(10);
    }
  });

  it('fills its width exactly', () =>
    forAll(fc.integer({ min: leadWidth + trailWidth, max: 400 }), anyNeeds, (width, needs) => {
      const { columns, gap } = listColumns(width, needs);
      const cells = columns.reduce((sum, column) => sum + column.width, 0);
      expect(leadWidth + cells + gap * (columns.length - 1) + trailWidth).toBe(width);
      for (const column of columns) expect(column.width).toBeGreaterThanOrEqual(0);
    }));

  it('never truncates a column while another is wider than its widest text', () =>
    forAllIn(rounds(500), fc.integer({ min: 1, max: 400 }), anyNeeds, (width, needs) => {
      const { columns } = listColumns(width, needs);
      const isTruncated = columns.some(({ name, width: cells }) => cells < (needs[name] ?? 0));
      const isTooWide = columns.some(({ name, width: cells }) => cells > (needs[name] ?? 0));
      expect(isTruncated && isTooWide).toBe(false);
    }));
});

describe('the columns that a user chose', () => {
  const needs = columnNeeds(aBoard(), viewing, ['tags', 'number', 'label', 'place', 'days']);

  it('keep the chosen order, with a narrow gap while any of them is truncated', () => {
    const columns = fc.shuffledSubarray([...parcelColumns], { minLength: 1 });
    forAllIn(rounds(300), fc.integer({ min: leadWidth + trailWidth, max: 300 }), columns, (width, chosen) => {
      const { columns: shown, gap } = listColumns(width, needs, chosen);
      const names = shown.map(({ name }) => (name === 'name' ? 'label' : name));
      expect(names).toEqual(chosen.slice(0, names.length));
      const cells = shown.reduce((sum, column) => sum + column.width, 0);
      expect(leadWidth + cells + gap * (shown.length - 1) + trailWidth).toBe(width);
      const isTruncated = shown.some(({ name, width: actual }) => actual < (needs[name] ?? 0));
      expect(isTruncated && gap > 1).toBe(false);
    });
  });

  it('can include the place, which the status then omits, and show the number for a missing label', () => {
    const chosen = ['label', 'tags', 'status', 'place'] as const;
    const parcels = [aParcel({ tags: ['gift'] }), aParcel({ label: 'Lamp' })];
    const columns = listColumns(90, columnNeeds(parcels, viewing, chosen), chosen);
    const rows = parcels.map((parcel) => lineText(listRow(parcel, { ...viewing, columns, checking: false })));
    expect(lineText(columnHeadingLine(columns))).toMatch(/^ {4}Parcel +Tags +Status +Place/);
    expect(rows[0]).toMatch(/▸ LX123456789CN {2}gift {2}Arrived at a sorting centre {2}Leipzig, DE/);
    expect(rows[1]).toMatch(/▸ Lamp {17}Arrived/);
  });
});

describe('columnNeeds', () => {
  it("returns the width of each column's widest value", () => {
    const parcels = [
      aParcel({ label: 'Lamp' }),
      aParcel({ label: 'Birthday book' }),
      aParcel({ label: '한국 화장품' }),
    ];
    expect(columnNeeds(parcels, viewing).name).toBe(13);
    expect(columnNeeds(aBoard(), viewing).courier).toBe(12);
  });

  it('returns zero if no parcel has a value', () => {
    const bare = aParcel({ lastEvent: null, nextPollAt: null, courierCode: null, record: null });
    expect(columnNeeds([bare], viewing)).toMatchObject({
      courier: 0,
      journey: 0,
      event: 0,
      expected: 0,
      next: 0,
      last: 0,
    });
    expect(columnNeeds([bare, aParcel()], viewing).journey).toBe(journeyWidth);
  });

  it('never counts event text as a place', () => {
    const parcel = aParcel({ lastEvent: aCheckpoint({ address: null, detail: 'Scanned' }) });
    expect(columnNeeds([parcel], viewing).status).toBe('Arrived at a sorting centre'.length);
  });

  it('reserves more space for a next check on another day', () => {
    const later = aParcel({ nextPollAt: new Date(now + 3 * day).toISOString() });
    expect(columnNeeds([aParcel()], viewing).next).toBe(6);
    expect(columnNeeds([aParcel(), later], viewing).next).toBe(10);
  });
});
