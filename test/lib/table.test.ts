import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellWidth } from '../../src/lib/cells.ts';
import { colourPainter, plainPainter } from '../../src/lib/paint.ts';
import { renderTable, type Table } from '../../src/lib/table.ts';
import { forAll } from '../support/for-all.ts';

const plain = plainPainter('symbols');

const table: Table = {
  columns: [
    { title: 'NUMBER', yields: 0 },
    { title: 'STATUS', yields: 1 },
    { title: 'PLACE', yields: 2 },
    { title: 'AGE', align: 'right', yields: 3 },
  ],
  rows: [
    [{ text: 'AB123' }, { text: 'Held by customs, documents asked for' }, { text: '深圳' }, { text: '2d' }],
    [{ text: 'CD45678' }, { text: 'Delivered' }, { text: 'Köln' }, { text: '12m' }],
  ],
};
const lines = (width: number | null) => renderTable(table, width, plain).split('\n').slice(0, -1);

describe('a printed table', () => {
  it('aligns columns, even with wide characters', () => {
    expect(lines(null)).toEqual([
      'NUMBER   STATUS                                PLACE  AGE',
      'AB123    Held by customs, documents asked for  深圳    2d',
      'CD45678  Delivered                             Köln   12m',
    ]);
  });

  it('shortens flexible columns if there is little room', () => {
    expect(lines(40)).toEqual([
      'NUMBER   STATUS               PLACE  AGE',
      'AB123    Held by customs, d…  深圳    2d',
      'CD45678  Delivered            Köln   12m',
    ]);
  });

  it('omits the least important columns first', () => {
    expect(lines(22)).toEqual(['NUMBER   STATUS', 'AB123    Held by cust…', 'CD45678  Delivered']);
  });

  describe('with a column that is empty in every row', () => {
    const rows = table.rows.map((row) => row.map((cell, index) => (index === 2 ? { text: '' } : cell)));
    const sparse = (width: number | null) => renderTable({ ...table, rows }, width, plain).split('\n')[0];

    it('keeps the column if there is room, and in a pipe', () => {
      expect(sparse(null)).toBe('NUMBER   STATUS                                PLACE  AGE');
      expect(sparse(57)).toBe('NUMBER   STATUS                                PLACE  AGE');
    });

    it('omits the column before all others', () => {
      expect(sparse(56)).toBe('NUMBER   STATUS                                AGE');
      expect(sparse(40)).toBe('NUMBER   STATUS                      AGE');
    });

    it('keeps all columns if there are no rows and the headings fit', () => {
      const head = (width: number) => renderTable({ ...table, rows: [] }, width, plain);
      expect(head(26)).toBe('NUMBER  STATUS  PLACE  AGE\n');
    });
  });

  it('never exceeds a width that fits the fixed columns', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((value) => value.replace(/[\p{C}\s]/gu, ''));
    forAll(fc.array(fc.tuple(text, text, text), { maxLength: 5 }), fc.integer({ min: 20, max: 200 }), (rows, width) => {
      const cells = rows.map(([a, b, c]) => [{ text: 'AB123' }, { text: a }, { text: b }, { text: c }]);
      const output = renderTable({ ...table, rows: cells }, width, plain);
      for (const line of output.split('\n')) expect(cellWidth(line)).toBeLessThanOrEqual(width);
    });
  });

  it('truncates text so that later columns stay visible, even in a pipe', () => {
    const rows = [
      [{ text: 'A'.repeat(5_000) }, { text: '包裹'.repeat(5_000) }, { text: 'x'.repeat(90) }, { text: '2d' }],
    ];
    const columns = table.columns.map((column, index) => (index === 2 ? { ...column, maxWidth: 90 } : column));
    const [head = '', line = ''] = renderTable({ columns, rows }, null, plain).split('\n');
    expect(line).toBe(`${'A'.repeat(79)}…  ${'包裹'.repeat(19)}包…   ${'x'.repeat(90)}   2d`);
    expect(cellWidth(line)).toBe(cellWidth(head));
  });

  it('styles each cell separately, even if a column repeats its text', () => {
    const cells = [
      { text: 'Köln', tone: 'attention' },
      { text: 'Köln', tone: 'done' },
      { text: 'Köln', bold: true },
      { text: 'Köln', tone: 'attention' },
      { text: 'Düsseldorf' },
    ] as const;
    const columns = [{ title: 'PLACE', yields: 0 }];
    const paint = colourPainter('symbols');
    const [, ...rows] = renderTable({ columns, rows: cells.map((cell) => [cell]) }, null, paint).split('\n');
    expect(rows.slice(0, -1)).toEqual(cells.map((cell) => paint(cell)));
  });

  it('writes escape sequences only with colours', () => {
    const coloured: Table = {
      ...table,
      rows: [[{ text: 'X', tone: 'attention' }, { text: '' }, { text: '' }, { text: '' }]],
    };
    expect(renderTable(coloured, null, plain)).not.toContain('\u001b');
    expect(renderTable(coloured, null, colourPainter('symbols'))).toContain('\u001b[31mX');
  });
});
