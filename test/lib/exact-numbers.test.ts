import { describe, expect, test } from 'vitest';
import { integerField, parseJson } from '../../src/lib/json.ts';
import { decodeRecord } from '../support/decoded-record.ts';

describe('parseJson', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['229255084490768385', '229255084490768385'],
    ['9007199254740993.0', '9007199254740993.0'],
    ['9.007199254740993e15', '9.007199254740993e15'],
    ['1e999', '1e999'],
    ['-1E+400', '-1E+400'],
  ])('keeps every digit of %s as a string', (written, text) => {
    expect(parseJson(`{"id":${written},"list":[ ${written} ]}`)).toEqual({ id: text, list: [text] });
  });

  test.each(['0', '-7', '12.5', '1e3', '9007199254740991', '0.30000000000000004'])(
    'returns %s as a number',
    (written) => {
      expect(parseJson(`{"n":${written}}`)).toEqual({ n: Number(written) });
    },
  );

  test('keeps digits inside strings', () => {
    const value = { text: 'order: 9007199254740993, [9007199254740993', quoted: '\\":9007199254740993', slash: '\\' };
    expect(parseJson(JSON.stringify({ ...value, id: 1 }).replace('"id":1', '"id":9007199254740993'))).toEqual({
      ...value,
      id: '9007199254740993',
    });
  });

  test("keeps an id's digits next to deeply nested values", () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(parseJson(`{"odd":${deep},"id":9007199254740993}`)).toMatchObject({ id: '9007199254740993' });
  });

  test.each(['{"id":90071992547409931', '{"id":12345678901234567890x}', '[9007199254740993"x"]', '{"a" 1e999}'])(
    'still rejects invalid JSON: %s',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );
});

describe('a received value', () => {
  test("keeps a field if a different field's name differs only by invisible characters", () => {
    const { received } = decodeRecord({ trackNo: 'A1', 'trackNo\u200b': 'B2', 'odd\u200b': 1 }) ?? {};
    expect(received).toStrictEqual({ trackNo: 'A1', odd: 1 });
  });

  test('can be written as JSON again, without infinity or negative zero', () => {
    const { received } = decodeRecord({ trackNo: 'A1', far: Number.POSITIVE_INFINITY, zero: -0 }) ?? {};
    expect(received).toStrictEqual({ trackNo: 'A1', far: null, zero: 0 });
  });

  test.each([
    [-0, 0],
    ['-0', 0],
    ['9007199254740993', null],
    [1e300, null],
    ['1e999', null],
    ['12', 12],
    [3.9, 3],
  ])('is read as an integer: %s as %s', (value, expected) => expect(integerField({ value }, 'value')).toBe(expected));
});
