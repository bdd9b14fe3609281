import { type Clock, inTime } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { BoardServices } from '../board.ts';
import { KeptList } from '../list/kept-list.ts';
import { KeptRows } from '../list/kept-rows.ts';
import type { WindowSize } from '../terminal/window-size.ts';
import { HistoryCache } from '../timeline/history-cache.ts';
import { firstFrame } from './first-frame.ts';
import { type OpenedFrame, openedBoard, openedList } from './opened-board.ts';

/** What is drawn before Ink is loaded, which takes longer than all that comes before. */
export interface Opening extends OpenedFrame {
  /** Waits for the events of the selected parcel; null where they are there. */
  readonly untilWhole: (() => Promise<unknown>) | null;
  /** The rows of the first frame in a window; null where it has no room for a board. */
  rows(size: WindowSize): readonly string[] | null;
}

/** How long the first frame waits for the events of the selected parcel, in milliseconds; on a slow disk they come later. */
const historyPatienceMs = 100;

/**
 * Prepares the first frame, with the events of the selected parcel. Null where a conversation or a list of found numbers
 * stands in place of the panes, which Ink draws from the beginning.
 */
export async function prepareOpening(services: BoardServices): Promise<Opening | null> {
  const { clock, monitor } = services;
  const kept = new KeptList();
  const list = openedList(services, clock.now(), kept);
  if (list === null) return null;
  const histories = new HistoryCache(monitor);
  const { now, state } = list;
  const keptRows = new KeptRows();
  const untilWhole = list.selected === null ? null : await loadInTime(clock, histories, list.selected);
  return {
    untilWhole,
    seen: { news: state, now },
    histories,
    kept,
    keptRows,
    list,
    // A help that is open already is drawn by Ink.
    rows: (size) =>
      list.ui.overlay === null ? firstFrame(openedBoard(services, list, histories, size), { kept: keptRows }) : null,
  };
}

/**
 * Reads the events of a parcel, for as long as a first frame can wait for them. Answers what waits on; null when they are
 * there.
 */
export async function loadInTime(
  clock: Clock,
  histories: HistoryCache,
  parcel: Parcel,
): Promise<(() => Promise<unknown>) | null> {
  const loading = histories.load(parcel);
  return (await inTime(clock, historyPatienceMs, loading)) === null ? () => loading : null;
}
