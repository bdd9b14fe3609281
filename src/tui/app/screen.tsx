import { Box, renderToString, useCursor } from 'ink';
import { asOfDay, asOfTime, type HeaderInput, headerRow, type Wording } from '../../board/header.ts';
import { nextMidnight } from '../../board/time.ts';
import { cellWidth } from '../../lib/cells.ts';
import { paint, type Segment } from '../../lib/paint.ts';
import type { Frame } from '../../system/saved-screen.ts';
import type { Board } from '../board.ts';
import { type BarText, Field, fieldWindow, searchColumn, searchWidth } from '../field/field.tsx';
import { filterMessage } from '../filter.ts';
import { type FooterProps, footerLine } from '../footer.ts';
import { Header } from '../header.tsx';
import { overlayBelowHelp } from '../help/keys.ts';
import { ParcelList } from '../list/parcel-list.tsx';
import { ColumnMenu, CourierPicker, OrderMenu } from '../menus.tsx';
import { Lines, LookContext, Pane } from '../pane.tsx';
import { setupBarText } from '../setup/steps.ts';
import { emptyEdit } from '../text-edit.ts';
import { Timeline } from '../timeline/timeline.tsx';
import type { Message } from '../ui-state.ts';
import { currentKeyContext, footerKeys, type KeyedBoard } from './keymap.ts';

interface ScreenProps {
  readonly board: KeyedBoard;
}

export function Screen({ board }: ScreenProps) {
  const { columns, rows } = board;
  // Set in one place. If each field set it, the last one would win.
  useCursor().setCursorPosition(cursorPosition(board));
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Header {...headerInput(board)} banner={board.banner} isChoosing={board.initialScan !== undefined} />
      <Body board={board} />
      <InputBar {...barText(board)} width={columns} />
      <Footer {...footerProps(board)} />
    </Box>
  );
}

export const Footer = (props: FooterProps) => <Lines lines={[footerLine(props)]} />;

const headerInput = (board: Board): HeaderInput => ({
  ...board,
  isArchive: board.ui.listed === 'archive',
  width: board.columns,
});

function Body({ board }: ScreenProps) {
  const { courierList, layout, matches, overlay, ui } = board;
  if (overlay === null) return <Panes board={board} />;
  const size = layout.body;
  if (overlay.name === 'scan' && ui.picker !== null)
    return <CourierPicker couriers={courierList} matches={matches} {...ui.picker} size={size} />;
  return <Pane texts={overlay.texts} size={size} isFocused lines={overlay.lines} />;
}

function Panes({ board }: ScreenProps) {
  const { courierList, layout, matches, ui } = board;
  const { columnMenu, picker, sorting, previousSorting } = ui;
  const isCovered = picker !== null || previousSorting !== null || columnMenu !== null;
  const showsList = layout.kind !== 'single' || (layout.pane === 'list' && !isCovered);
  const size = layout.timeline;
  return (
    <Box flexDirection={layout.kind === 'side-by-side' ? 'row' : 'column'} flexShrink={0}>
      {showsList && (
        <ParcelList {...board} size={layout.list} isFocused={ui.focus === 'list' || ui.focus === 'filter'} />
      )}
      {picker !== null ? (
        <CourierPicker couriers={courierList} matches={matches} {...picker} size={size} />
      ) : previousSorting !== null ? (
        <OrderMenu sorting={sorting} size={size} />
      ) : columnMenu !== null ? (
        <ColumnMenu choice={columnMenu} size={size} />
      ) : (
        (layout.kind !== 'single' || !showsList) && (
          <Timeline {...board} size={size} isFocused={ui.focus === 'timeline'} />
        )
      )}
    </Box>
  );
}

/** Returns the cursor's position in the focused field, where input methods open, or undefined if none is focused. */
function cursorPosition(board: Board): { readonly x: number; readonly y: number } | undefined {
  const { banner, columns, layout, overlay, rows, ui } = board;
  const isHelp = overlay?.name === 'help';
  const query = isHelp ? ui.helpQuery : overlay === null || overlay.name === 'scan' ? ui.picker?.query : undefined;
  if (query !== undefined) {
    const isInPane = overlay === null;
    const { cursorCell } = fieldWindow(query, searchWidth(isInPane ? layout.timeline : layout.body));
    const left = isInPane && layout.kind === 'side-by-side' ? layout.list.width : 0;
    const above = isInPane && layout.kind === 'stacked' ? layout.list.height : 0;
    return { x: left + searchColumn + cursorCell, y: 2 + banner.length + above };
  }
  const bar = barText(board);
  if (!bar.isFocused || bar.edit === null) return undefined;
  const { cursorCell } = fieldWindow(bar.edit, barWidth(bar, columns));
  return { x: barColumn(bar) + cursorCell, y: rows - 2 };
}

/** Returns the contents of the footer, without messages that the header already shows or that no longer apply. */
function footerProps(board: KeyedBoard): FooterProps {
  const { columns, glyphs, overlay, state, ui } = board;
  const { notices, polling } = state;
  const isShownElsewhere = (text: string): boolean =>
    // A notice may be longer than the message.
    polling.problem?.message.includes(text) === true ||
    notices.some((notice) => notice.includes(text)) ||
    (overlay?.name === 'setup' && ui.message?.tone === 'attention');
  const isOutdated = ({ isCutOff = false }: Message): boolean => isCutOff && polling.cutOffSince === null;
  const isHidden = ui.message !== null && (isShownElsewhere(ui.message.text) || isOutdated(ui.message));
  const message = isHidden ? null : (ui.message ?? filterMessage(board));
  return { keys: footerKeys(currentKeyContext(ui), board), message, width: columns, glyphs };
}

