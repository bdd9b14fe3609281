import { describe, expect, it } from 'vitest';
import type { View } from '../../src/board/views.ts';
import { buildNotification, notableChanges } from '../../src/notify/notification.ts';
import { viewPreferences } from '../../src/notify/notifier.ts';
import type { Change } from '../../src/parcels/change.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { snoozeParcel } from '../../src/parcels/snooze.ts';
import type { Stage } from '../../src/service/status.ts';
import { ago, aParcel, berlin, day, minute, now } from '../board/parcels.ts';
import { aChange } from './changes.ts';

const stages: ReadonlySet<Stage> = new Set<Stage>(['attention', 'delivered']);
const parcels = [1, 2, 3].map((number) => aParcel({ id: `p${number}` }));
const notable = (...changes: readonly Change[]): readonly number[] =>
  notableChanges(changes, stages, parcels, { now }).map(({ seq }) => seq);

describe('notableChanges', () => {
  it('includes a new status in one of the stages', () => {
    expect(notable(aChange(1, 'delivered'), aChange(2, 'in-transit'), aChange(3, 'attention'))).toEqual([1, 3]);
  });

  it('includes a rejection, since it needs attention', () => {
    expect(notable(aChange(1, 'unknown', { change: 'rejected', to: { state: 'rejected' } }))).toEqual([1]);
  });

  it.each([
    'added',
    'removed',
    'archived',
    'restored',
    'registered',
    'courier',
    'event',
    'trouble',
    'recovered',
  ] as const)('excludes changes of the kind "%s"', (change) => {
    expect(notable(aChange(1, 'delivered', { change }))).toEqual([]);
  });

  it('follows the first view that contains the parcel, regardless of stages and tags', () => {
    const views = [
      { name: 'All' },
      { name: 'Quiet', filter: 'tag:quiet', notify: false },
      { name: 'VIP', filter: 'tag:vip', notify: true },
    ];
    const tagged = [['vip'], ['quiet', 'vip'], []].map((tags, at) => aParcel({ id: `p${at + 1}`, tags }));
    const seqs = (ordered: readonly View[], ...changes: readonly Change[]): readonly number[] => {
      const viewPreference = viewPreferences(ordered, tagged, { now, zone: berlin });
      return notableChanges(changes, stages, tagged, { now, tags: ['vip'], viewPreference }).map(({ seq }) => seq);
    };
    expect(seqs(views, aChange(1, 'in-transit'), aChange(2, 'attention'), aChange(3, 'delivered'))).toEqual([1, 3]);
    expect(seqs(views.toReversed(), aChange(2, 'attention'))).toEqual([2]);
    expect(seqs([{ name: 'All', notify: false }], aChange(1, 'delivered'), aChange(3, 'delivered'))).toEqual([]);
  });

  it('excludes changes to removed and archived parcels', () => {
    expect(notable(aChange(4, 'delivered'))).toEqual([]);
    const archived = [aParcel({ id: 'p1', archivedAt: ago(0) })];
    expect(notableChanges([aChange(1, 'delivered')], stages, archived, { now })).toEqual([]);
  });

  it('excludes changes to a snoozed parcel, except the change that ends the snooze', () => {
    const change = aChange(1, 'attention');
    const notified = (until: number | null, fields: Partial<Parcel>) =>
      notableChanges([change], stages, [{ ...snoozeParcel(parcels[0] as Parcel, until), ...fields }], { now });
    const news = { unread: { since: ago(0), lastRead: null } };
    expect(notified(now + day, news)).toEqual([]);
    expect(notified(null, news)).toEqual([change]);
    expect(notified(now - minute, news)).toEqual([change]);
  });

  it('excludes only the first result of a new parcel', () => {
    const first = aChange(1, 'delivered', { from: { stage: 'no-record', status: null, subStatus: null } });
    const addedAgo = (milliseconds: number) => [aParcel({ id: 'p1', addedAt: ago(milliseconds) })];
    expect(notableChanges([first], stages, addedAgo(5 * minute), { now })).toEqual([]);
    expect(notableChanges([first], stages, addedAgo(60 * minute), { now })).toEqual([first]);
  });
});

describe('a notification', () => {
  const byDaytime = { inQuietHours: false };

  it('names the parcel and gives the message of a single change', () => {
    const change = aChange(1, 'delivered', { label: 'Lamp', message: 'Delivered - Left with a neighbour' });
    expect(buildNotification([change], byDaytime)).toEqual({
      title: 'Lamp',
      lines: ['Delivered - Left with a neighbour'],
    });
    expect(buildNotification([aChange(2, 'delivered')], byDaytime).title).toBe('RB2CN');
  });

  it('lists up to three changes', () => {
    const changes = [aChange(1, 'delivered', { label: 'Lamp' }), aChange(2, 'attention')];
    expect(buildNotification(changes, byDaytime)).toEqual({
      title: '2 changes',
      lines: ['Lamp: It moved', 'RB2CN: It moved'],
    });
  });

  it("summarises more than three changes by each parcel's current state, most urgent first", () => {
    const changes = [
      ...[1, 2, 3].map((seq) => aChange(seq, 'delivered')),
      aChange(4, 'out-for-delivery', { parcelId: 'x' }),
      aChange(5, 'attention', { parcelId: 'x' }),
    ];
    expect(buildNotification(changes, byDaytime)).toEqual({
      title: '5 changes',
      lines: ['1 needs attention, 3 delivered'],
    });
  });

  it('mentions quiet hours, even for a single change', () => {
    expect(buildNotification([aChange(1, 'delivered')], { inQuietHours: true })).toEqual({
      title: '1 change in quiet hours',
      lines: ['RB1CN: It moved'],
    });
  });

  it('is short enough for a popup', () => {
    const { title, lines } = buildNotification(
      [aChange(1, 'delivered', { label: '𝕏'.repeat(500), message: 'y'.repeat(2000) })],
      byDaytime,
    );
    expect(title).toBe(`${'𝕏'.repeat(59)}…`);
    expect(lines[0]).toHaveLength(200);
  });
});
