import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { csvText } from '../../src/lib/csv-text.ts';

it('has no cell that a spreadsheet would run', () => {
  const csv = csvText([
    ['code', 'nameEN', 'nameCN', 'homePage'],
    ['ups', 'UPS', 'UPS快递', 'https://www.ups.com/'],
    ['-odd', '=HYPERLINK("http://evil")', null, null],
    ['quoted', 'A, "B"\nC', '@x', null],
  ]);
  expect(csv.split('\r\n')[0]).toBe('code,nameEN,nameCN,homePage');
  expect(parse(csv)).toEqual([
    ['code', 'nameEN', 'nameCN', 'homePage'],
    ['ups', 'UPS', 'UPS快递', 'https://www.ups.com/'],
    ["'-odd", '\'=HYPERLINK("http://evil")', '', ''],
    ['quoted', 'A, "B"\nC', "'@x", ''],
  ]);
});
