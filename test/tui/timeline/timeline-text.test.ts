import { expect, test } from 'vitest';
import { createPhraseBook } from '../../../src/board/phrase-book.ts';
import { lineText } from '../../../src/lib/cells.ts';
import { type TimelineView, timelineText } from '../../../src/tui/timeline/timeline.tsx';
import { aCheckpoint, ago, aParcel, berlin, day, now } from '../../board/parcels.ts';

const view: TimelineView = {
  timeMode: 'event',
  phraseBook: null,
  size: { width: 60, height: 30 },
  showsFacts: false,
  showsMap: false,
  now,
  zone: berlin,
  checking: new Set(),
  pause: null,
  usual: new Map<string, number>(),
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

test('a timeline whose history is still loading shows the last event', () => {
  const lastEvent = aCheckpoint();
  const detail = lastEvent.detail ?? '';
  expect(rows(aParcel({ lastEvent, checkpointCount: 3 }), null, view)).toContain(detail);
  expect(rows(aParcel({ lastEvent: null, checkpointCount: 3 }), null, view)).not.toContain('No events yet.');
});

test('a timeline without events shows a message', () => {
  const parcel = aParcel({ lastEvent: null, checkpointCount: 0 });
  expect(rows(parcel, null, view)).toContain('No events yet.');
  expect(rows(parcel, historyOf(), view)).toContain('No events yet.');
});

test('a history that cannot be read shows why', () => {
  expect(rows(aParcel(), { history: null, problem: 'The file is damaged.' }, view)).toContain('The file is damaged.');
});

test("events are translated with the phrase book, above the courier's own wording, or on the same line in a pane with few rows", () => {
  const history = historyOf(
    aCheckpoint({ detail: 'Die Sendung wurde in das Zustellfahrzeug geladen', subStatus: 'WAITING_DELIVERY_01' }),
    aCheckpoint({
      detail: 'Die Sendung wurde im Paketzentrum bearbeitet',
      subStatus: 'IN_TRANSIT_01',
      at: ago(2 * day),
    }),
    aCheckpoint({ detail: 'Onkel Otto bringt es', subStatus: 'IN_TRANSIT_01', at: ago(3 * day) }),
  );
  const english = { ...view, phraseBook: createPhraseBook({ 'Onkel * bringt es': 'Uncle * has it' }) };
  expect(rows(aParcel(), history, view)).not.toContain('Processed at the parcel centre');
  const text = rows(aParcel(), history, english);
  expect(text).toMatch(/▲ .* Out for delivery .*\n.*Die Sendung wurde in das/);
  expect(text).toMatch(/Processed at the parcel centre .*\n.*Die Sendung wurde im/);
  expect(text).toMatch(/Uncle Otto has it/);
  const compact = rows(aParcel(), history, { ...english, size: { width: 100, height: 8 } });
  expect(compact).toContain('Processed at the parcel centre · Die Sendung wurde im Paketzentrum');
});
