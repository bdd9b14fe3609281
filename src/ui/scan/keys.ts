import { canBeTaken } from '../../board/scan/judge-rows.ts';
import { openHelp } from '../help/keys.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import { movementKeys } from '../keys/movement.ts';
import { addFound, closeScan } from './add-found.ts';
import {
  areAllTaken,
  forgetCourier,
  moveInScan,
  pickScanCourier,
  promptNumber,
  promptScanLabel,
  toggleAll,
  toggleSelected,
} from './choose.ts';
import { changedScan, isChoosing, type ScanBoard, type ScanState, showScan } from './state.ts';

const needsChoice = ({ scan }: ScanBoard): string | null =>
  isChoosing(scan) ? null : 'The numbers are being added. Esc stops that; nothing is lost.';
const needsNumber = (board: ScanBoard): string | null =>
  needsChoice(board) ?? (board.scan?.selected == null ? 'No number is selected.' : null);

/** Stops what is under way; else closes the list. */
function goBack(board: ScanBoard): void {
  const { change, scan } = board;
  if (scan === null) return;
  const { id, rows, stage } = scan;
  if (stage.kind === 'adding') stage.stop();
  else if (stage.kind !== 'reading') closeScan(board);
  else {
    stage.stop();
    // What was found before in another text stays.
    if (rows.length > 0) change(changedScan(id, () => ({ stage: { kind: 'choosing' } })));
    else closeScan(board);
  }
}

/** The first one stops what is under way, the next one quits. */
function interrupt(board: ScanBoard): void {
  const stage = board.scan?.stage;
  if (stage?.kind === 'adding' && !stage.isStopping) stage.stop();
  else board.quit('interrupted');
}

const changing: Pick<Binding<ScanBoard>, 'disabled' | 'isHinted'> = {
  disabled: needsNumber,
  isHinted: ({ scan }) => isChoosing(scan),
};

/** The key that opens the list of found numbers again. */
export const reopenScan: Binding<ScanBoard> = {
  keys: ['V'],
  description: 'Show the numbers again that were found in a pasted text',
  alsoFoundBy: ['paste', 'preview', 'scan'],
  disabled: ({ ui }) => (ui.scan === null ? 'Paste a text, such as a mail: the numbers in it are listed.' : null),
  run: ({ change }) => change(({ scan }) => (scan === null ? {} : showScan(scan))),
};

/** Keys of the list of found numbers. */
export const scanKeys: KeyGroup<ScanState, ScanBoard> = {
  context: 'scan',
  title: 'Found numbers',
  isClosed: true,
  bindings: [
    {
      keys: ['enter'],
      hint: 'add',
      hintNow: ({ scan }) => (scan === null || scan.cost.numbers === 0 ? 'close' : `add ${scan.cost.numbers}`),
      description: 'Add the numbers that are marked ●; what failed is tried again',
      alwaysShown: true,
      isHinted: ({ scan }) => isChoosing(scan),
      disabled: needsChoice,
      run: addFound,
    },
    {
      keys: [' '],
      hint: 'leave out',
      hintNow: ({ scan }) => (scan?.selected?.isTaken === true ? 'leave out' : 'take'),
      description: 'Take the number, or leave it out, and go down',
      disabled: needsNumber,
      isHinted: ({ scan }) => isChoosing(scan) && scan?.selected != null && canBeTaken(scan.selected.standing),
      run: toggleSelected,
    },
    { keys: ['c'], hint: 'courier', description: 'Choose the courier', ...changing, run: pickScanCourier },
    { keys: ['e'], hint: 'label', description: 'Edit the label', ...changing, run: promptScanLabel },
    { keys: ['n'], hint: 'number', description: 'Edit the number', ...changing, run: promptNumber },
    {
      keys: ['C'],
      hint: 'no courier',
      description: 'Let the service find the courier',
      disabled: needsNumber,
      isHinted: ({ scan }) => isChoosing(scan) && scan?.selected?.courierCode != null,
      run: forgetCourier,
    },
    {
      keys: ['a', '*'],
      hint: 'all',
      hintNow: ({ scan }) => (scan !== null && scan.cost.numbers > 0 && areAllTaken(scan) ? 'none' : 'all'),
      description: 'Take all that are sure; again: none',
      disabled: needsChoice,
      isHinted: ({ scan }) => isChoosing(scan) && scan !== null && scan.shown.length > 1,
      run: toggleAll,
    },
    ...movementKeys(moveInScan),
    openHelp,
    {
      keys: ['escape', 'q'],
      hint: 'close',
      hintNow: ({ scan }) => (isChoosing(scan) ? 'close' : 'stop'),
      description: 'Stop adding, else close the list; nothing is lost',
      alwaysShown: true,
      run: goBack,
    },
    { keys: ['ctrl+c'], description: 'Stop adding; again: quit', run: interrupt },
  ],
};
