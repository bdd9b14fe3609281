import { expect, it } from 'vitest';
import { parcelsText } from '../../../src/commands/output/parcels-text.ts';

const list = {
  version: 1,
  parcels: [
    { trackNo: 'RB1CN', label: 'a\nb' },
    { trackNo: 'RB2CN', tags: [] },
  ],
  rest: null,
};

it.each([true, false])('holds the same whether it is read at a terminal (%s) or not', (isTerminal) => {
  for (const parcels of [list.parcels, list.parcels.slice(1), []]) {
    const text = parcelsText({ ...list, parcels }, isTerminal);
    expect(JSON.parse(text)).toEqual({ ...list, parcels });
    expect(text.endsWith('\n')).toBe(true);
  }
});

it('has a line a parcel where nobody reads it', () => {
  expect(parcelsText(list, false).split('\n').slice(1, 3)).toEqual([
    '{"trackNo":"RB1CN","label":"a\\nb"},',
    '{"trackNo":"RB2CN","tags":[]}',
  ]);
});
