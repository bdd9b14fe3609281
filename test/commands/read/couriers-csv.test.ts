import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { couriersCsv } from '../../../src/commands/read/couriers-csv.ts';

it('has a header row, and no cell that a spreadsheet would run', () => {
  const csv = couriersCsv([
    { code: 'ups', nameEN: 'UPS', nameCN: 'UPS快递', homePage: 'https://www.ups.com/' },
    { code: '-odd', nameEN: '=HYPERLINK("http://evil")', nameCN: null, homePage: null },
    { code: 'quoted', nameEN: 'A, "B"\nC', nameCN: '@x', homePage: null },
  ]);
  expect(csv.split('\r\n')[0]).toBe('code,nameEN,nameCN,homePage');
  expect(parse(csv)).toEqual([
    ['code', 'nameEN', 'nameCN', 'homePage'],
    ['ups', 'UPS', 'UPS快递', 'https://www.ups.com/'],
    ["'-odd", '\'=HYPERLINK("http://evil")', '', ''],
    ['quoted', 'A, "B"\nC', "'@x", ''],
  ]);
});
