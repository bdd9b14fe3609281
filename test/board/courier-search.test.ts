import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { courierCells, createCourierSearch } from '../../src/board/courier-search.ts';
import { lineText, lineWidth } from '../../src/lib/cells.ts';
import type { Courier } from '../../src/service/port.ts';
import { forAll } from '../support/for-all.ts';
import { anyText } from './texts.ts';

const courier = (code: string, nameEN: string | null, nameCN: string | null = null): Courier => ({
  code,
  nameEN,
  nameCN,
  homePage: null,
});
const couriers = [
  courier('yanwen', 'Yanwen', '燕文物流'),
  courier('dhl-germany', 'DHL Paket'),
  courier('dhl', 'DHL Express', 'DHL国际快递'),
  courier('ups', 'UPS', 'UPS快递'),
  courier('correos-spain', 'Correos España'),
  courier('sfb2c', 'S.F. International', '顺丰国际'),
  courier('china-post', 'China Post', '中国邮政'),
  courier('nameless', null),
];
const search = createCourierSearch(couriers);
const codes = (text: string, limit = 10): string[] => search(text, limit).map(({ code }) => code);

describe('createCourierSearch', () => {
  it('ranks the exact code first, then codes that begin with the query', () => {
    expect(codes('dhl').slice(0, 2)).toEqual(['dhl', 'dhl-germany']);
    expect(codes('DHL-G')[0]).toBe('dhl-germany');
  });

  it.each([
    ['a typo', 'yanwne', 'yanwen'],
    ['a name without its accent', 'espana', 'correos-spain'],
    ['a Chinese name', '顺丰', 'sfb2c'],
    ['part of a name', 'paket', 'dhl-germany'],
    ['a code without a name', 'namel', 'nameless'],
  ])('finds a courier by %s', (_what, text, code) => expect(codes(text)[0]).toBe(code));

  it('finds nothing if nothing is similar', () => expect(codes('qqqqzzzz')).toEqual([]));

  it('lists all couriers by name for an empty query, starting with those in use', () => {
    expect(codes('', 3)).toEqual(['china-post', 'correos-spain', 'dhl']);
    const preferring = createCourierSearch(couriers, ['ups', 'gone', 'yanwen']);
    expect(preferring(' ', 3).map(({ code }) => code)).toEqual(['ups', 'yanwen', 'china-post']);
  });

  it('never returns more than the limit, or duplicates', () =>
    forAll(anyText, fc.nat(10), (text, limit) => {
      const found = search(text, limit);
      expect(found.length).toBeLessThanOrEqual(limit);
      expect(new Set(found).size).toBe(found.length);
    }));

  it('finds every courier by its own code', () => {
    for (const { code } of couriers) expect(codes(code)[0]).toBe(code);
  });
});

describe("a courier's cells", () => {
  const line = (code: string, nameEN: string | null, nameCN: string | null, width: number): string =>
    courierCells(courier(code, nameEN, nameCN), width)
      .map(lineText)
      .join('');

  it('show the code and the names in columns', () => {
    expect(line('dhl', 'DHL Express', 'DHL国际快递', 44)).toBe('dhl             DHL Express · DHL国际快递   ');
    expect(line('nameless', null, null, 30).trimEnd()).toBe('nameless');
    expect(line('gls', 'GLS', 'GLS', 30).trimEnd()).toBe('gls         GLS');
  });

  it('are exactly as wide as requested', () =>
    forAll(anyText, fc.option(anyText), fc.nat(80), (code, name, width) => {
      expect(lineWidth(courierCells(courier(code, name), width).flat())).toBe(width);
    }));
});
