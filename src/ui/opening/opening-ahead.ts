import type { DigestedList } from '../../board/digest/digested-list.ts';
import type { ListRow } from '../../board/list/list-rows.ts';
import { inGlyphs } from '../../board/text/stand-in.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { PollingState } from '../../watchlist/state/polling-state.ts';
import type { BoardServices } from '../board.ts';
import type { WindowSize } from '../terminal/window-size.ts';
import { HistoryCache } from '../timeline/history-cache.ts';
import { firstFrame } from './first-frame.ts';
import { listOf, openedBoard, openedState } from './opened-board.ts';
import { loadInTime } from './opening.ts';

/** What a board shows before its watchlist is read. */
export interface AheadOptions extends BoardServices {
  readonly digest: DigestedList;
  /** The instant for which the digest was asked. */
  readonly now: EpochMs;
  readonly polling: PollingState;
  readonly notices: readonly string[];
}

/**
 * The rows of the first frame of a long watchlist that is yet to be read, the same that the board draws when it is; null where
 * they cannot be told without reading it.
 */
export async function rowsAhead(options: AheadOptions, size: WindowSize): Promise<readonly string[] | null> {
  const { clock, digest, monitor, notices, now, polling } = options;
  const ui = openedState(options);
  const { order } = ui.sorting;
  const isUsual = order === 'urgency' && !ui.sorting.isReversed && ui.filter.text === '' && ui.listed === 'watched';
  if (!isUsual || ui.settingUp !== null || ui.overlay !== null) return null;
  const { arrangement, counts, needs, read, usual, whole } = digest;
  const list = listOf(arrangement, ui);
  // However the window lies about what is selected.
  const { row } = list.selection;
  const near = list.listed.rows.slice(Math.max(0, row - size.rows), row + size.rows);
  await read?.(near.flatMap((one) => (one.kind === 'parcel' ? one.parcel : [])));
  const selected = list.selected === null ? null : whole(list.selected);
  // The events of one that became another parcel are found by what the whole list says of it.
  if ((selected === null) !== (list.selected === null) || selected?.historyId !== undefined) return null;
  const histories = new HistoryCache(monitor);
  if (selected !== null) await loadInTime(clock, histories, selected);
  const state = { ...monitor.getState(), notices, polling };
  const opened = {
    ...list,
    all: arrangement,
    counted: counts,
    needs: () => needs,
    now,
    selected,
    state,
    ui,
    usual,
    zone: options.zone,
  };
  // Where it takes no time to have parcels read, none is said to be needed for the list.
  const services = read === undefined ? options : { ...options, badge: 'READING' as const };
  const board = openedBoard(services, opened, histories, size);
  const rows = board.list.rows.map((row): ListRow | null => {
    const parcel = row.kind === 'parcel' ? whole(row.parcel) : null;
    return row.kind === 'heading' ? row : parcel === null ? null : { ...row, parcel };
  });
  if (!rows.every((row) => row !== null)) return null;
  const frame = firstFrame({ ...board, list: { ...board.list, rows } });
  return frame?.map((row) => inGlyphs(row, options.glyphs)) ?? null;
}
