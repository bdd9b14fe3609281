import { canBeTaken, type JudgedRow } from '../../board/scan/judge-rows.ts';
import { changeRow, type ScanRow, withCourier, withForm, withLabel, withNumber } from '../../board/scan/scan-row.ts';
import { cutMiddle } from '../../board/text/cells.ts';
import { normaliseTrackNo } from '../../service/text/track-number.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import type { Move } from '../keys/movement.ts';
import { movedWithin } from '../pane/scroll.ts';
import { couriersSoon } from '../picker/couriers.ts';
import { openPicker } from '../picker/state.ts';
import { askText } from '../prompt/state.ts';
import { changedScan, type ScanBoard, type ShownScan, withRowEdited } from './state.ts';

/** Moves the selection. */
export const moveInScan: Move<ScanBoard> = ({ change, scan, scroll }, by) => {
  if (scan === null) return;
  const index = movedWithin(scan.index, by, scan.rows.length - 1);
  const overlayOffset = Math.min(Math.max(scroll.offset, index - scroll.rows + 1), index);
  change((ui) => ({ ...changedScan(scan.id, () => ({ index }))(ui), overlayOffset }));
};

/** Why a row cannot be taken, or a sentence that there is nothing to take. */
const whyNot = ({ parcel, remark, standing }: JudgedRow): string => {
  if (standing !== 'watched' || parcel === null) return remark ?? 'This number cannot be added.';
  return `${parcel.trackNo} is watched already.`;
};

/** Takes the selected number, or leaves it out, and goes on to the next. */
export function toggleSelected(board: ScanBoard): void {
  const { scan } = board;
  const row = scan?.selected;
  if (scan == null || row == null) return;
  if (!canBeTaken(row.standing)) {
    showMessage(board, whyNot(row));
    return;
  }
  board.change(withRowEdited(scan.id, row.key, (before) => ({ ...before, wanted: !row.isTaken })));
  moveInScan(board, 1);
}

/** The numbers that can be added without a doubt. */
const sureRows = ({ shown }: ShownScan): readonly JudgedRow[] =>
  shown.flatMap(({ row }) => (canBeTaken(row.standing) && row.remark === null ? [row] : []));

/** Whether all numbers that can be added without a doubt are taken. */
export const areAllTaken = (scan: ShownScan): boolean => sureRows(scan).every(({ isTaken }) => isTaken);

/** Takes all numbers that can be added without a doubt; when they are taken, leaves all out. */
export function toggleAll(board: ScanBoard): void {
  const { change, scan } = board;
  if (scan === null) return;
  const sure = sureRows(scan);
  const wantsAll = sure.some(({ isTaken }) => !isTaken);
  const sureKeys = new Set(sure.map(({ key }) => key));
  change(
    changedScan(scan.id, ({ rows: all }) => ({
      rows: all.map((row) => ({ ...row, wanted: wantsAll ? (sureKeys.has(row.key) ? true : row.wanted) : false })),
    })),
  );
}

const shortNumber = ({ trackNo }: ScanRow): string => cutMiddle(trackNo, 18);

/** Asks for another number in the place of the selected one. */
export function promptNumber(board: ScanBoard): void {
  withSelectedRow(board, (scan, row) => {
    askText(board, {
      name: 'number',
      placeholder: 'the tracking number',
      problemOf: (text) => {
        const check = normaliseTrackNo(text);
        return check.ok ? null : check.message;
      },
      accept: (text) => {
        board.change(withRowEdited(scan.id, row.key, (before) => withNumber(before, text)));
        learnForm(board, scan.id, row.key, text);
      },
      text: row.trackNo,
    });
  });
}

/** Finds out what the form of a number tells that was put into a row. */
function learnForm(board: ScanBoard, scanId: number, key: number, text: string): void {
  const check = normaliseTrackNo(text);
  if (!check.ok) return;
  inBackground(board, async () => {
    const [{ scanText }, couriers] = await Promise.all([
      import('../../watchlist/scan/scan-text.ts'),
      couriersSoon(board),
    ]);
    const scan = await scanText(check.trackNo, { couriers });
    board.change(changedScan(scanId, ({ rows }) => ({ rows: changeRow(rows, key, (row) => withForm(row, scan)) })));
  });
}

/** Asks for the label of the selected number. */
export function promptScanLabel(board: ScanBoard): void {
  withSelectedRow(board, (scan, row) => {
    askText(board, {
      name: `label of ${shortNumber(row)}`,
      placeholder: 'your own name for the parcel; empty for none',
      accept: (text) => board.change(withRowEdited(scan.id, row.key, (before) => withLabel(before, text))),
      text: row.label ?? '',
    });
  });
}

/** Opens the picker for the courier of the selected number. */
export function pickScanCourier(board: ScanBoard): void {
  withSelectedRow(board, (scan, { found, key }) => {
    const take = (courierCode: string): void =>
      board.change(withRowEdited(scan.id, key, (row) => withCourier(row, courierCode)));
    board.change(openPicker({ take, likely: found.candidates.flatMap(({ courierCode }) => courierCode ?? []) }));
  });
}

/** Lets the service find the courier of the selected number. */
export function forgetCourier(board: ScanBoard): void {
  withSelectedRow(board, (scan, row) =>
    board.change(withRowEdited(scan.id, row.key, (before) => withCourier(before, null))),
  );
}

function withSelectedRow({ scan }: ScanBoard, act: (scan: ShownScan, row: JudgedRow) => void): void {
  if (scan?.selected != null) act(scan, scan.selected);
}
