import { cellWidth, cut, fitLine, lineWidth } from '../lib/cells.ts';
import type { Line, Segment } from '../lib/paint.ts';

/** Size of a pane in cells, including its frame. */
export interface PaneSize {
  readonly width: number;
  readonly height: number;
}

export const mainPanes = ['list', 'timeline'] as const;
type MainPane = (typeof mainPanes)[number];

interface PaneSizes {
  readonly body: PaneSize;
  readonly list: PaneSize;
  readonly timeline: PaneSize;
}

/** If the window is too small, all sizes are zero. */
export type Layout = PaneSizes &
  (
    | { readonly kind: 'too-small' | 'side-by-side' | 'stacked' }
    | {
        readonly kind: 'single';
        readonly pane: MainPane;
        /** Whether the user zoomed the pane. If not, the window is too small for two panes. */
        readonly isZoomed: boolean;
      }
  );

/** Minimum columns to show the timeline next to a list with journeys. */
const minSideBySideColumns = 148;
/** In a short window, fewer columns are enough, because panes are taller side by side. */
const minSideBySideColumnsIfShort = 84;
const minStackedRows = 24;
const minTwoPaneRows = 16;
export const minColumns = 40;
export const minRows = 10;

const noSize: PaneSize = { width: 0, height: 0 };
const fixedRows = 3;
const timelineShare = 0.36;
const maxTimelineCells = 96;
const tallBodyRows = 24;

/**
 * Divides the window into panes.
 * @param focused the pane that has, or last had, the focus
 * @param bannerRows number of lines of the banner below the header
 * @param zoom whether one pane fills the window, or null to decide by its size
 */
export function computeLayout(
  columns: number,
  rows: number,
  focused: MainPane,
  bannerRows: number,
  zoom: boolean | null = null,
): Layout {
  if (columns < minColumns || rows < minRows)
    return { kind: 'too-small', body: noSize, list: noSize, timeline: noSize };
  const body = { width: columns, height: rows - fixedRows - bannerRows };
  const isSideBySide = columns >= (rows < minStackedRows ? minSideBySideColumnsIfShort : minSideBySideColumns);
  const isSmall = rows < minTwoPaneRows || (!isSideBySide && rows < minStackedRows);
  if (zoom ?? isSmall) {
    return { kind: 'single', body, pane: focused, isZoomed: !isSmall, list: body, timeline: body };
  }
  if (isSideBySide) {
    const width = Math.min(maxTimelineCells, Math.floor(columns * timelineShare));
    return { kind: 'side-by-side', body, list: { ...body, width: columns - width }, timeline: { ...body, width } };
  }
  const share = body.height >= tallBodyRows ? 0.6 : focused === 'list' ? 0.58 : 0.42;
  const height = Math.min(Math.max(3, Math.round(body.height * share)), body.height - 3);
  return { kind: 'stacked', body, list: { ...body, height }, timeline: { ...body, height: body.height - height } };
}

export const showsTimeline = (layout: Layout): boolean =>
  layout.kind === 'single' ? layout.pane === 'timeline' : layout.kind !== 'too-small';

/** The panes that can have the focus, in Tab order. */
const panes = ['list', 'timeline', 'add'] as const;
type Pane = (typeof panes)[number];

export type Focus = Pane | 'filter';

/** Returns the main pane that has the focus, or that gets it when the user leaves the input bar or the filter. */
export const mainPaneFor = (focus: Focus): MainPane => (focus === 'timeline' ? 'timeline' : 'list');

/**
 * Returns the next or previous pane.
 * @param isZoomed skips the input bar, in which the key that shows both panes would be typed as text
 */
export function neighbourPane(focus: Focus, step: 1 | -1, isZoomed = false): Pane {
  if (isZoomed) return focus === 'list' ? 'timeline' : 'list';
  const index = focus === 'filter' ? 0 : panes.indexOf(focus);
  return panes[(index + step + panes.length) % panes.length] ?? 'list';
}

export interface FrameTexts {
  /** Truncated to fit next to the right title. */
  readonly title: string | Line;
  readonly titleRight?: string;
  /** Link of the right title, or null. */
  readonly titleLink?: string | null;
  readonly status?: string;
}

export const innerSize = (size: PaneSize): PaneSize => ({
  width: Math.max(0, size.width - 2),
  height: Math.max(0, size.height - 2),
});

const frameStyle = (isFocused: boolean): Pick<Segment, 'tone'> => ({ tone: isFocused ? 'accent' : 'quiet' });

function paneEdge(
  [start, end]: readonly [string, string],
  { title, titleLink = null, titleRight = '' }: FrameTexts,
  width: number,
  isFocused: boolean,
): Line {
  const room = Math.max(0, width - 2);
  const rightText = titleRight === '' || cellWidth(titleRight) + 4 > room ? '' : ` ${titleRight} `;
  const leftRoom = room - cellWidth(rightText) - (rightText === '' ? 0 : 1);
  const leftLine: Line = typeof title === 'string' ? titleLine(title, leftRoom, isFocused) : title;
  const tail = rightText === '' ? '' : '─';
  const rule = '─'.repeat(Math.max(0, room - lineWidth(leftLine) - cellWidth(rightText) - cellWidth(tail)));
  const style = frameStyle(isFocused);
  return [
    { text: start, ...style },
    ...leftLine,
    { text: rule, ...style },
    { text: rightText, tone: 'quiet', ...(titleLink === null ? {} : { link: titleLink }) },
    { text: tail + end, ...style },
  ];
}

