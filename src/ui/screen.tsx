import { Box } from 'ink';
import { parcelTitle } from '../board/status/view-stage.ts';
import type { Line } from '../board/text/line.ts';
import { timeModeTitle } from '../board/time/checkpoint-time.ts';
import type { MonitorState } from '../polling/core/state.ts';
import type { BoardContext } from './board-options.ts';
import { DetailsTable, fitsTable } from './details/details.tsx';
import { InputLine, type InputLineProps } from './field/input-line.tsx';
import { footerLine } from './footer/footer.ts';
import { boardDetails, boardHeader } from './header/header.ts';
import type { Layout } from './layout.ts';
import { type FrameTexts, framed } from './pane/frame.ts';
import { Lines } from './pane/lines.tsx';
import { CourierPicker } from './picker/courier-picker.tsx';
import { promptTexts } from './prompt/prompt-actions.ts';
import { isYesOrNo, keyContextOf, type Message, type UiState } from './state.ts';
import type { Theme } from './theme.ts';
import type { BoardView } from './use-board.ts';

/** What the screen is made of. */
export interface ScreenProps {
  readonly board: BoardContext;
  readonly view: BoardView;
  readonly layout: Exclude<Layout, { kind: 'too-small' }>;
  readonly theme: Theme;
}

/** Header, panes, input bar, footer. */
export function Screen({ board, view, layout, theme }: ScreenProps) {
  const { banner, context, state, ui } = view;
  const { columns, rows } = layout;
  const top: Line[] = [boardHeader(board, state, context.now, columns, theme), ...banner];
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Lines lines={top} theme={theme} />
      <Body board={board} view={view} layout={layout} theme={theme} />
      <InputLine {...inputOf(ui)} row={rows - 2} width={columns} theme={theme} />
      <Lines lines={[footerLine(keyContextOf(ui), shownMessage(state, ui), columns, theme.glyphs)]} theme={theme} />
    </Box>
  );
}

/** The message of the footer, unless the lines under the header say the same. */
function shownMessage({ notices, polling }: MonitorState, { message }: UiState): Message | null {
  const isTold = message !== null && (message.text === polling.problem?.message || notices.includes(message.text));
  return isTold ? null : message;
}

/** What the line under the panes is for: a question, the filter, or a number to add. */
function inputOf(ui: UiState): Pick<InputLineProps, 'name' | 'edit' | 'placeholder' | 'focused' | 'isQuestion'> {
  const isCovered = ui.overlay !== null || ui.picker !== null;
  if (ui.prompt !== null) {
    const { edit, purpose } = ui.prompt;
    const isQuestion = isYesOrNo(purpose);
    return { ...promptTexts(purpose), edit, focused: !isCovered && !isQuestion, isQuestion };
  }
  if (ui.focus === 'filter') {
    return {
      name: 'filter',
      edit: ui.filter,
      placeholder: 'number, label, courier, status or place',
      focused: !isCovered,
    };
  }
  return {
    name: 'add',
    edit: ui.draft,
    placeholder: 'number, or number @courier "label"',
    focused: ui.focus === 'add' && !isCovered,
  };
}

function Body({ board, view, layout, theme }: ScreenProps) {
  const { overlay, state, ui } = view;
  const details = ui.overlay === 'details' && board.setup.kind === 'ready' ? boardDetails(board, state) : null;
  if (details !== null && fitsTable(details, layout.body, theme)) {
    return <DetailsTable details={details} size={layout.body} />;
  }
  if (overlay !== null) {
    const title = ui.overlay === 'help' ? 'Keys' : ui.overlay === 'details' ? 'Details' : 'Set up';
    const texts = { title, ...scrollStatus(overlay.offset, overlay.lines.length, overlay.total) };
    return <Lines lines={framed(overlay.lines, texts, layout.body, true, theme.glyphs)} theme={theme} />;
  }
  return (
    <Box flexDirection={layout.kind === 'side-by-side' ? 'row' : 'column'} flexShrink={0}>
      <ListPane board={board} view={view} layout={layout} theme={theme} />
      <SecondPane board={board} view={view} layout={layout} theme={theme} />
    </Box>
  );
}

function ListPane({ view, layout, theme }: ScreenProps) {
  const { arrangement, list, state, ui } = view;
  const listed = arrangement.order.length;
  const watched = state.parcels.filter((parcel) => parcel.archivedAt === null).length;
  const filter = ui.filter.text;
  const lines =
    list.lines.length > 0
      ? list.lines.map((line) => line.line)
      : [
          [
            {
              text:
                watched === 0
                  ? ' No parcels yet. Press a and type a number.'
                  : ' No parcel matches. Esc clears the filter.',
              tone: 'quiet' as const,
            },
          ],
        ];
  const texts: FrameTexts = {
    title: filter === '' ? 'Parcels · by urgency' : `Parcels · “${filter}”`,
    status: filter === '' ? String(listed) : `${listed} of ${watched}`,
  };
  const focused = ui.focus === 'list' || ui.focus === 'filter';
  return <Lines lines={framed(lines, texts, layout.list, focused, theme.glyphs)} theme={theme} />;
}

/** The timeline of the selected parcel, or the courier picker in its place. */
function SecondPane({ board, view, layout, theme }: ScreenProps) {
  const { couriers, dispatch, matches, selected, timeline, ui } = view;
  if (ui.picker !== null) {
    return (
      <CourierPicker
        query={ui.picker.query}
        index={ui.picker.index}
        couriers={couriers}
        matches={matches}
        size={layout.timeline}
        theme={theme}
        onQuery={(query) => dispatch({ kind: 'picker-query-changed', query })}
      />
    );
  }
  const count = selected?.checkpointCount ?? 0;
  const scrolled = scrollStatus(timeline.offset, timeline.lines.length, timeline.total);
  const texts: FrameTexts = {
    title: selected === null ? 'Timeline' : parcelTitle(selected),
    titleRight: timeModeTitle(ui.timeMode, board.zone),
    status: scrolled.status ?? (count === 1 ? '1 event' : `${count} events`),
  };
  return (
    <Lines
      lines={framed(timeline.lines, texts, layout.timeline, ui.focus === 'timeline', theme.glyphs)}
      theme={theme}
    />
  );
}

/** Which lines are in sight, when not all are. */
function scrollStatus(offset: number, shown: number, total: number): { readonly status?: string } {
  return shown >= total ? {} : { status: `${offset + 1}–${offset + shown} of ${total}` };
}
