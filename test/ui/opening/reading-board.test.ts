import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type DigestedList, digestedList } from '../../../src/board/digest/digested-list.ts';
import { makeDigest } from '../../../src/board/digest/make-digest.ts';
import { createEarlyHandling } from '../../../src/ui/opening/early-handling.ts';
import { openAhead } from '../../../src/ui/opening/opening-ahead.ts';
import type { AheadOptions, ReadingBoard } from '../../../src/ui/opening/reading-board.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { firstView, type KeptView } from '../../../src/watchlist/state/view-memory.ts';
import { berlin, hour, inStatus, now } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeMonitor } from '../../support/fake-monitor.ts';
import { idleServices } from './idle-services.ts';

const size = { columns: 100, rows: 30 };

/** All on their way, the first of the list first. */
const many: readonly Parcel[] = Array.from({ length: 300 }, (_, index) => ({
  ...inStatus(`parcel-${index}`, 'IN_TRANSIT', 'IN_TRANSIT_02', (index + 1) * hour),
  label: `Order ${index}`,
}));

/** A board whose list is being read; a read of rows waits until it is let through. */
async function openBoard(view: Partial<KeptView> = {}) {
  const made = await makeDigest({
    parcels: many,
    places: many.map((_, index) => index),
    now,
    zone: berlin,
    checks: { register: [], query: [], plausibleFrom: 0 },
    pause: async () => undefined,
  });
  const digest = digestedList(made, now, berlin, (place) => many[place] ?? null);
  if (digest === null) throw new Error('The digest says nothing.');
  const found = new Set<string>();
  const reads: { readonly ids: readonly string[]; let: () => void }[] = [];
  let isHeld = false;
  const shown: DigestedList = {
    ...digest,
    whole: (outline) => (found.has(outline.id) ? digest.whole(outline) : null),
    read: async (outlines) => {
      const ids = outlines.map(({ id }) => id);
      if (isHeld) await new Promise<void>((resolve) => reads.push({ ids, let: resolve }));
      for (const id of ids) found.add(id);
    },
  };
  const monitor = createFakeMonitor([]);
  const { notices, polling } = monitor.getState();
  const options: AheadOptions = {
    ...idleServices({ monitor, colour: false, view: { ...firstView, ...view } }),
    digest: shown,
    now,
    polling,
    notices,
  };
  const opened = await openAhead(options, size);
  if (opened === null) throw new Error('There is no frame.');
  const { board } = opened;
  const left: unknown[] = [];
  board.begin({
    ...createEarlyHandling({ redraw: () => undefined, quit: (reason) => left.push(reason ?? 'quit') }),
    draw: () => undefined,
  });
  isHeld = true;
  return { board, left, reads, text: () => rowsOf(board).join('\n') };
}

const rowsOf = (board: ReadingBoard): readonly string[] =>
  board.frame()?.map((row) => stripVTControlCharacters(row)) ?? [];

const selectedRow = (board: ReadingBoard): string => rowsOf(board).find((row) => /^│?▌/.test(row)) ?? '';

const press = (board: ReadingBoard, keys: readonly string[]): void => {
  for (const key of keys) board.press(key, 1);
};

describe('a board whose list is being read', () => {
  test('moves at once, and reads what comes into sight with what one comes to next', async () => {
    const { board, reads } = await openBoard();
    expect(selectedRow(board)).toContain('Order 0 ');
    press(board, ['j', '\u001b[B', 'k']);
    expect(selectedRow(board)).toContain('Order 1 ');
    press(board, ['G']);
    expect(selectedRow(board)).toMatch(/▌ ▸ … /);
    expect(board.frame()?.[0]).toContain('READING');
    reads[0]?.let();
    await eventually(() => expect(reads[1]?.ids).toContain('parcel-299'));
    expect(reads[1]?.ids.length).toBeLessThan(3 * size.rows);
    reads[1]?.let();
    await eventually(() => expect(selectedRow(board)).toContain('Order 299 '));
  });

  test('asks for rows once, whatever is pressed while they come', async () => {
    const { board, reads } = await openBoard();
    press(board, ['G', 'g', '\u001b[6~', '\u001b[6~', '\u001b[6~']);
    expect(reads).toHaveLength(1);
    reads[0]?.let();
    await eventually(() => expect(reads).toHaveLength(2));
    reads[1]?.let();
    await eventually(() => expect(rowsOf(board).join('\n')).not.toContain('▸ …'));
    const asked = reads.flatMap(({ ids }) => ids);
    expect(new Set(asked).size).toBe(asked.length);
  });

  test('opens the help, searches it and says of what needs the list that it waits', async () => {
    const { board, left, text } = await openBoard();
    press(board, ['?']);
    expect(text()).toContain('what you want to do');
    press(board, ['a', 'd', 'd']);
    expect(text()).toContain('The list is still being read.');
    press(board, ['\u001b[27u', '\u001b[27u', 'j']);
    expect(selectedRow(board)).toContain('Order 1 ');
    press(board, ['q']);
    expect(left).toEqual(['quit']);
  });

  test('keeps what needs the list, and all that is pressed behind it, in order', async () => {
    const { board, text } = await openBoard();
    press(board, ['j', '/', 'l', 'j', 'q', '\r']);
    expect(text()).toContain('The list is still being read.');
    expect(selectedRow(board)).toContain('Order 1 ');
    const { kept, seen } = board.end();
    expect(kept).toEqual(['/', 'l', 'j', 'q', '\r']);
    expect(seen).toMatchObject({ ui: { message: null, selectedId: 'parcel-1' } });
  });

  test('leaves the selection to the list where nobody has pressed anything', async () => {
    const { board } = await openBoard({ selectedId: 'gone' });
    expect(board.end().seen.ui.selectedId).toBe('gone');
  });

  test('fits another window', async () => {
    const { board } = await openBoard();
    for (const [columns, rows] of [
      [160, 50],
      [40, 12],
      [80, 24],
    ] as const) {
      board.resize({ columns, rows });
      expect(board.frame()).toHaveLength(rows);
    }
    board.resize({ columns: 20, rows: 5 });
    expect(board.frame()).toBeNull();
  });
});
