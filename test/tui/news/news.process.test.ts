import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/parcels/change.ts';
import { firstView, type SavedView } from '../../../src/store/saved-view.ts';
import { aChange, inStage } from '../../board/changes.ts';
import { ago, day, hour, inStatus, minute } from '../../board/parcels.ts';
import { selectedRow } from '../../pty/board-screen.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

interface WithSavedViews {
  readonly savedViews: Partial<SavedView>[];
}

async function start(
  changes: readonly Change[],
  view: Partial<SavedView> = {},
  size: readonly [number, number] = [120, 30],
): Promise<RunningBoard & WithSavedViews> {
  const savedViews: Partial<SavedView>[] = [];
  const parcels = [
    ...Array.from({ length: 3 }, (_, n) => inStatus(`a${n}`, 'IN_TRANSIT', null, n * hour)),
    { ...inStatus('lamp', 'DELIVERED', 'DELIVERED_01', day), label: 'Lamp' },
  ];
  const board = await startBoard(parcels, {
    size,
    board: { view: { ...firstView, ...view }, keepView: (changed) => void savedViews.push(changed) },
    changes,
  });
  return { ...board, savedViews };
}

const log = [
  aChange(1, 2 * day, { parcelId: 'gone', label: 'Old kettle', message: 'In transit' }),
  aChange(2, 2 * hour, { parcelId: 'lamp', ...inStage('delivered', 'DELIVERED'), message: 'Delivered' }),
  aChange(3, hour, { parcelId: 'a1', message: 'In transit - Departed' }),
];

describe('n', () => {
  test('opens the news, newest first, and Escape closes it', async () => {
    const { screen } = await start(log);
    const text = await screen.type('n').waitForText('1–3 of 3');
    const positionOf = (part: string): number => text.indexOf(part);
    expect(positionOf('Sat 21 Nov')).toBeGreaterThan(0);
    expect(positionOf('In transit - Departed')).toBeGreaterThan(positionOf('Sat 21 Nov'));
    expect(positionOf('Delivered')).toBeGreaterThan(positionOf('In transit - Departed'));
    expect(positionOf('Thu 19 Nov')).toBeGreaterThan(positionOf('Delivered'));
    expect(positionOf('Old kettle')).toBeGreaterThan(positionOf('Thu 19 Nov'));
    await screen.type('\u001b').waitForText('⏎ timeline');
  });

  test('shows the newest changes while the older ones load', async () => {
    const changes = Array.from({ length: 20_000 }, (_, index) => aChange(index + 1, (20_000 - index) * minute));
    const board = await start(changes);
    const allChanges = Promise.withResolvers<readonly Change[]>();
    const { changesAfter } = board.monitor;
    board.monitor.changesAfter = (seq) => (seq === 0 ? allChanges.promise : changesAfter(seq));
    await board.screen.type('n').waitForText('of 500, loading…');
    allChanges.resolve(changes);
    await board.screen.waitForText('of 20000 ');
    await board.screen
      .type('G')
      .waitFor((text) => /19\d+–20000 of 20000/.test(text) && selectedRow(text).includes('NO1 '), 'the oldest');
    await board.screen.type('g').waitFor((text) => selectedRow(text).includes('NO20000'), 'the newest');
  });
});

describe('the news', () => {
  test('adds new changes while open, and keeps a selection that was moved', async () => {
    const { monitor, screen } = await start(log);
    await screen.type('n').waitForText('1–3 of 3');
    await screen.type('j').waitFor((text) => selectedRow(text).includes('Lamp'), 'the second selected');
    monitor.writeChanges(aChange(4, 0, { parcelId: 'a2', message: 'Out for delivery' }));
    const text = await screen.waitForText('of 4');
    expect(selectedRow(text)).toContain('Lamp');
    expect(text.indexOf('Out for delivery')).toBeLessThan(text.indexOf('Departed'));
  });

  test('separates changes since the last visit from earlier ones, even after a restart', async () => {
    const { savedViews, monitor, screen } = await start(log, { newsSeq: 2 });
    const text = await screen.type('n').waitForText('News · 1 since your last visit');
    expect(text).not.toContain('•');
    const positionOf = (part: string): number => text.indexOf(part);
    expect(positionOf('In transit - Departed')).toBeLessThan(positionOf('── earlier ─'));
    expect(positionOf('── earlier ─')).toBeLessThan(positionOf('Delivered'));
    await screen.waitFor(() => savedViews.some(({ newsSeq }) => newsSeq === 3), 'that the changes were saved as seen');
    await screen.type('\u001b').waitForText('⏎ timeline');
    monitor.writeChanges(aChange(4, 0), aChange(5, 0));
    await screen.type('n').waitForText('News · 2 since your last visit');
  });

  test('at first counts the changes since the user last saw the board', async () => {
    const { screen } = await start(log, { seen: { seq: 1, at: Date.parse(ago(day)) } });
    await screen.type('n').waitForText('News · 2 since your last visit');
  });
});

