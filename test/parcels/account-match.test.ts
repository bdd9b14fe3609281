import { expect, it } from 'vitest';
import { matchWatched } from '../../src/parcels/parcel-list.ts';
import { aParcel } from '../board/parcels.ts';

const parcel = (id: string, trackNo: string, courierCode: string | null) => aParcel({ id, trackNo, courierCode });
const idOf = (match: ReturnType<typeof matchWatched>, trackNo: string, courierCode: string | null) =>
  match({ trackNo, courierCode })?.id ?? null;

it('matches the courier regardless of case', () => {
  const match = matchWatched([parcel('a', 'RB1CN', 'china-post'), parcel('b', 'RB1CN', 'yanwen')], new Map());
  expect(idOf(match, 'rb1cn', 'YANWEN')).toBe('b');
  expect(idOf(match, 'RB1CN', 'china-post')).toBe('a');
  expect(idOf(match, 'RB1CN', 'dhl')).toBeNull();
  expect(idOf(match, 'RB2CN', 'yanwen')).toBeNull();
});

it('matches a parcel without a courier only to the first entry for its number', () => {
  const match = matchWatched([parcel('a', 'RB1CN', null)], new Map());
  expect(idOf(match, 'RB1CN', 'yanwen')).toBe('a');
  expect(idOf(match, 'RB1CN', 'china-post')).toBeNull();
  expect(idOf(match, 'RB1CN', 'yanwen')).toBe('a');
});

it('matches an entry without a courier to any parcel with its number', () => {
  const match = matchWatched([parcel('a', 'RB1CN', 'yanwen')], new Map());
  expect(idOf(match, 'RB1CN', null)).toBe('a');
});
