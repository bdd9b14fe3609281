import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../src/lib/store-errors.ts';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { createFileDocument } from '../../src/store/file/json-document.ts';
import { peekAtParcels, peekAtUsage } from '../../src/store/glance.ts';
import { createUsageMeter, readMetered } from '../../src/store/usage.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { realClock } from '../support/real-clock.ts';
import { recordOf } from '../support/records.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a glance at the watchlist', () => {
  it('reads what the store has written', async () => {
    const store = createFileStore({ directory: folder, clock: realClock, random: Math.random });
    const moving = parcelOf('RB1CN', {
      registration: 'registered',
      record: recordOf(),
      checkedAt: '2026-11-19T08:00:00Z',
    });
    const rejected = parcelOf('RB2CN', { registration: 'rejected', nextPollAt: null });
    const archived = parcelOf('RB3CN', { archivedAt: '2026-11-19T08:00:00Z' });
    await store.update((watchlist) => ({ ...watchlist, parcels: [moving, rejected, archived] }));
    const seen = await peekAtParcels(join(folder, 'watchlist.json'));
    expect(seen).toMatchObject([
      { isRejected: false, archivedAt: null, transitStatus: 'IN_TRANSIT', checkedAt: '2026-11-19T08:00:00Z' },
      { isRejected: true, transitStatus: null, checkedAt: null, nextPollAt: null },
      { archivedAt: '2026-11-19T08:00:00Z' },
    ]);
  });

  it('sees nothing if there is no file, and waits for no lock', async () => {
    await writeFile(join(folder, 'watchlist.json.lock'), 'held');
    expect(await peekAtParcels(join(folder, 'watchlist.json'))).toEqual([]);
    expect(await peekAtUsage(join(folder, 'meter.json'), 0)).toMatchObject({ queries: 0 });
  });

  it('treats unusual fields as missing', async () => {
    const path = join(folder, 'watchlist.json');
    await writeFile(path, '\uFEFF{"parcels":[null,7,{"record":"no","checkedAt":"soon","nextPollAt":5}]}');
    for (const parcel of await peekAtParcels(path)) {
      expect(parcel).toEqual({
        isRejected: false,
        arrival: null,
        archivedAt: null,
        checkpointCount: 0,
        transitStatus: null,
        transitSubStatus: null,
        lastEvent: null,
        checkedAt: null,
        nextPollAt: null,
      });
    }
  });

  it.each(['', '{"parcels":', '[]', '{"parcels":{}}'])('reports %j as damaged', async (content) => {
    const path = join(folder, 'watchlist.json');
    await writeFile(path, content);
    await expect(peekAtParcels(path)).rejects.toMatchObject({ kind: 'damaged' });
  });

  it('reports that it cannot read', async () => {
    await expect(peekAtParcels(folder)).rejects.toThrow(StoreError);
  });
});

describe('a glance at the meter', () => {
  it('reads the queries of today', async () => {
    const path = join(folder, 'meter.json');
    const context = { clock: realClock, random: Math.random, processes: null };
    const meter = createUsageMeter(realClock, createFileDocument(path, readMetered, context));
    await meter.add(() => ({ calls: 3, queries: 2, numbers: 90, registrations: 1 }));
    expect(await peekAtUsage(path, realClock.now())).toEqual({ calls: 3, queries: 2, numbers: 90, registrations: 1 });
    await writeFile(path, '{{');
    expect(await peekAtUsage(path, realClock.now())).toMatchObject({ queries: 0 });
  });
});
