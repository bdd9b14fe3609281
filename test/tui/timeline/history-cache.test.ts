import { describe, expect, test } from 'vitest';
import type { ParcelHistory } from '../../../src/parcels/parcel.ts';
import { HistoryCache } from '../../../src/tui/timeline/timeline.tsx';
import { aCheckpoint, aParcel } from '../../board/parcels.ts';
import { createFakeMonitor } from '../../support/fake-monitor.ts';

const history: ParcelHistory = { version: 1, checkpoints: [aCheckpoint()], received: null };

describe('cached histories', () => {
  test('are available immediately, and stale once the record has news', async () => {
    const parcel = aParcel();
    const cache = new HistoryCache(createFakeMonitor([parcel], { [parcel.id]: history }));
    expect(cache.peek(parcel)).toBeNull();
    await cache.load(parcel);
    expect(cache.peek(parcel)?.history).toBe(history);
    expect(cache.isFresh(parcel)).toBe(true);
    const newer = { ...parcel, checkedAt: '2026-11-21T12:50:00Z' };
    expect(cache.isFresh(newer)).toBe(false);
    expect(cache.peek(newer)?.history).toBe(history);
  });

  test('report why a history cannot be read', async () => {
    const monitor = { ...createFakeMonitor([]), history: () => Promise.reject(new Error('The file cannot be read.')) };
    const cache = new HistoryCache(monitor);
    expect(await cache.load(aParcel())).toMatchObject({ history: null, problem: 'The file cannot be read.' });
  });

  test('are limited in number, and the oldest is dropped', async () => {
    const parcels = Array.from({ length: 70 }, (_, n) => aParcel({ id: `p${n}` }));
    const cache = new HistoryCache(createFakeMonitor(parcels));
    for (const parcel of parcels) await cache.load(parcel);
    expect(parcels.filter((parcel) => cache.peek(parcel) !== null)).toHaveLength(64);
    expect(cache.peek(parcels[0] ?? aParcel())).toBeNull();
  });
});
