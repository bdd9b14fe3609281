import { answerOverlay } from '../answers/answers.tsx';
import type { Board, OverlayName, ShownOverlay } from '../board.ts';
import { detailsLines } from '../details.tsx';
import { type HelpItem, helpOverlay, type ListedKey, searchHelp } from '../help/help.tsx';
import { closeHelp } from '../help/keys.ts';
import { whyDisabled } from '../keys/binding.ts';
import type { PaneSize } from '../layout.ts';
import { listHeight } from '../list/parcel-list.tsx';
import { outputLines } from '../own-commands.ts';
import { innerSize, scrollWithin } from '../pane/frame.ts';
import { scanScroll } from '../scan/found-numbers.tsx';
import { visibleSetup } from '../setup/setup.tsx';
import { type KeyedBoard, keyContextOf, keysOf } from './keymap.ts';

type BoardBelow = Omit<KeyedBoard, 'overlay' | 'scroll'>;

export function withOverlay(board: BoardBelow, name: OverlayName | null): KeyedBoard {
  const shown = { ...board, overlay: name === null ? null : overlayOf(board, name) };
  return { ...shown, scroll: scrollOf(shown) };
}

function overlayOf(board: BoardBelow, name: OverlayName): ShownOverlay | null {
  const { layout, ui } = board;
  if (layout.kind === 'too-small') return null;
  const { height, width } = innerSize(layout.body);
  // The news pane draws its own rows.
  if (name === 'news') return { name, choices: [], lines: [], scroll: scrollWithin(0, 0, height - 1) };
  if (name === 'arrivals' || name === 'statistics') return answerOverlay(name, board, { height, width });
  if (name === 'scan') {
    return { name, choices: [], lines: [], scroll: scanScroll(board.scan, ui.overlayOffset, layout.body) };
  }
  if (name === 'setup') {
    if (ui.settingUp === null) return null;
    return { name, choices: [], ...visibleSetup(ui.settingUp, board, { height, width }) };
  }
  if (name === 'help') return help(board, layout.body);
  const lines = name === 'output' ? outputLines(ui.output.text, width) : detailsLines(board, width);
  const scroll = scrollWithin(lines.length, ui.overlayOffset, height);
  return { name, choices: [], lines: lines.slice(scroll.offset, scroll.offset + scroll.rows), scroll };
}

function help(board: BoardBelow, size: PaneSize): ShownOverlay {
  const { ui } = board;
  const below = { ...ui, ...closeHelp(ui), helpQuery: ui.helpQuery, helpAll: ui.helpAll };
  const boardBelow = withOverlay({ ...board, ui: below }, below.overlay);
  return helpOverlay({ boardBelow, ui, listed: listedKeys(boardBelow), size });
}

/** Returns the bindings that the help can run. */
function listedKeys(board: KeyedBoard): readonly ListedKey[] {
  const { helpAll, helpQuery } = board.ui;
  return searchHelp(board.keymap, keyContextOf(board.ui), helpQuery.text, helpAll).map((item) => ({
    ...item,
    detail: item.binding.detail?.(board) ?? null,
    why: whyNot(item, board),
  }));
}

/** Returns why a key does not work where the help was opened, or null. */
function whyNot({ binding, context }: HelpItem, board: KeyedBoard): string | null {
  const here = keysOf(keyContextOf(board.ui), board.keymap);
  if (context !== 'global' && context !== here.context) return `Works only in “${keysOf(context).title}”.`;
  const isReached = context !== 'global' || binding.always === true || here.isClosed !== true;
  if (!isReached && !here.bindings.includes(binding)) return `Close “${here.title}” first.`;
  return whyDisabled(binding, board);
}

function scrollOf({
  layout,
  list,
  overlay,
  timeline,
  ui,
}: Pick<Board, 'layout' | 'list' | 'overlay' | 'timeline' | 'ui'>): Board['scroll'] {
  if (layout.kind === 'too-small') return { offset: 0, last: 0, rows: 1 };
  const context = keyContextOf(ui);
  if (overlay !== null && context !== 'picker') return overlay.scroll;
  if (context === 'timeline') return timeline.scroll;
  const picker = overlay?.name === 'scan' ? layout.body : layout.timeline;
  const rows = context === 'picker' ? innerSize(picker).height : listHeight(layout.list);
  return { offset: list.offset, last: 0, rows };
}
