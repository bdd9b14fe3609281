import { expect, test } from 'vitest';
import { lineText } from '../../../src/lib/cells.ts';
import { noUsualStillness } from '../../../src/parcels/stillness.ts';
import { type TimelineView, timelineText } from '../../../src/tui/timeline/timeline.tsx';
import { aCheckpoint, aParcel, berlin, now } from '../../board/parcels.ts';

const view: TimelineView = {
  timeMode: 'event',
  size: { width: 60, height: 30 },
  showsFacts: false,
  showsMap: false,
  now,
  zone: berlin,
  checking: new Set(),
  pause: null,
  usual: noUsualStillness,
  forecast: () => null,
  shownProblem: null,
  openedUnread: null,
};

const rows = (...input: Parameters<typeof timelineText>): string =>
  timelineText(...input)
    .map(lineText)
    .join('\n');
const historyOf = (...checkpoints: readonly ReturnType<typeof aCheckpoint>[]) =>
  ({ history: { version: 1, checkpoints, received: null }, problem: null }) as const;

test('a timeline whose history is not read yet shows the last event, and does not claim that there is none', () => {
  const lastEvent = aCheckpoint();
  const detail = lastEvent.detail ?? '';
  expect(rows(aParcel({ lastEvent, checkpointCount: 3 }), null, view)).toContain(detail);
  expect(rows(aParcel({ lastEvent: null, checkpointCount: 3 }), null, view)).not.toContain('No events yet.');
});

test('a timeline without events says so', () => {
  const parcel = aParcel({ lastEvent: null, checkpointCount: 0 });
  expect(rows(parcel, null, view)).toContain('No events yet.');
  expect(rows(parcel, historyOf(), view)).toContain('No events yet.');
});

test('a history that cannot be read says why', () => {
  expect(rows(aParcel(), { history: null, problem: 'The file is damaged.' }, view)).toContain('The file is damaged.');
});
