import type { Board, SeenBoard } from '../board.ts';
import { helpOverlay } from '../help/help-overlay.ts';
import { listedKeys } from '../help/listed-keys.ts';
import { closeHelp } from '../help/state.ts';
import { handleKey } from '../keys/handle-key.ts';
import { findBinding, lineEditing } from '../keys/keymap.ts';
import { pressOfRaw } from '../keys/raw-key.ts';
import { overlayPane } from '../overlay/overlay-pane.ts';
import { scrollOf } from '../overlay/scroll-of.ts';
import { keyContextOf } from '../state.ts';
import type { EarlyHandling } from './reading-board.ts';

/** What keys can have done outside of the board. */
export type EarlyControls = Pick<Board, 'quit' | 'redraw'>;

/** Why a key does nothing yet. */
const stillReading = 'The list is still being read.';

/** What keys do that only look about, on a board that is drawn before all of it is there. */
export const createEarlyHandling = (controls: EarlyControls): EarlyHandling => ({
  handle(seen, change, { raw, times }) {
    const press = pressOfRaw(raw);
    if (press === null) return false;
    const binding = findBinding(keyContextOf(seen.ui), press.name);
    const isEarly = binding === null || binding.worksEarly === true;
    if (isEarly) handleKey(withHelp(seen, change, controls), press, times);
    return isEarly;
  },
  covered(seen, change) {
    const board = withHelp(seen, change, controls);
    const { layout, overlay } = board;
    if (overlay === null || layout.kind === 'too-small') return { board: seen, covering: null };
    return { board, covering: overlayPane(board, overlay, layout.body) };
  },
});

/** The board with all that such keys need; the help as far as it is open. */
function withHelp(seen: SeenBoard, change: Board['change'], controls: EarlyControls): Board {
  const { layout, ui } = seen;
  if (ui.overlay !== 'help' || layout.kind === 'too-small') return withKeys(seen, change, controls);
  const uncovered = withKeys({ ...seen, ui: { ...ui, ...closeHelp(ui), helpQuery: ui.helpQuery } }, change, controls);
  const listed = listedKeys(uncovered).map((key) =>
    key.binding.worksEarly === true ? key : { ...key, why: stillReading },
  );
  return withKeys({ ...seen, overlay: helpOverlay({ uncovered, ui, listed, size: layout.body }) }, change, controls);
}

function withKeys(seen: SeenBoard, change: Board['change'], controls: EarlyControls): Board {
  return {
    ...seen,
    ...controls,
    change,
    editLine: lineEditing(change),
    scroll: scrollOf(seen),
    // Nothing of this is asked for by a key that only looks about.
    applyAdditions: () => Promise.reject(new Error(stillReading)),
    copyText: async () => 'none',
    courierList: {
      status: 'absent',
      couriers: [],
      problem: null,
      search: () => [],
      check: (code) => code,
      read: (problem) => ({ ok: false, problem }),
    },
    matches: [],
    news: {
      changes: [],
      since: 0,
      rows: [],
      isLoading: false,
      problem: null,
      selectedSeq: null,
      window: { rows: [], offset: 0, first: 0, last: 0 },
    },
    isFocused: true,
  };
}
