import { describe, expect, it } from 'vitest';
import { minuteMs as minute } from '../../src/lib/clock.ts';
import { StoreError } from '../../src/lib/store-errors.ts';
import { createMemoryStore, type WatchlistStore } from '../../src/store/store.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { draftOf, type Harness, startHarness } from './harness.ts';

interface Rig extends Harness {
  readonly inner: WatchlistStore;
  /** Disconnects or reconnects the store. `after-writing` loses the response to a successful write. */
  setConnection(how: 'connected' | 'cut-off' | 'after-writing'): void;
}

async function startRig(readOnly: string | null = null): Promise<Rig> {
  const inner = createMemoryStore({ version: 1, parcels: [parcelOf('RB1CN')] });
  let how: 'connected' | 'cut-off' | 'after-writing' = 'connected';
  const throwIfCut = (): void => {
    if (how !== 'connected') throw new StoreError('cut-off', 'postgres://nas/parcels cannot be reached.', 'nas');
  };
  const store: WatchlistStore = {
    ...inner,
    readOnly,
    async newer(...args) {
      throwIfCut();
      return await inner.newer(...args);
    },
    async write(...args) {
      const outcome = how === 'after-writing' ? await inner.write(...args) : null;
      throwIfCut();
      return outcome ?? (await inner.write(...args));
    },
  };
  const harness = await startHarness({ store, policy: { followMs: 500 } });
  return {
    ...harness,
    inner,
    setConnection: (now) => {
      how = now;
    },
  };
}

describe('an unreachable store', () => {
  it('shows a notice that says when it began, and withdraws the notice afterwards', async () => {
    const { monitor, clock, setConnection } = await startRig();
    monitor.start();
    await clock.advance(minute);
    setConnection('cut-off');
    const cutAt = clock.now();
    await clock.advance(minute);
    const { notices, polling } = monitor.getState();
    expect(notices).toEqual([
      expect.stringMatching(/^Database unreachable: the data may be old.* postgres:\/\/nas\/parcels cannot be reached/),
    ]);
    expect(polling.cutOffSince).toBeGreaterThanOrEqual(cutAt);
    expect(polling.cutOffSince).toBeLessThan(cutAt + 2_000);
    setConnection('connected');
    await clock.advance(1_000);
    expect(monitor.getState()).toMatchObject({ notices: [], polling: { cutOffSince: null } });
  });

  it('does not stop changes from being shown, and receives each of them once when it is back', async () => {
    const { monitor, clock, setConnection, inner } = await startRig();
    monitor.start();
    await clock.advance(1_000);
    setConnection('cut-off');
    await expect(monitor.add(draftOf('RB2CN', { label: 'Lamp' }))).rejects.toThrow('cannot be reached');
    await expect(monitor.edit('rb1cn', { label: 'Chair' })).rejects.toThrow('cannot be reached');
    expect(monitor.getState().parcels.map(({ label }) => label)).toEqual(['Chair', 'Lamp']);
    setConnection('connected');
    await clock.advance(1_000);
    expect((await inner.read()).parcels.map(({ label }) => label)).toEqual(['Chair', 'Lamp']);
    expect(monitor.unwritten()).toBeNull();
    expect(monitor.getState().polling.problem).toBeNull();
  });

  it('receives a change only once, even if the failed write had reached it', async () => {
    const { monitor, clock, setConnection, inner, service } = await startRig();
    monitor.start();
    await clock.advance(minute);
    setConnection('after-writing');
    await expect(monitor.add(draftOf('RB2CN'))).rejects.toThrow('cannot be reached');
    setConnection('connected');
    await clock.advance(minute);
    const lines = await inner.changeLogAfter(0);
    expect(lines.filter(({ change, trackNo }) => change === 'added' && trackNo === 'RB2CN')).toHaveLength(1);
    expect((await inner.read()).parcels).toHaveLength(2);
    expect(service.calls.length).toBeGreaterThan(0);
  });
});

describe('a read-only store', () => {
  const sentence = 'postgres://nas/parcels is a read-only replica. Use the primary server to write.';

  it('is followed but never polled, and refuses changes without showing them', async () => {
    const { monitor, clock, inner, service } = await startRig(sentence);
    monitor.start();
    await clock.advance(minute);
    expect(monitor.getState()).toMatchObject({ notices: [sentence], polling: { readOnly: sentence } });
    for (const change of [
      monitor.add(draftOf('RB2CN')),
      monitor.edit('rb1cn', { label: 'Chair' }),
      monitor.archiveAll(['rb1cn']),
      monitor.remove('rb1cn'),
      monitor.refresh(['rb1cn']),
      monitor.pause(),
    ]) {
      await expect(change).rejects.toThrow(sentence);
    }
    await monitor.markRead(['rb1cn']);
    expect(monitor.getState().parcels).toMatchObject([{ label: null, archivedAt: null }]);
    expect([monitor.unwritten(), monitor.getState().undoable, service.calls]).toEqual([null, null, []]);
    const parcel = parcelOf('RB3CN');
    await inner.write([{ id: parcel.id, parcel }], await inner.read(), clock.now());
    await clock.advance(1_000);
    expect(monitor.getState().parcels).toHaveLength(2);
  });
});
