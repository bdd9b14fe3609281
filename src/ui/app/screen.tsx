import { Box, useCursor } from 'ink';
import type { ReactNode } from 'react';
import { InputBar } from '../add/bar.tsx';
import { barColumn, barText, barWidth } from '../add/bar-text.ts';
import { boardDetails } from '../details/facts.ts';
import { DetailsTable, fitsTable } from '../details/view.tsx';
import { fieldWindow } from '../field/field-window.ts';
import { searchColumn, searchWidth } from '../field/search-line.ts';
import { footerLine, footerOf } from '../footer/footer-line.ts';
import { headerRows } from '../header/header-lines.ts';
import type { PaneSize } from '../layout.ts';
import { OrderMenu } from '../order/order-menu.tsx';
import { Lines } from '../pane/lines.tsx';
import { Pane } from '../pane/pane.tsx';
import { pickerPane } from '../picker/picker-pane.ts';
import type { Board } from './board.ts';
import { type Divided, MainPanes } from './main-panes.tsx';
import { overlayPane } from './overlay-pane.ts';

/** What of a board is drawn, and where. */
interface ScreenProps {
  readonly board: Board;
  readonly layout: Divided;
}

/** Header, panes, input bar, footer. */
export function Screen({ board, layout }: ScreenProps) {
  const { columns, overlay, rows, setup } = board;
  // In one place: whoever sets it last would take it from another field.
  useCursor().setCursorPosition(cursorOf(board, layout));
  const details = overlay?.name === 'details' && setup.kind === 'ready' ? boardDetails(board) : null;
  const isTable = details !== null && fitsTable(details, layout.body);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Lines lines={headerRows(board)} />
      {isTable ? (
        <DetailsTable details={details} size={layout.body} />
      ) : (
        <Box flexDirection={layout.kind === 'side-by-side' ? 'row' : 'column'} flexShrink={0}>
          {body(board, layout)}
        </Box>
      )}
      <InputBar text={barText(board)} width={columns} />
      <Lines lines={[footerLine(footerOf(board))]} />
    </Box>
  );
}

/** The panes, or a text in place of them; in place of the timeline the courier picker or the orders. */
function body(board: Board, layout: Divided): ReactNode {
  const { overlay, ui } = board;
  const { picker, sorting, sortingBefore } = ui;
  const picking = picker === null ? null : (size: PaneSize) => <Pane {...pickerPane(board, picker, size)} />;
  if (overlay?.name === 'scan' && picking !== null) return picking(layout.body);
  if (overlay !== null) return <Pane {...overlayPane(board, overlay, layout.body)} />;
  const ordering = sortingBefore === null ? null : (size: PaneSize) => <OrderMenu sorting={sorting} size={size} />;
  return <MainPanes board={board} layout={layout} inPlace={picking ?? ordering} />;
}

/** Where the terminal's cursor stands: in the focused field, so that input methods open there; undefined for nowhere. */
function cursorOf(board: Board, layout: Divided): { readonly x: number; readonly y: number } | undefined {
  const { banner, columns, overlay, rows, ui } = board;
  const isHelp = overlay?.name === 'help';
  const query = isHelp ? ui.helpQuery : overlay === null || overlay.name === 'scan' ? ui.picker?.query : undefined;
  if (query !== undefined) {
    const isBeside = overlay === null;
    const { cursorCell } = fieldWindow(query, searchWidth(isBeside ? layout.timeline : layout.body));
    const left = isBeside && layout.kind === 'side-by-side' ? layout.list.width : 0;
    const above = isBeside && layout.kind === 'stacked' ? layout.list.height : 0;
    return { x: left + searchColumn + cursorCell, y: 2 + banner.length + above };
  }
  const bar = barText(board);
  if (!bar.isFocused || bar.edit === null) return undefined;
  const { cursorCell } = fieldWindow(bar.edit, barWidth(bar, columns));
  return { x: barColumn(bar) + cursorCell, y: rows - 2 };
}
