import { describe, expect, it } from 'vitest';
import { isLight } from '../../src/parcels/light-parcel.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import type { WatchlistStore } from '../../src/store/store.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { type LightStore, lightStore } from '../support/light-store.ts';
import { draftOf, type Harness, startHarness } from './harness.ts';

const minute = 60_000;

/** With what no light parcel has. */
const kept = {
  merchant: { customerEmail: 'ann@example.com', custom1: 'shelf 5' },
  fieldOfANewerVersion: { deep: [1] },
};
const rich = (trackNo: string, fields: Partial<Parcel> = {}): Parcel =>
  ({ ...parcelOf(trackNo), ...kept, ...fields }) as Parcel;

interface Rig extends Harness {
  readonly inner: WatchlistStore;
  readonly store: LightStore;
  /** The parcel with this number as it is kept. */
  stored(trackNo: string): Promise<Parcel | undefined>;
}

async function startRig(...parcels: readonly Parcel[]): Promise<Rig> {
  const inner = createMemoryStore({ version: 1, parcels });
  const store = lightStore(inner);
  const harness = await startHarness({ store });
  const stored = async (trackNo: string): Promise<Parcel | undefined> =>
    (await inner.read()).parcels.find((parcel) => parcel.trackNo === trackNo);
  return { ...harness, inner, store, stored };
}

describe('a list of light parcels', () => {
  it('is changed without losing what was not read, and shows the change at once', async () => {
    const { monitor, store, stored } = await startRig(rich('RB1CN'), rich('RB2CN'));
    const edited = monitor.edit('rb1cn', { label: 'Lamp' });
    expect(monitor.getState().parcels[0]).toMatchObject({ label: 'Lamp', isLight: true });
    expect(await edited).toMatchObject({ label: 'Lamp', ...kept });
    expect(await stored('RB1CN')).toMatchObject({ label: 'Lamp', ...kept });
    expect(await stored('RB1CN')).not.toHaveProperty('isLight');
    expect(store.wholeRead).toEqual(['rb1cn']);
  });

  it('is changed as a whole, archived, restored, marked as read, and undone as it was', async () => {
    const { monitor, stored } = await startRig(rich('RB1CN'), rich('RB2CN'));
    await monitor.archiveAll(['rb1cn', 'rb2cn']);
    await monitor.restore('rb2cn');
    await monitor.remove('rb1cn');
    expect(await stored('RB1CN')).toBeUndefined();
    await monitor.undo();
    expect(await stored('RB1CN')).toMatchObject({ ...kept, archivedAt: expect.any(String) });
    await monitor.undo();
    await monitor.undo();
    for (const trackNo of ['RB1CN', 'RB2CN'])
      expect(await stored(trackNo)).toMatchObject({ ...kept, archivedAt: null });
  });

  it('takes a removal back that was not written yet', async () => {
    const { monitor, stored } = await startRig(rich('RB1CN'));
    const [removed, undone] = [monitor.remove('rb1cn'), monitor.undo()];
    await Promise.all([removed, undone]);
    expect(await stored('RB1CN')).toMatchObject(kept);
  });

  it('is registered and checked with what whole parcels have', async () => {
    const { monitor, clock, service, stored } = await startRig(rich('RB1CN'));
    monitor.start();
    await clock.advance(minute);
    expect(service.calls.length).toBeGreaterThan(1);
    expect(JSON.stringify(service.calls)).toContain('ann@example.com');
    expect(await stored('RB1CN')).toMatchObject({ ...kept, registration: 'registered', checkedAt: expect.any(String) });
    expect(monitor.getState().parcels.every(isLight)).toBe(true);
  });

  it('hands out whole parcels with changes that are not written yet, each read once', async () => {
    const { monitor, store } = await startRig(rich('RB1CN'), rich('RB2CN'));
    expect(await monitor.whole(['rb2cn', 'nobody', 'rb1cn'])).toMatchObject([
      { trackNo: 'RB2CN', ...kept },
      { trackNo: 'RB1CN', ...kept },
    ]);
    await monitor.whole(['rb2cn']);
    expect(store.wholeRead).toEqual(['rb2cn', 'rb1cn']);
    const edited = monitor.edit('rb2cn', { label: 'Lamp' });
    expect(await monitor.whole(['rb2cn'])).toMatchObject([{ label: 'Lamp', ...kept }]);
    await edited;
  });

  it('leaves a parcel removed that somebody else has removed while it was changed', async () => {
    const { monitor, inner, clock, stored } = await startRig(rich('RB1CN'), rich('RB2CN'));
    const { revision } = await inner.read();
    await inner.write([{ id: 'rb1cn', parcel: null }], revision, clock.now());
    await monitor.edit('rb1cn', { label: 'Lamp' }).catch(() => undefined);
    expect([await stored('RB1CN'), monitor.unwritten()]).toEqual([undefined, null]);
  });

  it('adds to a parcel of the same number what is given with it', async () => {
    const { monitor, stored } = await startRig(rich('RB1CN'));
    await monitor.add(draftOf('RB1CN', { label: 'Lamp' }));
    expect(await stored('RB1CN')).toMatchObject({ label: 'Lamp', ...kept });
  });
});

describe('news of a store', () => {
  it('shows what others have written at once, together with what comes meanwhile', async () => {
    const { monitor, store, inner, clock } = await startRig(rich('RB1CN'));
    monitor.start();
    await clock.advance(0);
    for (const trackNo of ['RB2CN', 'RB3CN', 'RB4CN']) {
      const parcel = parcelOf(trackNo);
      await inner.write([{ id: parcel.id, parcel }], (await inner.read()).revision, clock.now());
      store.tellNews();
    }
    await monitor.whenIdle();
    await clock.advance(0);
    expect(monitor.getState().parcels).toHaveLength(4);
    await monitor.stop();
    store.tellNews();
  });
});