function titleLine(title: string, room: number, isFocused: boolean): Line {
  if (title === '' || room < 4) return [];
  return [{ text: ` ${cut(title, room - 2)} `, bold: isFocused }];
}

export interface PaneContent {
  readonly texts: FrameTexts;
  readonly size: PaneSize;
  readonly isFocused: boolean;
  readonly lines: readonly Line[];
}

/** Returns the top and bottom edges of a pane, and one cell of its sides. */
export const paneFrame = ({ isFocused, size: { width }, texts }: Omit<PaneContent, 'lines'>) => ({
  top: paneEdge(['╭', '╮'], texts, width, isFocused),
  bottom: paneEdge(['╰', '╯'], { title: '', titleRight: texts.status ?? '' }, width, isFocused),
  side: { text: '│', ...frameStyle(isFocused) },
});

export interface Scroll {
  readonly offset: number;
  readonly last: number;
  readonly rows: number;
}

/** Returns the position `by` rows further, clamped to 0 and `last`. */
export const moveWithin = (from: number, by: number, last: number): number =>
  Math.min(Math.max(0, from + by), Math.max(0, last));

export function scrollWithin(total: number, offset: number, rows: number): Scroll {
  const last = Math.max(0, total - rows);
  return { offset: moveWithin(0, offset, last), last, rows };
}

/** Returns the scroll offset that puts the chosen row in the middle, if possible. */
export const centredOffset = (chosen: number, total: number, rows: number): number =>
  Math.max(0, Math.min(chosen - Math.floor(rows / 2), total - rows));

export interface VisibleText {
  readonly lines: readonly Line[];
  readonly scroll: Scroll;
}

/** Returns the lines that are visible when the text is scrolled by `offset` rows. */
export function visibleText(lines: readonly Line[], offset: number, rows: number): VisibleText {
  const scroll = scrollWithin(lines.length, offset, rows);
  return { lines: lines.slice(scroll.offset, scroll.offset + scroll.rows), scroll };
}

/** Returns which rows are visible, such as `3–12 of 40`. Empty if all are. */
export function scrollStatus({ last, offset, rows }: Scroll): { readonly status?: string } {
  return last === 0 ? {} : { status: `${offset + 1}–${offset + rows} of ${last + rows}` };
}

export interface Block {
  readonly lines: readonly Line[];
  readonly spans: readonly Span[];
}

/** The first row, the row after the last one, and the first cell. */
export interface Span {
  readonly left?: number;
  readonly from: number;
  readonly to: number;
}

const blockHeight = ({ lines }: Block): number => lines.length;

function stackBlocks(blocks: readonly Block[]): Block {
  const lines: Line[] = [];
  const spans: Span[] = [];
  for (const block of blocks) {
    if (lines.length > 0) lines.push([]);
    const above = lines.length;
    lines.push(...block.lines);
    spans.push(...block.spans.map(({ from, to }) => ({ from: from + above, to: to + above })));
  }
  return { lines, spans };
}

/** Fills columns from left to right, with at most `maxRows` rows each. */
function fillColumns(blocks: readonly Block[], maxRows: number): readonly (readonly Block[])[] {
  const columns: Block[][] = [];
  let rows = 0;
  for (const block of blocks) {
    const last = columns.at(-1);
    const below = rows + (rows > 0 ? 1 : 0) + blockHeight(block);
    if (last !== undefined && below <= maxRows) {
      last.push(block);
      rows = below;
    } else {
      columns.push([block]);
      rows = blockHeight(block);
    }
  }
  return columns;
}

/** Arranges blocks in order in at most this many columns, using as few rows as possible. Never splits a block. */
export function arrangeInColumns(blocks: readonly Block[], count: number, width: number, gap: number): Block {
  if (count <= 1) return stackBlocks(blocks);
  let maxRows = Math.max(0, ...blocks.map(blockHeight));
  while (fillColumns(blocks, maxRows).length > count) maxRows += 1;
  const columns = fillColumns(blocks, maxRows).map(stackBlocks);
  const rows = Math.max(0, ...columns.map(blockHeight));
  const space: Line = [{ text: ' '.repeat(gap) }];
  const lines = Array.from({ length: rows }, (_, row) =>
    columns.flatMap(({ lines: column }, index): Line => {
      const line = column[row] ?? [];
      return index === columns.length - 1 ? line : [...fitLine(line, width), ...space];
    }),
  );
  return {
    lines,
    spans: columns.flatMap(({ spans }, index) => spans.map((span) => ({ ...span, left: index * (width + gap) }))),
  };
}
