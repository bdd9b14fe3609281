import { expect, it } from 'vitest';
import { parcelsText } from '../../src/commands/parcel-table.ts';

const list = { version: 1, parcels: [], rest: null };
const many = Array.from({ length: 250 }, (_, index) => ({
  trackNo: `RB${index}CN`,
  label: index % 2 === 0 ? 'a\nb' : '件',
}));
const textOf = (parcels: readonly object[], space: 0 | 2): string =>
  [...parcelsText(list, parcels, (parcel) => parcel, space)].join('');

it.each([0, 2] as const)('has the same content with any indentation (%s)', (space) => {
  for (const count of [0, 1, 2, 100, 101, 250]) {
    const parcels = many.slice(0, count);
    const text = textOf(parcels, space);
    expect(JSON.parse(text)).toEqual({ ...list, parcels });
    expect(text.endsWith('\n')).toBe(true);
  }
});

it.each([0, 1, 101])('is indented like JSON (%s)', (count) => {
  const parcels = many.slice(0, count);
  const { parcels: _, ...others } = list;
  expect(textOf(parcels, 2)).toBe(`${JSON.stringify({ ...others, parcels }, null, 2)}\n`);
});

it('has a line per parcel if it is not indented', () => {
  const lines = textOf(many, 0).split('\n');
  expect(lines[0]).toBe('{"version":1,"rest":null,"parcels":[');
  expect(lines.slice(1, 3)).toEqual(['{"trackNo":"RB0CN","label":"a\\nb"},', '{"trackNo":"RB1CN","label":"件"},']);
  expect(lines.slice(-3)).toEqual(['{"trackNo":"RB249CN","label":"件"}', ']}', '']);
});

it('is produced in pieces, to limit memory', () => {
  const made: object[] = [];
  const noted = (parcel: object): object => {
    made.push(parcel);
    return parcel;
  };
  const pieces = parcelsText(list, many, noted, 0);
  pieces.next();
  expect(made).toHaveLength(0);
  pieces.next();
  expect(made).toHaveLength(100);
});
