import type { Line } from '../../lib/paint.ts';
import { answerOverlay } from '../answers/answers.ts';
import type { Board, OverlayContent, ShownOverlay } from '../board.ts';
import { detailsLines } from '../details.ts';
import { type HelpItem, helpOverlay, type ListedKey, searchHelp } from '../help/help.ts';
import { closeHelp } from '../help/keys.ts';
import { disabledReason } from '../keys/binding.ts';
import type { PaneSize } from '../layout.ts';
import { listHeight } from '../list/parcel-list.tsx';
import { newsOverlay } from '../news/news.ts';
import { outputLines } from '../own-commands.ts';
import { innerSize, scrollStatus, visibleText } from '../pane/frame.ts';
import { scanOverlay } from '../scan/found-numbers.ts';
import { setupOverlay } from '../setup/setup.ts';
import { type KeyedBoard, keyContextOf, keysOf } from './keymap.ts';

type BoardBelow = Omit<KeyedBoard, 'overlay' | 'scroll'>;

export function withOverlay(board: BoardBelow, name: ShownOverlay['name'] | null): KeyedBoard {
  const shown = { ...board, overlay: name === null ? null : overlayOf(board, name) };
  return { ...shown, scroll: scrollOf(shown) };
}

function overlayOf(board: BoardBelow, name: ShownOverlay['name']): ShownOverlay | null {
  const { layout } = board;
  const content = layout.kind === 'too-small' ? null : overlayContent(board, name, layout.body);
  return content === null ? null : { name, choices: [], ...content };
}

function overlayContent(board: BoardBelow, name: ShownOverlay['name'], size: PaneSize): OverlayContent | null {
  const { monitor, scan, ui } = board;
  const inner = innerSize(size);
  const scrolled = (title: string, lines: readonly Line[]): OverlayContent => {
    const visible = visibleText(lines, ui.overlayOffset, inner.height);
    return { texts: { title, ...scrollStatus(visible.scroll) }, ...visible };
  };
  switch (name) {
    case 'help':
      return help(board, size);
    case 'details':
      return scrolled('Details', detailsLines(board, inner.width));
    case 'output':
      return scrolled(ui.output.title, outputLines(ui.output.text, inner.width));
    case 'news':
      return newsOverlay(board, size);
    case 'arrivals':
    case 'statistics':
      return answerOverlay(name, board, inner);
    case 'scan':
      return scan === null ? null : scanOverlay(scan, ui.overlayOffset, size, monitor.registrationsLeft());
    case 'setup':
      return ui.settingUp === null ? null : setupOverlay(ui.settingUp, board, inner);
  }
}

function help(board: BoardBelow, size: PaneSize): OverlayContent {
  const { ui } = board;
  const below = { ...ui, ...closeHelp(ui), helpQuery: ui.helpQuery, helpAll: ui.helpAll };
  const boardBelow = withOverlay({ ...board, ui: below }, below.overlay);
  return helpOverlay(listedKeys(boardBelow), boardBelow, ui, size);
}

/** Returns the bindings that the help can run. */
function listedKeys(board: KeyedBoard): readonly ListedKey[] {
  const { helpAll, helpQuery } = board.ui;
  return searchHelp(board.keymap, keyContextOf(board.ui), helpQuery.text, helpAll).map((item) => ({
    ...item,
    detail: item.binding.detail?.(board) ?? null,
    why: unavailableReason(item, board),
  }));
}

/** Returns why a key does not work where the help was opened, or null. */
function unavailableReason({ binding, context }: HelpItem, board: KeyedBoard): string | null {
  const here = keysOf(keyContextOf(board.ui), board.keymap);
  if (context !== 'global' && context !== here.context) return `Works only in “${keysOf(context).title}”.`;
  const isReached = context !== 'global' || binding.always === true || here.isClosed !== true;
  if (!isReached && !here.bindings.includes(binding)) return `Close “${here.title}” first.`;
  return disabledReason(binding, board);
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
