import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ColumnName,
  type ColumnNeeds,
  leadWidth,
  listColumns,
  trailWidth,
} from '../../../src/board/list/list-columns.ts';
import { columnNeeds } from '../../../src/board/list/list-row.ts';
import { rounds } from '../../support/rounds.ts';
import { aBoard, aCheckpoint, aParcel, aRecord, berlin, day, now } from '../parcels.ts';

const viewing = { now, zone: berlin };
const usual: ColumnNeeds = {
  name: 18,
  courier: 14,
  status: 30,
  statusOrEvent: 40,
  place: 16,
  event: 60,
  expected: 0,
  next: 6,
  age: 5,
};
const namesAt = (width: number, needs: Partial<ColumnNeeds> = {}): ColumnName[] =>
  listColumns(width, { ...usual, ...needs }).columns.map((column) => column.name);

const anyNeeds = fc
  .record({
    name: fc.integer({ min: 6, max: 60 }),
    courier: fc.oneof(fc.constant(0), fc.integer({ min: 7, max: 50 })),
    status: fc.integer({ min: 6, max: 80 }),
    more: fc.nat(60),
    place: fc.oneof(fc.constant(0), fc.integer({ min: 5, max: 60 })),
    event: fc.oneof(fc.constant(0), fc.integer({ min: 5, max: 200 })),
    expected: fc.constantFrom(0, 8, 10),
    next: fc.constantFrom(0, 6, 10),
    age: fc.constantFrom(0, 5),
  })
  .map(({ more, ...needs }): ColumnNeeds => ({ ...needs, statusOrEvent: needs.status + more }));

describe('listColumns', () => {
  it('gains columns as the list gets wider', () => {
    expect(namesAt(12)).toEqual(['name']);
    expect(namesAt(38)).toEqual(['name', 'status', 'age']);
    expect(namesAt(58)).toEqual(['name', 'courier', 'status', 'age']);
    expect(namesAt(81)).toEqual(['name', 'courier', 'status', 'place', 'age']);
    expect(namesAt(104)).toEqual(['name', 'courier', 'status', 'place', 'next', 'age']);
    expect(namesAt(142)).toEqual(['name', 'courier', 'status', 'place', 'event', 'next', 'age']);
  });

  it('leaves out what no parcel has, so that the others have its room', () => {
    expect(namesAt(104, { place: 0, courier: 0 })).toEqual(['name', 'status', 'event', 'next', 'age']);
    expect(namesAt(104, { expected: 10 })).toContain('expected');
  });

  it('shows the usual status and courier whole where places and times would cut them', () => {
    for (const width of [78, 83, 104, 142]) {
      const { columns } = listColumns(width, { ...usual, expected: 10 });
      const widths = new Map(columns.map((column) => [column.name, column.width]));
      expect(widths.get('status')).toBeGreaterThanOrEqual(27);
      expect(widths.get('courier')).toBeGreaterThanOrEqual(13);
    }
  });

  it('fills its width exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: leadWidth + trailWidth, max: 400 }), anyNeeds, (width, needs) => {
        const { columns, gap } = listColumns(width, needs);
        const cells = columns.reduce((sum, column) => sum + column.width, 0);
        expect(leadWidth + cells + gap * (columns.length - 1) + trailWidth).toBe(width);
        for (const column of columns) expect(column.width).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('never takes a column away from a wider list', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), anyNeeds, (width, needs) => {
        expect(namesAt(width + 1, needs)).toEqual(expect.arrayContaining(namesAt(width, needs)));
      }),
      { numRuns: rounds(500) },
    );
  });

  it('cuts no column while another one is wider than its widest text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), anyNeeds, (width, needs) => {
        const { columns } = listColumns(width, needs);
        const isEventShown = columns.some(({ name }) => name === 'event');
        const needOf = (name: ColumnName): number =>
          name === 'status' && !isEventShown ? needs.statusOrEvent : needs[name];
        const isCut = columns.some((column) => column.width < needOf(column.name));
        const isTooWide = columns.some((column) => column.width > needOf(column.name));
        expect(isCut && isTooWide).toBe(false);
      }),
      { numRuns: rounds(500) },
    );
  });
});

describe('columnNeeds', () => {
  it('are those of the widest texts', () => {
    const parcels = [
      aParcel({ label: 'Lamp' }),
      aParcel({ label: 'Birthday book' }),
      aParcel({ label: '한국 화장품' }),
    ];
    expect(columnNeeds(parcels, viewing).name).toBe(13);
    expect(columnNeeds(aBoard(), viewing).courier).toBe(13);
  });

  it('are left out if no parcel has a value', () => {
    const bare = aParcel({ lastEvent: null, nextPollAt: null, courierCode: null, record: null });
    expect(columnNeeds([bare], viewing)).toMatchObject({
      courier: 0,
      place: 0,
      event: 0,
      expected: 0,
      next: 0,
      age: 0,
    });
    expect(columnNeeds([bare, aParcel()], viewing).place).toBeGreaterThan(0);
  });

  it('count no text of an event as a place', () => {
    const parcel = aParcel({ lastEvent: aCheckpoint({ address: null, detail: 'Scanned' }) });
    expect(columnNeeds([parcel], viewing).place).toBe(0);
  });

  it('are larger for a next check that has to be named by its day', () => {
    const later = aParcel({ nextPollAt: new Date(now + 3 * day).toISOString() });
    expect(columnNeeds([aParcel()], viewing).next).toBe(6);
    expect(columnNeeds([aParcel(), later], viewing).next).toBe(10);
  });

  it('have the newest event in place of a status that repeats the heading', () => {
    const plain = aParcel({
      record: aRecord({ transitStatus: 'IN_TRANSIT', transitSubStatus: null }),
      lastEvent: aCheckpoint({ detail: 'Left the exchange office abroad' }),
    });
    const { status, statusOrEvent } = columnNeeds([plain], viewing);
    expect([status, statusOrEvent]).toEqual(['In transit'.length, 'Left the exchange office abroad'.length]);
  });
});
