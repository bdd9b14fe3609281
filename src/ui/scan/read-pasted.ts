import { courierReader } from '../../board/courier/courier-check.ts';
import type { TextEntry } from '../../board/input/entered-text.ts';
import { scanNotes } from '../../board/scan/scan-notes.ts';
import { namesCourier, rowsBehind, rowsOfEntries, rowsOfScan, type ScanRow } from '../../board/scan/scan-row.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import { couriersSoon } from '../picker/couriers.ts';
import { changedScan, emptyScan, isChoosing, type OpenScan, type ScanBoard, showScan } from './state.ts';

const nothingFound = 'No tracking number was found in what was pasted.';

/** A list to which rows are added: the one that is open, or a new one. */
function openList({ scan, ui }: ScanBoard, stage: OpenScan['stage']): OpenScan {
  const isOpen = ui.overlay === 'scan' && isChoosing(scan);
  return { ...((isOpen ? ui.scan : null) ?? emptyScan), id: (ui.scan?.id ?? 0) + 1, stage };
}

/** Shows entries that are many before any of them is added. Names of couriers are looked up first. */
export function showEntries(board: ScanBoard, entries: readonly TextEntry[]): void {
  const show = (rows: readonly ScanRow[]): void => {
    const list = openList(board, { kind: 'choosing' });
    board.change(showScan({ ...list, rows: rowsBehind(list.rows, rows) }));
  };
  if (!entries.some(namesCourier)) {
    show(rowsOfEntries(entries));
    return;
  }
  inBackground(board, async () => {
    const couriers = await couriersSoon(board);
    show(rowsOfEntries(entries, courierReader({ couriers, stale: false })));
  });
}

/** A text that was pasted. */
export interface PastedText {
  readonly text: string;
  /** What the user should know of it, as sentences. */
  readonly notes: readonly string[];
  /** What is done when there is no number in it; answers what the user can do then, as a sentence, or null. */
  readonly otherwise: () => string | null;
}

/** Looks for numbers in a pasted text and shows them before any is added; behind those of a list that is open. */
export function scanPasted(board: ScanBoard, { text, notes, otherwise }: PastedText): void {
  const { change } = board;
  const controller = new AbortController();
  const list = openList(board, { kind: 'reading', stop: () => controller.abort() });
  const isNew = list.rows.length === 0 && board.foundAlready === undefined;
  change(showScan(list));
  const show = (rows: readonly ScanRow[], said: readonly string[]): void =>
    change(
      changedScan(list.id, () => ({
        stage: { kind: 'choosing' },
        rows: rowsBehind(list.rows, rows),
        index: rows.length === 0 ? list.index : list.rows.length,
        notes: said,
      })),
    );
  inBackground(board, async () => {
    try {
      const [{ scanText }, couriers] = await Promise.all([
        import('../../watchlist/scan/scan-text.ts'),
        couriersSoon(board),
      ]);
      const { signal } = controller;
      const found = await scanText(text, { couriers, signal });
      if (signal.aborted) return;
      if (found.numbers.length > 0) show(rowsOfScan(found), [...notes, ...scanNotes(found)]);
      else if (isNew) {
        change((ui) =>
          ui.scan?.id === list.id ? { ...(ui.overlay === 'scan' ? { overlay: null } : {}), scan: null } : {},
        );
        const advice = otherwise();
        showMessage(board, [nothingFound, ...notes].join(' '), advice === null ? {} : { advice });
      } else {
        show([], list.notes);
        showMessage(board, [nothingFound, ...notes].join(' '));
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      show([], []);
      throw error;
    }
  });
}
