import { openAdd } from '../add/keys.ts';
import { copyKeys } from '../copy/keys.ts';
import { openDetails } from '../details/keys.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { openFilter } from '../filter/keys.ts';
import { showMessage } from '../footer/messages.ts';
import { openHelp } from '../help/keys.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import { nextPane, previousPane } from '../keys/movement.ts';
import { archiveKey } from '../list/keys.ts';
import { leaveMarks } from '../list/mark-keys.ts';
import { openNews } from '../news/keys.ts';
import { readKeys } from '../news/read-keys.ts';
import { silenceKey } from '../notify/keys.ts';
import { sortKeys } from '../order/keys.ts';
import { parcelKeys } from '../parcel/keys.ts';
import { reopenScan } from '../scan/keys.ts';
import { openSetupKey } from '../setup/keys.ts';
import { switchTimes } from '../timeline/keys.ts';
import { zoomKeys } from '../zoom/keys.ts';
import type { Board } from './board.ts';

/** In the list from a range and from marks, then from one pane to both, to the list, from a filter to all parcels, then notices away. */
function goBack(board: Board): void {
  const { change, layout, monitor, state, ui } = board;
  if (ui.focus === 'list' && leaveMarks(board)) return;
  if (layout.kind === 'single' && layout.isZoomed) change({ zoom: null });
  else if (ui.focus !== 'list') change({ focus: 'list' });
  else if (ui.filter.text !== '') change({ filter: emptyEdit });
  else if (ui.listed === 'archive') change({ listed: 'watched', selectedIndex: 0 });
  else if (state.notices.length > 0) monitor.dismissNotice();
}

function suspend(board: Board): void {
  if (board.suspension === null) showMessage(board, 'This terminal has no shell to go back to.');
  else board.suspension.request();
}

const quit: Pick<Binding<Board>, 'run'> = { run: (board) => board.quit() };

/** Keys that hold in every pane, and some of them in overlays and while typing. */
export const everywhereKeys: KeyGroup<Board['ui'], Board> = {
  context: 'global',
  title: 'Everywhere',
  parts: [{ title: 'Selected parcel', bindings: [...parcelKeys, ...copyKeys, ...readKeys] }],
  bindings: [
    openAdd,
    openFilter,
    switchTimes,
    ...parcelKeys,
    archiveKey,
    ...sortKeys,
    ...copyKeys,
    openNews,
    ...readKeys,
    reopenScan,
    silenceKey,
    nextPane,
    previousPane,
    ...zoomKeys,
    openDetails,
    openSetupKey,
    openHelp,
    {
      keys: ['escape'],
      description: 'One level back: overlay, marks, zoom, pane, filter, archive, notice; never quits',
      run: goBack,
    },
    {
      keys: ['q'],
      hint: 'quit',
      description: 'Quit',
      alsoFoundBy: ['exit'],
      alwaysShown: true,
      ...quit,
    },
    {
      keys: ['ctrl+c'],
      description: 'Quit, even while typing',
      always: true,
      run: (board) => board.quit('interrupted'),
    },
    { keys: ['ctrl+z'], description: 'Back to the shell; fg returns', always: true, run: suspend },
    {
      keys: ['ctrl+l'],
      description: 'Redraw the screen',
      always: true,
      run: (board) => board.redraw(),
    },
  ],
};
