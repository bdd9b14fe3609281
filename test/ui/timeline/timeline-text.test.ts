import { describe, expect, test } from 'vitest';
import { TimelineTexts, type TimelineView } from '../../../src/ui/timeline/timeline-text.ts';
import { noUsualStillness } from '../../../src/watchlist/rules/usual-stillness.ts';
import { aCheckpoint, aParcel, berlin, now } from '../../board/parcels.ts';

const view: TimelineView = {
  timeMode: 'event',
  width: 60,
  now,
  zone: berlin,
  checking: new Set(),
  pause: null,
  usual: noUsualStillness,
  shownProblem: null,
  openedUnread: null,
};
const loaded = {
  parcelId: 'parcel-1',
  history: { version: 1, checkpoints: [aCheckpoint()], received: null },
  problem: null,
} as const;

describe('timelines that are kept', () => {
  test('are written once while nothing of them changes', () => {
    const texts = new TimelineTexts();
    const parcel = aParcel();
    const lines = texts.of(parcel, loaded, view);
    expect(lines).toEqual(new TimelineTexts().of(parcel, loaded, view));
    expect(texts.of(parcel, loaded, { ...view })).toBe(lines);
  });

  test('are written again for a new record, history, width, clock, time or state of polling', () => {
    const texts = new TimelineTexts();
    const parcel = aParcel();
    const lines = texts.of(parcel, loaded, view);
    expect(texts.of({ ...parcel }, loaded, view)).not.toBe(lines);
    for (const change of [
      { width: 50 },
      { timeMode: 'utc' },
      { now: now + 60_000 },
      { checking: new Set([parcel.id]) },
      { pause: 'paused' },
      { shownProblem: 'offline' },
    ] as const) {
      const before = texts.of(parcel, loaded, view);
      expect(texts.of(parcel, loaded, { ...view, ...change })).not.toBe(before);
    }
    const before = texts.of(parcel, loaded, view);
    expect(texts.of(parcel, null, view)).not.toBe(before);
  });

  test('are bounded: the oldest is forgotten', () => {
    const texts = new TimelineTexts();
    const parcels = Array.from({ length: 9 }, (_, n) => aParcel({ id: `p${n}` }));
    const lines = parcels.map((parcel) => texts.of(parcel, null, view));
    const [first, ...others] = parcels;
    for (const [index, parcel] of others.entries()) expect(texts.of(parcel, null, view)).toBe(lines[index + 1]);
    if (first !== undefined) expect(texts.of(first, null, view)).not.toBe(lines[0]);
  });
});
