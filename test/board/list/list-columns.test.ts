import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leadWidth, listColumns, trailWidth } from '../../../src/board/list/list-columns.ts';

const namesAt = (width: number, withExpected = false): string[] =>
  listColumns(width, withExpected).columns.map((column) => column.name);

describe('listColumns', () => {
  it('gains columns as the list gets wider', () => {
    expect(namesAt(12)).toEqual(['name']);
    expect(namesAt(38)).toEqual(['name', 'status', 'age']);
    expect(namesAt(50)).toEqual(['name', 'courier', 'status', 'age']);
    expect(namesAt(63)).toEqual(['name', 'courier', 'status', 'place', 'age']);
    expect(namesAt(80)).toEqual(['name', 'courier', 'status', 'place', 'next', 'age']);
    expect(namesAt(160)).toEqual(['name', 'courier', 'status', 'place', 'event', 'next', 'age']);
  });

  it('has a column for expected deliveries where there are any, and room for it', () => {
    expect(namesAt(63, true)).toEqual(namesAt(63));
    expect(namesAt(80, true)).toEqual(['name', 'courier', 'status', 'place', 'expected', 'next', 'age']);
    expect(namesAt(160, true)).toContain('expected');
    for (let width = 76; width < 300; width += 1) {
      const expected = listColumns(width, true).columns.find(({ name }) => name === 'expected');
      expect(expected?.width).toBeGreaterThanOrEqual(10);
    }
  });

  it('fills its width exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: leadWidth + trailWidth, max: 400 }), fc.boolean(), (width, withExpected) => {
        const { columns, gap } = listColumns(width, withExpected);
        const cells = columns.reduce((sum, column) => sum + column.width, 0);
        expect(leadWidth + cells + gap * (columns.length - 1) + trailWidth).toBe(width);
        for (const column of columns) expect(column.width).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('never takes a column away from a wider list', () => {
    for (let width = 1; width < 300; width += 1) {
      for (const withExpected of [false, true]) {
        expect(namesAt(width + 1, withExpected)).toEqual(expect.arrayContaining(namesAt(width, withExpected)));
      }
    }
  });
});
