import { cellWidth, fitLine, fitText } from '../../lib/cells.ts';
import type { Line, Segment } from '../../lib/paint.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { shownStage } from '../../parcels/parcel-state.ts';
import { stageTable } from '../../parcels/stages.ts';
import type { Arrangement, ParcelGroup } from './arrange.ts';
import { withBackground } from './list-row.ts';

export interface HeadingRow {
  readonly kind: 'heading';
  readonly key: string;
  readonly title: string;
  readonly count: number;
  readonly isCollapsed: boolean;
  /** Number of hidden parcels with new changes. 0 if the group is expanded. */
  readonly unread: number;
  /** Number of hidden parcels that need attention. 0 if the title names the stage. */
  readonly attention: number;
}

export type ListRow = HeadingRow | { readonly kind: 'parcel'; readonly parcel: Parcel };

/** The rows of the list: headings, and the parcels of expanded groups. */
export interface ListRows {
  readonly rows: readonly ListRow[];
  /** Indexes of the rows that can be selected. */
  readonly stops: readonly number[];
}

/** @param collapsed keys of collapsed groups */
export function listRows(
  { groups, grouping, order }: Pick<Arrangement, 'groups' | 'grouping' | 'order'>,
  collapsed: readonly string[] = [],
): ListRows {
  const rows = grouping === null ? order.map(parcelRow) : groups.flatMap((group) => groupRows(group, collapsed));
  const stops = rows.flatMap((row, at) => (row.kind === 'heading' && !row.isCollapsed ? [] : [at]));
  return { rows, stops };
}

const parcelRow = (parcel: Parcel): ListRow => ({ kind: 'parcel', parcel });

function groupRows(group: ParcelGroup, collapsed: readonly string[]): readonly ListRow[] {
  const { key, parcels, stages, title } = group;
  const isCollapsed = collapsed.includes(key);
  const countHidden = (has: (parcel: Parcel) => boolean): number => (isCollapsed ? parcels.filter(has).length : 0);
  const heading: HeadingRow = {
    kind: 'heading',
    key,
    title,
    count: parcels.length,
    isCollapsed,
    unread: countHidden(({ unread }) => unread !== undefined),
    attention: stages.length > 0 ? 0 : countHidden((parcel) => shownStage(parcel) === 'attention'),
  };
  return isCollapsed ? [heading] : [heading, ...parcels.map(parcelRow)];
}

/** Returns the index of the heading at or above a row, or -1. */
export const headingAbove = (rows: readonly ListRow[], row: number): number => headingFrom(rows, row, -1);

/** Returns the index of the next heading below or above a row, or -1. */
export const neighbourHeading = (rows: readonly ListRow[], row: number, step: 1 | -1): number =>
  headingFrom(rows, row + step, step);

function headingFrom(rows: readonly ListRow[], from: number, step: 1 | -1): number {
  for (let at = from; rows[at] !== undefined; at += step) if (rows[at]?.kind === 'heading') return at;
  return -1;
}

/** Returns the index of a group's heading, or -1. */
export const findGroupRow = (rows: readonly ListRow[], key: string): number =>
  rows.findIndex((row) => row.kind === 'heading' && row.key === key);

/** Returns the index of a parcel's row, or -1. */
export const findParcelRow = (rows: readonly ListRow[], parcelId: string): number =>
  rows.findIndex((row) => row.kind === 'parcel' && row.parcel.id === parcelId);

export const parcelsBetween = (rows: readonly ListRow[], start: number, end: number): readonly Parcel[] =>
  rows
    .slice(Math.min(start, end), Math.max(start, end) + 1)
    .flatMap((row) => (row.kind === 'parcel' ? [row.parcel] : []));

export interface ListWindow {
  readonly rows: readonly ListRow[];
  readonly offset: number;
}

const scrollMargin = 2;

/** The heading sticks to the top if the window has at least this many rows. */
const minStickyRows = 4;

/**
 * Returns the visible rows.
 * @param offset number of rows above the window; see {@link scrollToSelection}
 */
