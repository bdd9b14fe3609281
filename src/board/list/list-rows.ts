import type { Parcel } from '../../watchlist/model/parcel.ts';
import { shownStage } from '../../watchlist/rules/parcel-stage.ts';
import type { Arrangement } from './arrange.ts';
import type { ParcelGroup } from './groups.ts';

/** The heading of a group. */
export interface HeadingRow {
  readonly kind: 'heading';
  /** Of its group. */
  readonly key: string;
  readonly title: string;
  /** How many parcels it has. */
  readonly count: number;
  /** Whether its parcels are hidden. */
  readonly isCollapsed: boolean;
  /** How many of the hidden parcels are unread; 0 for an open group, whose rows say so. */
  readonly unread: number;
  /** How many of the hidden parcels need attention, unless the title says it. */
  readonly attention: number;
}

/** A row of the list. */
export type ListRow = HeadingRow | { readonly kind: 'parcel'; readonly parcel: Parcel };

/** The rows of the list: headings, and the parcels of groups that are not collapsed. */
export interface ListRows {
  readonly rows: readonly ListRow[];
  /** The rows at which the selection stops on its way: those of parcels, and collapsed headings. */
  readonly stops: readonly number[];
}

/** @param collapsed keys of the groups of which only the heading is shown */
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
  const countOf = (has: (parcel: Parcel) => boolean): number => (isCollapsed ? parcels.filter(has).length : 0);
  const heading: HeadingRow = {
    kind: 'heading',
    key,
    title,
    count: parcels.length,
    isCollapsed,
    unread: countOf(({ unread }) => unread !== undefined),
    // A group by urgency holds one stage.
    attention: stages.length > 0 ? 0 : countOf((parcel) => shownStage(parcel) === 'attention'),
  };
  return isCollapsed ? [heading] : [heading, ...parcels.map(parcelRow)];
}

/** The row of the heading above a row, or itself; -1 for none. */
export const headingAbove = (rows: readonly ListRow[], row: number): number => headingFrom(rows, row, -1);

/** The nearest heading below or above a row, itself left out; -1 for none. */
export const neighbourHeading = (rows: readonly ListRow[], row: number, step: 1 | -1): number =>
  headingFrom(rows, row + step, step);

function headingFrom(rows: readonly ListRow[], from: number, step: 1 | -1): number {
  for (let at = from; rows[at] !== undefined; at += step) if (rows[at]?.kind === 'heading') return at;
  return -1;
}

/** The row of a group's heading; -1 for none. */
export const rowOfGroup = (rows: readonly ListRow[], key: string): number =>
  rows.findIndex((row) => row.kind === 'heading' && row.key === key);

/** The row of a parcel; -1 where it has none. */
export const rowOfParcel = (rows: readonly ListRow[], parcelId: string): number =>
  rows.findIndex((row) => row.kind === 'parcel' && row.parcel.id === parcelId);

/** The parcels between two rows, both included. */
export const parcelsBetween = (rows: readonly ListRow[], one: number, other: number): readonly Parcel[] =>
  parcelsOf(rows.slice(Math.min(one, other), Math.max(one, other) + 1));

/** The parcels of rows. */
export const parcelsOf = (rows: readonly ListRow[]): readonly Parcel[] =>
  rows.flatMap((row) => (row.kind === 'parcel' ? [row.parcel] : []));
