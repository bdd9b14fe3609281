import { describe, expect, it } from 'vitest';
import { createCourierCheck } from '../../src/board/courier-search.ts';
import type { Courier } from '../../src/service/port.ts';

const couriers = ['ups', 'usps', 'dhl', 'China-Post', 'yanwen'].map(
  (code): Courier => ({ code, nameEN: null, nameCN: null, homePage: null }),
);
const check = createCourierCheck({ couriers, stale: false });

describe('createCourierCheck', () => {
  it('accepts the listed codes in upper or lower case', () => {
    expect(check('ups')).toBeNull();
    expect(check('UPS')).toBeNull();
    expect(check('china-post')).toBeNull();
  });

  it('suggests the nearest codes for a mistyped code', () => {
    expect(check('yanwne')).toBe('No courier has the code "yanwne"; did you mean yanwen?');
    expect(check('chinapost')).toBe('No courier has the code "chinapost"; did you mean China-Post?');
    expect(check('ps')).toMatch(/did you mean (ups or usps|usps or ups)\?$/);
    expect(check('qqqqqqqq')).toBe('No courier has the code "qqqqqqqq".');
  });

  it('prefers couriers whose code or name contains the whole word to similar codes', () => {
    const list: readonly Courier[] = [
      { code: 'estafeta', nameEN: 'Estafeta', nameCN: null, homePage: null },
      { code: 'china-ems', nameEN: 'China EMS', nameCN: null, homePage: null },
      { code: 'emsx', nameEN: null, nameCN: null, homePage: null },
      { code: 'jp-post', nameEN: 'Japan Post', nameCN: null, homePage: null },
    ];
    const problem = createCourierCheck({ couriers: list, stale: false });
    expect(problem('ems')).toBe('No courier has the code "ems"; did you mean china-ems or emsx?');
    expect(problem('japan')).toMatch(/did you mean jp-post\?$/);
  });

  it.each([
    ['no courier list', null],
    ['an empty list', { couriers: [], stale: false }],
    ['a list that is too old', { couriers, stale: true }],
  ])('accepts any code given %s', (_what, list) => expect(createCourierCheck(list)('uspp')).toBeNull());
});
