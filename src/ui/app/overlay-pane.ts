import { setupPosition, setupStepTitle } from '../../board/setup/steps.ts';
import { searchLine } from '../field/search-line.ts';
import type { PaneSize } from '../layout.ts';
import { newsPane } from '../news/news-pane.ts';
import type { OverlayName, ShownOverlay } from '../overlay/state.ts';
import type { PaneContent } from '../pane/frame.ts';
import { scrollStatus } from '../pane/scroll.ts';
import { scanPane } from '../scan/scan-pane.ts';
import type { Board } from './board.ts';
import type { UiState } from './state.ts';

/** With where one is in the conversation that sets up. */
function titleOf(name: OverlayName, { settingUp }: UiState): string {
  if (name === 'help') return 'Keys';
  if (name === 'details' || settingUp === null) return 'Details';
  return `Set up · ${setupPosition(settingUp.step)} · ${setupStepTitle(settingUp.step)}`;
}

/** A text in place of the panes. */
export function overlayPane(board: Board, { lines, name, scroll }: ShownOverlay, size: PaneSize): PaneContent {
  const { scan, ui } = board;
  if (name === 'news') return newsPane(board, size);
  if (name === 'scan' && scan !== null) return scanPane(board, scan, size);
  const above = name === 'help' ? [searchLine(ui.helpQuery, 'what you want to do; Enter does it', size)] : [];
  const texts = { title: titleOf(name, ui), ...scrollStatus(scroll) };
  return { texts, size, isFocused: true, lines: [...above, ...lines] };
}
