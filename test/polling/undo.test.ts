import { describe, expect, it } from 'vitest';
import { hourMs as hour } from '../../src/lib/clock.ts';
import { createMemoryStore } from '../../src/store/store.ts';
import { checkpointOf } from '../support/records.ts';
import { onServiceClock } from './fake-service.ts';
import { createHarness, draftOf, type Harness } from './harness.ts';

/** Starts a monitor whose service knows one event for every parcel. */
async function createWithEvents(): Promise<Harness> {
  const harness = await createHarness();
  const { clock, service } = harness;
  service.reply = () => ({
    checkpoints: [checkpointOf('Arrived', '2026-11-19T08:00:00Z')],
    nextUpdateTime: onServiceClock(clock.now() + hour),
  });
  harness.monitor.start();
  return harness;
}

describe('undo', () => {
  it('does nothing if there is nothing to undo', async () => {
    const { monitor } = await createHarness();
    expect(monitor.getState().undoable).toBeNull();
    expect(await monitor.undo()).toBeNull();
  });

  it('restores a removed parcel with its history', async () => {
    const { monitor, clock, add, parcel } = await createWithEvents();
    const { id } = await add('RB1CN', { label: 'Lamp' });
    await clock.advance(hour / 60);
    const before = parcel('RB1CN');
    await monitor.remove(id);
    expect(monitor.getState()).toMatchObject({ parcels: [], undoable: 'removing Lamp' });
    expect((await monitor.history(id)).checkpoints).toEqual([]);
    expect(await monitor.undo()).toEqual({ message: 'Lamp is back on the list.', parcelIds: [id] });
    expect(parcel('RB1CN')).toEqual({ ...before, changedAt: new Date(clock.now()).toISOString() });
    expect((await monitor.history(id)).checkpoints).toHaveLength(1);
    await monitor.stop();
  });

  it('registers a parcel again if it was deleted at the service, without showing an error', async () => {
    const { monitor, clock, add, parcel, service } = await createWithEvents();
    const { id } = await add('RB1CN', { label: 'Lamp' });
    await clock.advance(hour / 60);
    const before = parcel('RB1CN');
    const callsBefore = service.calls.length;
    await monitor.remove(id, { deletedAtService: true });
    await monitor.undo();
    expect(parcel('RB1CN')).toMatchObject({ registration: 'pending', record: before.record, error: null });
    const errors: unknown[] = [];
    monitor.subscribe(() => errors.push(...monitor.getState().parcels.flatMap(({ error }) => error ?? [])));
    await clock.advance(hour / 60);
    expect(parcel('RB1CN').registration).toBe('registered');
    expect(service.calls[callsBefore]?.operation).toBe('register');
    expect(errors).toEqual([]);
    await monitor.stop();
  });

  it('restores the old courier with its events', async () => {
    const { monitor, clock, add, parcel } = await createWithEvents();
    const { id } = await add('RB1CN', { courierCode: 'dhl' });
    await clock.advance(hour / 60);
    await monitor.edit(id, { courierCode: 'ups' });
    expect((await monitor.history(id)).checkpoints).toEqual([]);
    expect((await monitor.undo())?.message).toBe('RB1CN is back to its previous state.');
    expect(parcel('RB1CN')).toMatchObject({ courierCode: 'dhl', checkpointCount: 1 });
    expect((await monitor.history(id)).checkpoints).toHaveLength(1);
    await monitor.stop();
  });

  it("does not mark the old courier's events as unread", async () => {
    const { monitor, clock, add, options, parcel } = await createWithEvents();
    const { id } = await add('RB1CN', { courierCode: 'dhl' });
    await clock.advance(hour / 2);
    await monitor.edit(id, { courierCode: 'ups' });
    const seq = monitor.changeSeq();
    await monitor.undo();
    expect(parcel('RB1CN')).toMatchObject({ courierCode: 'dhl', checkpointCount: 1 });
    expect(parcel('RB1CN').unread).toBeUndefined();
    expect((await options.store.changeLogAfter(seq)).map(({ change }) => change)).not.toContain('status');
    await monitor.stop();
  });

  it('undoes the steps one by one, latest first', async () => {
    const { monitor, add, parcel } = await createHarness();
    const { id } = await add('RB1CN');
    await monitor.edit(id, { label: 'Lamp' });
    await monitor.archiveAll([id]);
    await monitor.restoreAll([id]);
    expect(monitor.getState().undoable).toBe('restoring Lamp');
    expect((await monitor.undo())?.message).toBe('Lamp is archived again.');
    expect(parcel('RB1CN').archivedAt).not.toBeNull();
    expect((await monitor.undo())?.message).toBe('Lamp is back on the list.');
    expect((await monitor.undo())?.message).toBe('RB1CN is back to its previous state.');
    expect(parcel('RB1CN').label).toBeNull();
    expect(await monitor.undo()).toEqual({ message: 'RB1CN is no longer on the list.', parcelIds: [] });
    expect(monitor.getState()).toMatchObject({ parcels: [], undoable: null });
  });

  it('undoes a group as one step', async () => {
    const { monitor } = await createHarness();
    await monitor.together(() =>
      Promise.all(['RB1CN', 'RB2CN', 'RB3CN'].map((number) => monitor.add(draftOf(number)))),
    );
    expect(monitor.getState().undoable).toBe('adding 3 parcels');
    expect((await monitor.undo())?.message).toBe('3 parcels are no longer on the list.');
    expect(monitor.getState().parcels).toEqual([]);
  });

  it('names the restored field of an edit', async () => {
    const { monitor, add, parcel } = await createHarness();
    const { id } = await add('RB1CN', { label: 'Drone', tags: ['toy'] });
    await monitor.edit(id, { removeTags: ['toy'] });
    await monitor.edit(id, { label: 'Plane' });
    await monitor.edit(id, { label: 'Kite', addTags: ['gift'] });
    expect((await monitor.undo())?.message).toBe('Plane is back to its previous state.');
    expect((await monitor.undo())?.message).toBe('Restored the label of Drone.');
    expect((await monitor.undo())?.message).toBe('Restored the tags of Drone.');
    expect(parcel('RB1CN')).toMatchObject({ label: 'Drone', tags: ['toy'] });
    const { id: other } = await add('RB2CN');
    await monitor.editAll([id, other], { addTags: ['both'] });
    expect((await monitor.undo())?.message).toBe('Restored the tags of 2 parcels.');
  });

  it('ignores changes that have no effect', async () => {
    const { monitor, add } = await createHarness();
    await add('RB1CN');
    await add('RB1CN');
    await monitor.undo();
    expect(monitor.getState()).toMatchObject({ parcels: [], undoable: null });
  });

  it('reports that later changes were kept', async () => {
    const store = createMemoryStore();
    const [mine, other] = [await createHarness({ store }), await createHarness({ store })];
    const { id } = await mine.add('RB1CN');
    await mine.monitor.edit(id, { label: 'Lamp' });
    await other.monitor.load();
    await other.monitor.edit(id, { label: 'Theirs' });
    expect((await mine.monitor.undo())?.message).toMatch(/Later changes were kept/);
    expect(mine.parcel('RB1CN').label).toBe('Theirs');
  });
});

