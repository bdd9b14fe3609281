import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { csvText, guardFormula, unguardFormula } from '../../src/lib/escape.ts';
import { hostileText } from '../commands/exported-parcels.ts';
import { forAll } from '../support/for-all.ts';

it('writes no cell that a spreadsheet would run', () => {
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

describe('the guard against formulas', () => {
  it.each(['=1+1', '+49', '-1', '@SUM(A1)', '＝1', "'=1", "''-1"])('puts a quote before %j', (text) => {
    expect(guardFormula(text)).toBe(`'${text}`);
  });

  it.each([
    ['x;=cmd', "x;'=cmd"],
    ['x; =cmd', "x; '=cmd"],
    ['x;=1;@y', "x;'=1;'@y"],
    ["x;'=1", "x;''=1"],
    ['x\t-1', "x\t'-1"],
    ['x\n=1', "x\n'=1"],
    ['\t=1', "'\t'=1"],
  ])('guards cells after semicolons, tabs and line breaks: %j', (text, guarded) => {
    expect(guardFormula(text)).toBe(guarded);
    expect(unguardFormula(guarded)).toBe(text);
  });

  it.each(['', 'Lamp', 'a; b', 'a;b=1', 'a ; 3-4', "'tis", '1-1', 'a=b', "'"])('does not change %j', (text) => {
    expect(guardFormula(text)).toBe(text);
    expect(unguardFormula(text)).toBe(text);
  });

  it('guards every formula and can be undone', () =>
    forAll(hostileText, (text) => {
      expect(guardFormula(text)).not.toMatch(/(?:^|[;\t\r\n] *)[=+\-@\t\r\n＝＋－＠]/);
      expect(unguardFormula(guardFormula(text))).toBe(text);
    }));
});
