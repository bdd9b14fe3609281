import { completionsAt } from '../../board/input/completions.ts';
import { canBeSelected, type JudgedRow } from '../../board/scan/judge-rows.ts';
import { type ScanRow, withCourier, withLabel, withNumber, withScanResult } from '../../board/scan/scan-row.ts';
import { cutMiddle } from '../../lib/cells.ts';
import { normaliseTrackNo, trackNoForm } from '../../lib/track-number.ts';
import type { Board, ShownScan } from '../board.ts';
import { openPicker, waitForCouriers } from '../courier-picker.ts';
import { inBackground, showMessage } from '../footer.ts';
import { openHelp } from '../help/keys.ts';
import { type Binding, type KeyGroup, type Move, movementKeys } from '../keys/binding.ts';
import { moveWithin } from '../layout.ts';
import { askText } from '../prompt.ts';
import { addFound, closeScan, scanPasted } from './add-found.ts';
import { changeScan, editRow, isChoosing, showScan } from './found-numbers.ts';

const moveInScan: Move = ({ change, scan, scroll }, by) => {
  if (scan === null) return;
  const index = moveWithin(scan.index, by, scan.rows.length - 1);
  const overlayOffset = Math.min(Math.max(scroll.offset, index - scroll.rows + 1), index);
  change((ui) => ({ ...changeScan(scan.id, () => ({ index }))(ui), overlayOffset }));
};

function toggleSelected(board: Board): void {
  actOnSelectedRow(board, ({ id }, { isSelected, key, parcel, remark, state }) => {
    if (canBeSelected(state)) {
      board.change(editRow(id, key, (row) => ({ ...row, choice: !isSelected })));
      moveInScan(board, 1);
    } else if (state === 'watched' && parcel !== null) showMessage(board, `${parcel.trackNo} is already on the list.`);
    else showMessage(board, remark ?? 'This number cannot be added.');
  });
}

const certainRows = ({ displayRows }: ShownScan): readonly JudgedRow[] =>
  displayRows.flatMap(({ row }) => (canBeSelected(row.state) && row.remark === null ? [row] : []));

const areAllChosen = (scan: ShownScan): boolean => certainRows(scan).every(({ isSelected }) => isSelected);

function toggleAll({ change, scan }: Board): void {
  if (scan === null) return;
  const certainKeys = new Set(areAllChosen(scan) ? [] : certainRows(scan).map(({ key }) => key));
  const toggleChoice = ({ key, choice }: ScanRow): boolean | null =>
    certainKeys.size > 0 && (certainKeys.has(key) || choice);
  change(changeScan(scan.id, ({ rows }) => ({ rows: rows.map((row) => ({ ...row, choice: toggleChoice(row) })) })));
}

function promptNumber(board: Board): void {
  actOnSelectedRow(board, ({ id }, { key, trackNo }) => {
    askText(board, {
      name: 'number',
      placeholder: 'the tracking number',
      validate: (text) => {
        const check = normaliseTrackNo(text);
        return check.ok ? null : check.message;
      },
      accept: (text) => {
        board.change(editRow(id, key, (row) => withNumber(row, text)));
        inBackground(board, async () => {
          const [{ scanText }, couriers] = await Promise.all([
            import('../../scan/scan-text.ts'),
            waitForCouriers(board),
          ]);
          const scan = await scanText(trackNoForm(text), { couriers });
          board.change(editRow(id, key, (row) => withScanResult(row, scan)));
        });
      },
      text: trackNo,
    });
  });
}

function promptScanLabel(board: Board): void {
  actOnSelectedRow(board, ({ id }, { key, label, trackNo }) => {
    askText(board, {
      name: `label of ${cutMiddle(trackNo, 18)}`,
      placeholder: 'a name for the parcel, or empty for none',
      accept: (text) => board.change(editRow(id, key, (row) => withLabel(row, text))),
      text: label ?? '',
    });
  });
}

function pickScanCourier(board: Board): void {
  actOnSelectedRow(board, ({ id }, { candidates, key }) => {
    const onChoose = (courierCode: string): void =>
      board.change(editRow(id, key, (row) => withCourier(row, courierCode)));
    board.change(openPicker({ onChoose, likely: candidates.flatMap(({ courierCode }) => courierCode ?? []) }));
  });
}

function forgetCourier(board: Board): void {
  actOnSelectedRow(board, ({ id }, { key }) => board.change(editRow(id, key, (row) => withCourier(row, null))));
}

function actOnSelectedRow({ scan }: Board, act: (scan: ShownScan, row: JudgedRow) => void): void {
  if (scan?.selected != null) act(scan, scan.selected);
}

const needsChoice = ({ scan }: Board): string | null =>
  isChoosing(scan) ? null : 'The numbers are being added. Press Esc to stop; nothing is lost.';
const needsNumber = (board: Board): string | null =>
  needsChoice(board) ?? (board.scan?.selected == null ? 'No number is selected.' : null);

