import { setupPosition, setupStepTitle } from '../../board/setup/steps.ts';
import type { Board } from '../board.ts';
import { boardDetails } from '../details/facts.ts';
import { DetailsTable, fitsTable } from '../details/view.tsx';
import { HelpPane } from '../help/view.tsx';
import type { PaneSize } from '../layout.ts';
import { NewsPane } from '../news/view.tsx';
import { Lines, Pane } from '../pane/pane.tsx';
import { scrollStatus } from '../pane/scroll.ts';
import { ScanPane } from '../scan/view.tsx';
import type { UiState } from '../state.ts';
import type { OverlayName } from './state.ts';

/** With where one is in the conversation that sets up. */
function titleOf(name: Exclude<OverlayName, 'help' | 'news' | 'scan'>, { settingUp }: UiState): string {
  if (name === 'details' || settingUp === null) return 'Details';
  return `Set up · ${setupPosition(settingUp.step)} · ${setupStepTitle(settingUp.step)}`;
}

/** What an overlay is drawn from. */
interface OverlayProps {
  readonly board: Board;
  readonly overlay: NonNullable<Board['overlay']>;
  readonly size: PaneSize;
}

/** A text in place of the panes. */
export function Overlay({ board, overlay: { lines, name, scroll }, size }: OverlayProps) {
  const { setup, ui } = board;
  if (name === 'news') return <NewsPane board={board} size={size} />;
  if (name === 'scan') return board.scan === null ? null : <ScanPane board={board} scan={board.scan} size={size} />;
  if (name === 'help') return <HelpPane query={ui.helpQuery} lines={lines} scroll={scroll} size={size} />;
  const details = name === 'details' && setup.kind === 'ready' ? boardDetails(board) : null;
  if (details !== null && fitsTable(details, size)) return <DetailsTable details={details} size={size} />;
  return (
    <Pane texts={{ title: titleOf(name, ui), ...scrollStatus(scroll) }} size={size} isFocused>
      <Lines lines={lines} />
    </Pane>
  );
}