describe('redo', () => {
  it('repeats the undone steps one by one, and can itself be undone', async () => {
    const { monitor, add, parcel } = await createHarness();
    const { id } = await add('RB1CN');
    await monitor.edit(id, { label: 'Lamp', addTags: ['gift'] });
    await monitor.archiveAll([id]);
    const before = parcel('RB1CN');
    for (let count = 0; count < 3; count += 1) await monitor.undo();
    expect(monitor.undoList()).toEqual({ undo: [], redo: ['adding RB1CN', 'changing Lamp', 'archiving Lamp'] });
    expect(await monitor.redo()).toEqual({ message: 'RB1CN is on the list again.', parcelIds: [id] });
    expect((await monitor.redo())?.message).toBe('Lamp is back to its changed state.');
    expect((await monitor.redo())?.message).toBe('Lamp is archived again.');
    expect(parcel('RB1CN')).toEqual({ ...before, changedAt: parcel('RB1CN').changedAt });
    expect(await monitor.redo()).toBeNull();
    expect(monitor.undoList()).toEqual({ undo: ['archiving Lamp', 'changing RB1CN', 'adding RB1CN'], redo: [] });
    expect((await monitor.undo())?.message).toBe('Lamp is back on the list.');
    expect(parcel('RB1CN')).toMatchObject({ label: 'Lamp', archivedAt: null });
  });

  it('removes a parcel again, or adds it again with its history and without a second registration', async () => {
    const { monitor, clock, add, parcel, service } = await createWithEvents();
    const { id } = await add('RB1CN', { label: 'Lamp' });
    await clock.advance(hour / 60);
    const registrations = (): number => service.calls.filter(({ operation }) => operation === 'register').length;
    expect(registrations()).toBe(1);
    await monitor.undo();
    await monitor.redo();
    await clock.advance(hour / 60);
    expect(parcel('RB1CN')).toMatchObject({ registration: 'registered', checkpointCount: 1 });
    expect((await monitor.history(id)).checkpoints).toHaveLength(1);
    expect(registrations()).toBe(1);
    await monitor.remove(id);
    await monitor.undo();
    expect((await monitor.redo())?.message).toBe('Lamp is no longer on the list.');
    expect(monitor.getState()).toMatchObject({ parcels: [], undoable: 'removing Lamp', redoable: null });
    await monitor.stop();
  });

  it('is not possible after a further change, or after a deletion at the service', async () => {
    const { monitor, add } = await createHarness();
    const { id } = await add('RB1CN', { label: 'Lamp' });
    await monitor.archiveAll([id]);
    await monitor.undo();
    expect(monitor.getState().redoable).toBe('archiving Lamp');
    await monitor.edit(id, { note: 'asked' });
    expect(monitor.getState().redoable).toBeNull();
    expect(await monitor.redo()).toBeNull();
    await monitor.remove(id, { deletedAtService: true });
    await monitor.undo();
    expect(monitor.getState()).toMatchObject({ redoable: null, undoable: 'changing Lamp' });
  });

  it("keeps another process's later change", async () => {
    const store = createMemoryStore();
    const [mine, other] = [await createHarness({ store }), await createHarness({ store })];
    const { id } = await mine.add('RB1CN');
    await mine.monitor.edit(id, { label: 'Lamp', addTags: ['gift'] });
    await mine.monitor.undo();
    await other.monitor.load();
    await other.monitor.edit(id, { label: 'Theirs' });
    expect((await mine.monitor.redo())?.message).toMatch(/Later changes were kept/);
    expect(mine.parcel('RB1CN')).toMatchObject({ label: 'Theirs', tags: ['gift'] });
  });
});

