import { describe, expect, test } from 'vitest';
import { type NewsGrouping, newsList, newsWindow } from '../../../src/board/news-list.ts';
import { cellWidth } from '../../../src/lib/cells.ts';
import type { News } from '../../../src/tui/board.ts';
import { newsOverlay } from '../../../src/tui/news/news.ts';
import { Pane } from '../../../src/tui/pane.tsx';
import { createEdit } from '../../../src/tui/text-edit.ts';
import { aChange } from '../../board/changes.ts';
import { aParcel, berlin, hour, minute, now } from '../../board/parcels.ts';
import { renderRows } from '../drawn.tsx';

const size = { width: 90, height: 10 };
const lamp = aParcel({ id: 'p30', trackNo: 'NO30', label: 'Desk lamp 📦 深圳' });
const log = Array.from({ length: 30 }, (_, at) => aChange(at + 1, (30 - at) * hour + minute));

/** Renders the news the way the board does. Changes after this sequence number are new. */
function paneRows(
  more: Partial<News> = {},
  after = 28,
  width = size.width,
  grouping: NewsGrouping = 'day',
): readonly string[] {
  const list = newsList(log, { mode: 'event', zone: berlin }, after, grouping);
  const selectedSeq = more.selectedSeq ?? 30;
  const window = newsWindow(list, selectedSeq, 0, size.height - 2);
  const news: News = { ...list, total: log.length, isLoading: false, problem: null, selectedSeq, window, ...more };
  const board = {
    news,
    viewing: { now, zone: berlin, phraseBook: null, usual: new Map<string, number>(), forecast: () => null },
    state: { parcels: [lamp] },
    ui: { newsAfter: after, newsFilter: createEdit(''), newsGrouping: grouping, timeMode: 'event' },
  } as const;
  const { lines, texts } = newsOverlay(board, { ...size, width });
  return renderRows(<Pane texts={texts} lines={lines} size={{ ...size, width }} isFocused />, width);
}

describe('the news pane', () => {
  test.each([30, 50, 90, 100])('fills its size exactly at a width of %i cells', (width) => {
    for (const grouping of ['day', 'parcel'] as const) {
      const rows = paneRows({}, 28, width, grouping);
      expect(rows).toHaveLength(10);
      for (const row of rows) expect(cellWidth(row)).toBe(width);
    }
  });

  test('keeps the selected change visible', () => {
    const rows = paneRows({ selectedSeq: 4 });
    expect(rows.filter((row) => row.includes('▌'))).toEqual([expect.stringContaining('NO4')]);
    expect(rows.at(-1)).toMatch(/ \d+–\d+ of 30 ─╯$/);
  });

  test.each([
    ['they are loading', { isLoading: true }, 'Loading the changes…'],
    ['there are none', {}, 'Nothing has happened yet.'],
    ['they cannot be read', { problem: 'The change log cannot be read.' }, 'The change log cannot be read.'],
  ])('shows a message instead of changes while %s', (_title, more, text) => {
    const rows = paneRows({ changes: [], rows: [], newCount: 0, total: 0, ...more }, 30);
    expect(rows[1]).toContain(text);
    expect(rows.at(-1)).toMatch(/^╰─+╯$/);
  });
});
