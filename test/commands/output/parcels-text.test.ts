import { expect, it } from 'vitest';
import { parcelsText } from '../../../src/commands/output/parcels-text.ts';

const list = { version: 1, parcels: [], rest: null };
const many = Array.from({ length: 250 }, (_, index) => ({
  trackNo: `RB${index}CN`,
  label: index % 2 === 0 ? 'a\nb' : '件',
}));
const itself = (parcel: object): object => parcel;

it.each([true, false])('holds the same whether it is read at a terminal (%s) or not', (isTerminal) => {
  for (const count of [0, 1, 2, 100, 101, 250]) {
    const parcels = many.slice(0, count);
    const text = [...parcelsText(list, { parcels, jsonOf: itself }, isTerminal)].join('');
    expect(JSON.parse(text)).toEqual({ ...list, parcels });
    expect(text.endsWith('\n')).toBe(true);
  }
});

it('has a line a parcel where nobody reads it', () => {
  const text = [...parcelsText(list, { parcels: many, jsonOf: itself }, false)].join('');
  const lines = text.split('\n');
  expect(lines[0]).toBe('{"version":1,"rest":null,"parcels":[');
  expect(lines.slice(1, 3)).toEqual(['{"trackNo":"RB0CN","label":"a\\nb"},', '{"trackNo":"RB1CN","label":"件"},']);
  expect(lines.slice(-3)).toEqual(['{"trackNo":"RB249CN","label":"件"}', ']}', '']);
});

it('is given away in pieces, so that not all parcels need be there at once', () => {
  const made: object[] = [];
  const jsonOf = (parcel: object): object => {
    made.push(parcel);
    return parcel;
  };
  const pieces = parcelsText(list, { parcels: many, jsonOf }, false);
  pieces.next();
  expect(made).toHaveLength(0);
  pieces.next();
  expect(made).toHaveLength(100);
});