describe('undoing "mark as read"', () => {
  /** Creates two parcels with unread events, and one without. */
  async function createUnread(): Promise<Harness & { readonly ids: readonly string[] }> {
    const harness = await createWithEvents();
    const { add, clock, service } = harness;
    const ids = [];
    for (const number of ['RB1CN', 'RB2CN']) ids.push((await add(number)).id);
    await clock.advance(hour / 60);
    service.reply = () => ({
      checkpoints: [checkpointOf('Sorted', '2026-11-19T10:00:00Z'), checkpointOf('Arrived', '2026-11-19T08:00:00Z')],
      nextUpdateTime: onServiceClock(clock.now() + hour),
    });
    await harness.monitor.refresh(ids);
    ids.push((await add('RB3CN')).id);
    return { ...harness, ids };
  }

  const unreadOf = ({ monitor }: Harness): readonly unknown[] => monitor.getState().parcels.map(({ unread }) => unread);

  it('restores all unread marks in one step', async () => {
    const harness = await createUnread();
    const { monitor, ids } = harness;
    const before = monitor.getState().parcels;
    expect(before.map(({ unread }) => unread !== undefined)).toEqual([true, true, false]);
    await monitor.archiveAll([ids[0] ?? '']);
    await monitor.markRead(ids, { undoable: true });
    expect(unreadOf(harness)).toEqual([undefined, undefined, undefined]);
    expect(monitor.getState().undoable).toBe('marking 2 parcels as read');
    expect(await monitor.undo()).toEqual({ message: '2 parcels are unread again.', parcelIds: [] });
    expect(unreadOf(harness)).toEqual(before.map(({ unread }) => unread));
    expect(monitor.getState().undoable).toBe('archiving RB1CN');
    expect((await monitor.redo())?.message).toBe('2 parcels are marked as read again.');
    expect(unreadOf(harness)).toEqual([undefined, undefined, undefined]);
    await monitor.stop();
  });

  it('keeps later updates unread', async () => {
    const harness = await createUnread();
    const { monitor, clock, ids, parcel, service } = harness;
    const [id = ''] = ids;
    const { unread } = parcel('RB1CN');
    await monitor.markRead([id], { undoable: true });
    service.reply = () => ({
      checkpoints: [checkpointOf('Delivered', '2026-11-19T11:00:00Z'), checkpointOf('Sorted', '2026-11-19T10:00:00Z')],
      nextUpdateTime: onServiceClock(clock.now() + hour),
    });
    await monitor.refresh([id]);
    expect(parcel('RB1CN').unread).toMatchObject({ lastRead: { detail: 'Sorted' } });
    expect((await monitor.undo())?.message).toBe('RB1CN is unread again.');
    expect(parcel('RB1CN').unread).toEqual(unread);
    await monitor.stop();
  });

  it('is not possible for parcels that the board marked as read on its own', async () => {
    const harness = await createUnread();
    const { monitor, ids } = harness;
    const { undoable } = monitor.getState();
    await monitor.markRead(ids);
    await monitor.markRead(ids, { undoable: true });
    expect(monitor.getState().undoable).toBe(undoable);
    await monitor.stop();
  });
});