async function typeFilter(screen: RunningBoard['screen'], text: string): Promise<void> {
  await screen.type('n').waitForText('1–3 of 3');
  await screen.type('/').waitForText('filter ▸');
  screen.type(text);
}

describe('/', () => {
  test("filters the news with the list's terms, and Escape removes the filter first", async () => {
    const { screen } = await start(log);
    await typeFilter(screen, 'stage:deliv');
    await screen.waitForText('1–1 of 1 · 3 in all');
    const text = await screen.type('\r').waitForText('News · “stage:deliv” · 1 since');
    expect(text).toContain('Lamp');
    expect(text).not.toContain('Old kettle');
    await screen.type('\u001b').waitForText('1–3 of 3');
    await screen.type('\u001b').waitForText('⏎ timeline');
  });

  test('finds words in changes, even those of parcels that are gone', async () => {
    const { screen } = await start(log);
    await typeFilter(screen, 'kettle');
    const text = await screen.waitForText('1–1 of 1 · 3 in all');
    expect(text).toContain('Old kettle');
    await screen.type(' nothing').waitForText('No change matches. Press Esc to clear the filter.');
    await screen.type('\u001b').waitForText('1–3 of 3');
  });

  test('names an unknown term, as the list does', async () => {
    const { screen } = await start(log);
    await typeFilter(screen, 'colour:red');
    await screen.type('\r').waitForText('Unknown filter "colour:"');
    await screen.type('\u001b').waitForText('1–3 of 3');
  });

  test('keeps its filter while the user looks at a parcel', async () => {
    const { screen } = await start(log);
    await typeFilter(screen, 'lamp');
    await screen.type('\r').waitForText('News · “lamp”');
    await screen.waitForText('s by parcel');
    await screen
      .type('\r')
      .waitFor((text) => selectedRow(text).includes('Lamp') && text.includes('⏎ timeline'), 'the lamp');
    await screen.type('n').waitForText('News · “lamp”');
  });
});

test('s groups the news by parcel, and then by day again', async () => {
  const { screen } = await start([...log, aChange(4, 0, { parcelId: 'lamp', message: 'Signed by Nowak' })]);
  await screen.type('n').waitForText('s by parcel');
  const text = await screen.type('s').waitForText('s by day');
  const rows = text.split('\n');
  const at = rows.findIndex((row) => /^│ Lamp +2 │$/.test(row));
  expect(rows[at + 1]).toMatch(/▌. 21 Nov 13:42 +Signed by Nowak/);
  expect(rows[at + 2]).toMatch(/21 Nov 11:42 +Delivered/);
  await screen
    .type('j')
    .waitFor((shown) => selectedRow(shown).includes('Delivered'), 'the next change of the same parcel');
  await screen.type('s').waitForText('s by parcel');
});

describe('Enter', () => {
  test('goes to the parcel, even if a filter hides it', async () => {
    const { screen } = await start(log, { filter: 'noa' });
    await screen.waitForText('“noa”');
    await screen.type('n').waitForText('1–3 of 3');
    const text = await screen
      .type('j\r')
      .waitFor((shown) => shown.includes('⏎ timeline') && selectedRow(shown).includes('Lamp'), 'the lamp in the list');
    expect(text).not.toContain('“noa”');
  });

  test('goes to an archived parcel in the archive', async () => {
    const { monitor, screen } = await start(log);
    monitor.change('a1', { archivedAt: ago(minute) });
    await screen.type('n').waitForText('1–3 of 3');
    await screen
      .type('\r')
      .waitFor(
        (shown) => shown.includes('Archive · ') && selectedRow(shown).includes('NOa1'),
        'the parcel in the archive',
      );
  });

  test('shows a message if the parcel is no longer on the list', async () => {
    const { screen } = await start(log);
    await screen.type('n').waitForText('1–3 of 3');
    await screen.type('G\r').waitForText('Old kettle is no longer on the list.');
  });
});