function goBack(board: Board): void {
  const { change, scan } = board;
  if (scan === null) return;
  const { id, rows, stage } = scan;
  if (stage.kind === 'adding' || stage.kind === 'reading') stage.stop();
  if (stage.kind === 'adding') return;
  // Numbers from an earlier text stay listed.
  if (stage.kind === 'reading' && rows.length > 0) change(changeScan(id, () => ({ stage: { kind: 'choosing' } })));
  else closeScan(board);
}

function interrupt(board: Board): void {
  const stage = board.scan?.stage;
  if (stage?.kind === 'adding' && !stage.isStopping) stage.stop();
  else board.quit('interrupted');
}

const editKey = (hint: string): Pick<Binding, 'disabled' | 'hint'> => ({
  disabled: needsNumber,
  hint: ({ scan }) => (isChoosing(scan) ? hint : null),
});

function addHint({ scan }: Board): string | null {
  if (scan === null || !isChoosing(scan)) return null;
  return scan.cost.numbers === 0 ? 'close' : `add ${scan.cost.numbers}`;
}

function markHint({ scan }: Board): string | null {
  if (!isChoosing(scan) || scan?.selected == null || !canBeSelected(scan.selected.state)) return null;
  return scan.selected.isSelected ? 'leave out' : 'choose';
}

function markAllHint({ scan }: Board): string | null {
  if (scan === null || !isChoosing(scan) || scan.displayRows.length <= 1) return null;
  return scan.cost.numbers > 0 && areAllChosen(scan) ? 'none' : 'all';
}

/** Lists the numbers in a file, like those in a pasted text. */
export function listFile(board: Board, file: string): void {
  inBackground(board, async () => {
    const text = await board.files?.read(file);
    if (text !== undefined) scanPasted(board, { text, source: file, notes: [], onNothingFound: () => null });
  });
}

export const openFile: Binding = {
  id: 'import',
  keys: ['I'],
  writes: true,
  description: 'Add the numbers in a file',
  opensField: true,
  synonyms: ['import', 'csv', 'open', 'mail', 'table', 'shop'],
  disabled: ({ files }) => (files === undefined ? 'The demo cannot read files.' : null),
  command: {
    name: 'import',
    argument: 'FILE',
    suggestions: ({ files }) => files?.completions('') ?? [],
    run: listFile,
  },
  run: (board) =>
    askText(board, {
      name: 'add the numbers in a file',
      placeholder: 'a table, email or web page, such as orders.csv; Tab completes',
      hint: 'read',
      complete: (text, cursor) =>
        cursor < text.length ? null : completionsAt(0, text.length, board.files?.completions(text) ?? []),
      validate: (text) => (text === '' ? 'Type a file name.' : null),
      accept: (file) => listFile(board, file),
    }),
};

export const reopenScan: Binding = {
  id: 'pasted',
  keys: ['V'],
  description: 'Show the pasted numbers again',
  synonyms: ['paste', 'preview', 'scan'],
  disabled: ({ ui }) => (ui.scan === null ? 'Nothing pasted yet. Paste an email or a list to find its numbers.' : null),
  run: ({ change }) => change(({ scan }) => (scan === null ? {} : showScan(scan))),
};

export const scanKeys: KeyGroup = {
  context: 'scan',
  title: 'Numbers found',
  isClosed: true,
  bindings: [
    {
      id: 'add-found',
      keys: ['enter'],
      hint: addHint,
      description: 'Add the numbers marked ●, and retry those that failed',
      alwaysShown: true,
      disabled: needsChoice,
      run: addFound,
    },
    {
      id: 'mark',
      keys: [' '],
      hint: markHint,
      description: 'Choose or leave out the number, then move down',
      disabled: needsNumber,
      run: toggleSelected,
    },
    { id: 'courier', keys: ['c'], description: 'Choose the courier', ...editKey('courier'), run: pickScanCourier },
    { id: 'label', keys: ['e'], description: 'Edit the label', ...editKey('label'), run: promptScanLabel },
    { id: 'number', keys: ['n'], description: 'Edit the number', ...editKey('number'), run: promptNumber },
    {
      id: 'no-courier',
      keys: ['C'],
      hint: ({ scan }) => (isChoosing(scan) && scan?.selected?.courierCode != null ? 'no courier' : null),
      description: 'Let the service find the courier',
      disabled: needsNumber,
      run: forgetCourier,
    },
    {
      id: 'mark-all',
      keys: ['a', '*'],
      hint: markAllHint,
      description: 'Choose all certain numbers, or none',
      disabled: needsChoice,
      run: toggleAll,
    },
    ...movementKeys(moveInScan),
    openHelp,
    {
      id: 'close',
      keys: ['escape', 'q'],
      hint: ({ scan }) => (isChoosing(scan) ? 'close' : 'stop'),
      description: 'Stop adding, or close the list; nothing is lost',
      alwaysShown: true,
      run: goBack,
    },
    { keys: ['ctrl+c'], description: 'Stop adding; press again to quit', run: interrupt },
  ],
};