/**
 * Returns the frame to save when the board closes, with the time instead of the polling state, or null while something
 * other than the panes is shown or the user is typing.
 */
export function finalFrame(board: KeyedBoard): Frame | null {
  const { clock, layout, ui, zone } = board;
  if (!showsOnlyPanes(board) || layout.kind === 'too-small') return null;
  const keptAt = clock.now();
  const header = (asOf: Wording): string => paint(headerRow({ ...headerInput(board), asOf }), board);
  // A message would be outdated.
  const boardWithoutMessage = { ...board, ui: { ...ui, message: null } };
  const rows = renderToString(
    <LookContext value={board}>
      <Screen board={boardWithoutMessage} />
    </LookContext>,
    { columns: board.columns },
  ).split('\n');
  return {
    rows: [header(asOfTime(keptAt, zone)), ...rows.slice(1)],
    laterHeader: header(asOfDay(keptAt, zone)),
    keptAt,
    dayEndsAt: nextMidnight(keptAt, zone),
  };
}

/** Whether the board shows nothing but the panes and an empty input bar, for the user's own list. */
function showsOnlyPanes({ badge, initialScan, overlay, ui }: Board): boolean {
  const { columnMenu, draft, focus, picker, prompt, setupState, previousSorting } = ui;
  return (
    badge === null &&
    initialScan === undefined &&
    overlay === null &&
    picker === null &&
    prompt === null &&
    setupState === null &&
    previousSorting === null &&
    columnMenu === null &&
    draft.text === '' &&
    (focus === 'list' || focus === 'timeline')
  );
}

export function InputBar({ width, ...text }: BarText & { readonly width: number }) {
  const { edit, isFocused, placeholder } = text;
  return (
    <Box width={width} height={1} flexShrink={0} paddingRight={1}>
      <Box flexShrink={0}>
        <Lines lines={[[leadSegment(text)]]} />
      </Box>
      {edit === null ? (
        <Lines lines={[[{ text: placeholder, bold: true }]]} width={barWidth(text, width)} />
      ) : (
        <Field edit={edit} placeholder={placeholder} isFocused={isFocused} width={barWidth(text, width)} />
      )}
    </Box>
  );
}

const leadText = ({ name }: Pick<BarText, 'name'>): string => ` ${name} ▸ `;

function leadSegment(text: BarText): Segment {
  const isQuestion = text.edit === null;
  const tone = isQuestion ? 'attention' : text.isFocused ? 'accent' : 'quiet';
  return { text: leadText(text), bold: text.isFocused || isQuestion, tone };
}

/** Width of the text before the field, in cells. */
const barColumn = (text: Pick<BarText, 'name'>): number => cellWidth(leadText(text));

/** Width of the field in a line of this width, in cells. One cell stays free. */
export const barWidth = (text: Pick<BarText, 'name'>, width: number): number =>
  Math.max(2, width - barColumn(text) - 1);

function barText({ scan, ui }: Pick<Board, 'scan' | 'ui'>): BarText {
  const isScan = overlayBelowHelp(ui) === 'scan';
  const isScanQuestion = ui.overlay === 'scan' && ui.prompt !== null;
  const isCovered = (ui.overlay !== null && !isScanQuestion) || ui.picker !== null;
  if (isScan && ui.prompt === null) {
    const name = ui.picker === null ? 'found' : 'courier';
    return { name, edit: emptyEdit, placeholder: foundHint({ scan, ui }), isFocused: false };
  }
  if (ui.overlay === 'news' && ui.isNewsFilterTyped) {
    return { name: 'filter', edit: ui.newsFilter, placeholder: filterPlaceholder, isFocused: true };
  }
  if (ui.prompt !== null) {
    const { edit, name, placeholder } = ui.prompt;
    return { name, edit, placeholder, isFocused: !isCovered && edit !== null };
  }
  if (ui.setupState !== null && ui.setupState.step !== 'numbers') return setupBarText(ui.setupState, isCovered);
  if (ui.focus === 'filter') {
    return { name: 'filter', edit: ui.filter, placeholder: filterPlaceholder, isFocused: !isCovered };
  }
  const isFocused = ui.focus === 'add' && !isCovered;
  const placeholder = `${isFocused ? '' : 'press a: '}number, or number @courier "label"`;
  return { name: 'add', edit: ui.draft, placeholder, isFocused };
}

const filterPlaceholder = 'words, !not, or, stage: due: is: courier: to: tag: older:3d';

function foundHint({ scan, ui }: Pick<Board, 'scan' | 'ui'>): string {
  if (ui.picker !== null) return 'press Enter to choose the courier, or Esc to keep the current one';
  if (ui.scan?.stage.kind === 'adding') return 'press Esc to stop; the other numbers stay here';
  if (ui.scan?.stage.kind === 'reading') return 'press Esc to stop';
  if (scan?.cost.numbers === 0) return 'no number is marked ●; press Enter to close without adding any';
  return 'press Enter to add the ● numbers; nothing is sent before that';
}
