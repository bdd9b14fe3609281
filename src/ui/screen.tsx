import { Box, useCursor } from 'ink';
import { InputBar } from './add/bar.tsx';
import { barColumn, barText, barWidth } from './add/bar-text.ts';
import type { Board } from './board.ts';
import { fieldWindow } from './field/field-window.ts';
import { searchColumn, searchWidth } from './field/search-row.tsx';
import { Footer } from './footer/view.tsx';
import { Header } from './header/view.tsx';
import type { Layout, PaneSize } from './layout.ts';
import { ListPane } from './list/view.tsx';
import { OrderChooser } from './order/view.tsx';
import { Overlay } from './overlay/view.tsx';
import { CourierPicker } from './picker/view.tsx';
import { TimelinePane } from './timeline/view.tsx';

/** A layout with room for a board. */
type Divided = Exclude<Layout, { kind: 'too-small' }>;

/** Header, panes, input bar, footer. */
export function Screen({ board, layout }: { readonly board: Board; readonly layout: Divided }) {
  const { columns, rows } = layout;
  // In one place: whoever sets it last would take it from another field.
  useCursor().setCursorPosition(cursorOf(board, layout));
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Header board={board} />
      <Body board={board} layout={layout} />
      <InputBar text={barText(board)} width={columns} />
      <Footer board={board} />
    </Box>
  );
}

/** The panes; or a text in place of them. */
function Body({ board, layout }: { readonly board: Board; readonly layout: Divided }) {
  const { courierList, matches, overlay, ui } = board;
  if (overlay?.name === 'scan' && ui.picker !== null) {
    return <CourierPicker picker={ui.picker} couriers={courierList} matches={matches} size={layout.body} />;
  }
  if (overlay !== null) return <Overlay board={board} overlay={overlay} size={layout.body} />;
  const isSingle = layout.kind === 'single';
  const hasSecond = board.ui.picker !== null || board.ui.sortingBefore !== null;
  const isListShown = !isSingle || (layout.pane === 'list' && !hasSecond);
  return (
    <Box flexDirection={layout.kind === 'side-by-side' ? 'row' : 'column'} flexShrink={0}>
      {isListShown && <ListPane board={board} size={layout.list} />}
      {!(isSingle && isListShown) && <SecondPane board={board} size={layout.timeline} />}
    </Box>
  );
}

/** The timeline, or in its place the courier picker or the orders. */
function SecondPane({ board, size }: { readonly board: Board; readonly size: PaneSize }) {
  const { courierList, matches, ui } = board;
  if (ui.picker === null && ui.sortingBefore !== null) return <OrderChooser sorting={ui.sorting} size={size} />;
  if (ui.picker === null) return <TimelinePane board={board} size={size} />;
  return <CourierPicker picker={ui.picker} couriers={courierList} matches={matches} size={size} />;
}

/** Where the terminal's cursor stands: in the focused field, so that input methods open there; undefined for nowhere. */
function cursorOf(board: Board, layout: Divided): { readonly x: number; readonly y: number } | undefined {
  const { banner, overlay, ui } = board;
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
  const { cursorCell } = fieldWindow(bar.edit, barWidth(bar, layout.columns));
  return { x: barColumn(bar) + cursorCell, y: layout.rows - 2 };
}