export function listWindow(rows: readonly ListRow[], offset: number, height: number): ListWindow {
  const room = wholeRows(height);
  const visible = rows.slice(offset, offset + room);
  const windowRows = hasStickyHeading(rows, room) ? withHeading(rows, offset, visible) : visible;
  return { rows: windowRows, offset };
}

/**
 * Returns the number of rows above the window, changed only as far as needed to show the selection.
 * @param selectedRow row to keep visible, or -1
 * @param offset the previous result, 0 at first
 */
export function scrollToSelection(
  rows: readonly ListRow[],
  selectedRow: number,
  offset: number,
  height: number,
): number {
  const room = wholeRows(height);
  const covered = hasStickyHeading(rows, room) ? 1 : 0;
  return scrollIntoView(offset, selectedRow, { height: room, covered, total: rows.length });
}

const wholeRows = (height: number): number => Math.max(0, Math.floor(height));

const hasStickyHeading = (rows: readonly ListRow[], room: number): boolean =>
  room >= minStickyRows && rows[0]?.kind === 'heading';

function withHeading(rows: readonly ListRow[], from: number, visible: readonly ListRow[]): readonly ListRow[] {
  if (visible[0]?.kind !== 'parcel') return visible;
  const heading = rows[headingAbove(rows, from)];
  return heading === undefined ? visible : [heading, ...visible.slice(1)];
}

interface ScrollArea {
  readonly height: number;
  /** Rows at the top that a sticky heading may cover. */
  readonly covered: number;
  readonly total: number;
}

const fitMargin = (height: number, covered: number): number =>
  Math.max(0, Math.min(scrollMargin, Math.floor((height - covered - 1) / 2)));

/** Returns the offset, changed only as far as needed to show the row at `index` with a margin. -1 means no row. */
export function scrollIntoView(offset: number, index: number, { covered, height, total }: ScrollArea): number {
  const last = Math.max(0, total - height);
  const margin = fitMargin(height, covered);
  let next = offset;
  if (index >= 0) next = Math.min(Math.max(next, index + margin - height + 1), index - margin - covered);
  return Math.min(Math.max(next, 0), last);
}

/**
 * Scrolls by a number of rows, ignoring the selection. Returns the new offset and the range of rows that can be
 * selected without scrolling again.
 */
export function scrollBy(
  rows: readonly ListRow[],
  offset: number,
  by: number,
  height: number,
): { readonly offset: number; readonly from: number; readonly to: number } {
  const room = wholeRows(height);
  const last = Math.max(0, rows.length - room);
  const covered = hasStickyHeading(rows, room) ? 1 : 0;
  const margin = fitMargin(room, covered);
  const at = Math.min(Math.max(0, offset + by), last);
  return {
    offset: at,
    from: at === 0 ? 0 : at + covered + margin,
    to: at === last ? rows.length - 1 : at + room - 1 - margin,
  };
}

export interface GroupHeadingInput extends Omit<HeadingRow, 'kind' | 'key'> {
  /** Width of the row, in cells. */
  readonly width: number;
  readonly selected?: boolean;
}

const collapsedSymbol = '› ';

/**
 * Returns a group heading of exactly `width` cells, with the title on the left and the count on the right. For a
 * collapsed group, it also counts the hidden parcels that are new or need attention.
 */
export function groupHeading(input: GroupHeadingInput): Line {
  const { attention, count, isCollapsed, selected = false, title, unread, width } = input;
  const hiddenCounts: Segment[] = [
    ...(attention === 0
      ? []
      : [{ text: `${stageTable.attention.symbol} ${attention} · `, tone: 'attention' as const, bold: true }]),
    ...(unread === 0 ? [] : [{ text: `${unread} new · `, tone: 'accent' as const }]),
  ];
  const right: Line = [...hiddenCounts, { text: `${count} `, dim: true }];
  const symbol = isCollapsed ? collapsedSymbol : '';
  const room = Math.max(0, width - 1 - symbol.length - right.reduce((sum, { text }) => sum + cellWidth(text), 0));
  const line = fitLine(
    [
      { text: selected ? '▌' : ' ', tone: 'accent', bold: true },
      { text: symbol, tone: 'accent', bold: true },
      { text: fitText(title, room), bold: true },
      ...right,
    ],
    width,
  );
  return selected ? withBackground(line) : line;
}
