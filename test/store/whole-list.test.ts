import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { wholeList } from '../../src/store/store.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { lightStore } from '../support/light-store.ts';

it('puts whole parcels in the place of light ones, in their order, and reads nothing where none is light', async () => {
  const parcels = Array.from({ length: 2_500 }, (_, at) =>
    parcelOf(`RB${at}CN`, { merchant: { custom1: `shelf ${at}` } }),
  );
  const store = lightStore(createMemoryStore({ version: 1, parcels }));
  const { parcels: read } = await store.read();
  expect(await wholeList(store, [...read].reverse())).toEqual([...parcels].reverse());
  expect(store.wholeRead).toHaveLength(2_500);
  expect(await wholeList(store, parcels)).toBe(parcels);
  const gone = { ...read[0], id: 'gone', isLight: true };
  expect(await wholeList(store, [gone as (typeof read)[number]])).toEqual([]);
});
