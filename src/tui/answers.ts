import { useMemo } from 'react';
import { type Arrivals, arrivalLines, groupArrivals } from '../board/arrivals.ts';
import { computeStatistics, type Statistics, statisticsLines } from '../board/statistics.ts';
import { lineText } from '../lib/cells.ts';
import { counted } from '../lib/text.ts';
import type { Board, Choice, OverlayContent } from './board.ts';
import { inBackground, showMessage } from './footer.ts';
import { closeKey, openHelp, overlayBelowHelp, showOverlay } from './help/keys.ts';
import { type Binding, type KeyGroup, type Move, movement, movementKeys } from './keys/binding.ts';
import { moveWithin, type PaneSize, scrollWithin } from './layout.ts';
import { createEdit } from './text-edit.ts';
import type { UiState } from './ui-state.ts';

/** Computes what the open overlay shows, whenever the list or the time changes. */
export function useReports(
  ui: UiState,
  parcels: Board['state']['parcels'],
  viewing: Board['viewing'],
): Pick<Board, 'arrivals' | 'statistics'> {
  const open = overlayBelowHelp(ui);
  return useMemo(() => {
    const { now, zone } = viewing;
    const statisticsOptions = { by: 'courier', since: null, now, zone } as const;
    return {
      arrivals: open === 'arrivals' ? groupArrivals(parcels, viewing) : null,
      statistics: open === 'statistics' ? computeStatistics(parcels, statisticsOptions) : null,
    };
  }, [open, parcels, viewing]);
}

type ReportSource = Pick<Board, 'change' | 'glyphs' | 'ui' | 'viewing'>;

export function arrivalsOverlay(arrivals: Arrivals, board: ReportSource, size: PaneSize): OverlayContent {
  return {
    texts: { title: 'Expected deliveries', status: `━ promised, ─ likely · ${arrivals.dated} with a date` },
    choices: arrivals.days.map((_, index) => rowChoice(board, index, index)),
    lines: arrivalLines(arrivals, { ...board.viewing, ...size, chosen: board.ui.overlayRow }),
    scroll: scrollWithin(0, 0, size.height),
  };
}

export function statisticsOverlay(statistics: Statistics, board: ReportSource, size: PaneSize): OverlayContent {
  const { delivered, parcels } = statistics.all;
  const { lineOf, lines } = statisticsLines(statistics, { ...size, chosen: board.ui.overlayRow, glyphs: board.glyphs });
  return {
    texts: { title: 'Couriers', status: `${delivered} of ${parcels} delivered` },
    choices: statistics.rows.map((_, index) => rowChoice(board, index, lineOf(index))),
    lines,
    scroll: scrollWithin(0, 0, size.height),
  };
}

/** @param line the line of the entry, or null if it is not visible */
const rowChoice = ({ change }: ReportSource, index: number, line: number | null): Choice => ({
  from: line ?? 0,
  to: line === null ? 0 : line + 1,
  disabledReason: null,
  run: () => change({ overlayRow: index }),
});

const showFiltered = ({ change }: Board, filter: string): void =>
  change({ ...showOverlay(null), listed: 'watched', filter: createEdit(filter), focus: 'list', selectedIndex: 0 });

export const openArrivals: Binding = {
  id: 'arrivals',
  keys: ['w'],
  description: 'Expected deliveries',
  synonyms: ['calendar', 'expected', 'due'],
  run: ({ change }) => change({ ...showOverlay('arrivals'), overlayRow: 1 }),
};

export const openStatistics: Binding = {
  id: 'statistics',
  keys: ['%'],
  description: 'Statistics by courier',
  synonyms: ['stats', 'slow'],
  run: ({ change }) => change({ ...showOverlay('statistics'), overlayRow: 0 }),
};

const moveDay: Move = ({ arrivals, change, ui }, by) =>
  change({ overlayRow: moveWithin(ui.overlayRow, by, (arrivals?.days.length ?? 1) - 1) });

const chosenDay = ({ arrivals, ui }: Board) => arrivals?.days[ui.overlayRow] ?? null;

/** Exports promised deliveries only, because a calendar cannot mark forecasts as such. */
function exportDay(board: Board): void {
  const day = chosenDay(board);
  const { writeCalendar } = board;
  if (day === null || writeCalendar === undefined) return;
  inBackground(board, async () => {
    const path = await writeCalendar(day.promised, day.title);
    showMessage(board, `Saved ${counted(day.promised.length, 'parcel')} to ${path}.`);
  });
}

export const arrivalsKeys: KeyGroup = {
  context: 'arrivals',
  title: 'Expected deliveries',
  isClosed: true,
  bindings: [
    { id: 'next-day', keys: ['right', 'l'], hint: 'day', description: 'Next day', ...movement('down', moveDay) },
    { id: 'previous-day', keys: ['left', 'h'], description: 'Previous day', ...movement('up', moveDay) },
    ...movementKeys(moveDay),
    {
      id: 'open',
      keys: ['enter'],
      hint: 'list',
      description: "List the day's parcels",
      alwaysShown: true,
      run: (board) => {
        const day = chosenDay(board);
        if (day !== null) showFiltered(board, day.filter);
      },
    },
    {
      id: 'export-day',
      keys: ['e'],
      hint: 'export',
      description: "Save the day's promised parcels as a calendar file",
      synonyms: ['ics'],
      disabled: (board) => {
        if (board.writeCalendar === undefined) return 'Files cannot be saved in the demo.';
        return (chosenDay(board)?.promised.length ?? 0) === 0 ? 'No courier promised a delivery on this day.' : null;
      },
      run: exportDay,
    },
    openHelp,
    closeKey(['escape', 'w', 'q'], 'Close the expected deliveries'),
  ],
};

const moveCourier: Move = ({ change, statistics, ui }, by) =>
  change({ overlayRow: moveWithin(ui.overlayRow, by, (statistics?.rows.length ?? 1) - 1) });

function showCourier(board: Board): void {
  const row = board.statistics?.rows[board.ui.overlayRow];
  if (row === undefined) return;
  const { name } = row;
  showFiltered(board, name === null ? 'no:courier' : `courier:"${name.replaceAll('"', '')}"`);
}

function copyStatistics(board: Board): void {
  const text = (board.overlay?.lines ?? []).map((line) => lineText(line).trimEnd()).join('\n');
  inBackground(board, async () => {
    const copiedTo = await board.copyText(text);
    showMessage(board, copiedTo === 'none' ? 'The text is too long for the clipboard.' : 'Copied the statistics.');
  });
}

export const statisticsKeys: KeyGroup = {
  context: 'statistics',
  title: 'Statistics',
  isClosed: true,
  bindings: [
    ...movementKeys(moveCourier),
    {
      id: 'open',
      keys: ['enter'],
      hint: 'its parcels',
      description: "List the courier's parcels",
      alwaysShown: true,
      run: showCourier,
    },
    { id: 'copy', keys: ['y'], hint: 'copy', description: 'Copy the statistics', run: copyStatistics },
    openHelp,
    closeKey(['escape', '%', 'q'], 'Close the statistics'),
  ],
};
