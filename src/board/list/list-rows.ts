import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
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
  /** Indices of the rows at which the selection stops on its way: parcels and collapsed headings. */
  readonly stops: readonly number[];
}

/**
 * The rows of an arrangement.
 * @param collapsed keys of the groups of which only the heading is shown
 */
export function listRows({ groups, grouping, order }: Arrangement, collapsed: readonly string[] = []): ListRows {
  const rows: ListRow[] = [];
  const stops: number[] = [];
  const addParcels = (parcels: readonly Parcel[]): void => {
    for (const parcel of parcels) {
      stops.push(rows.length);
      rows.push({ kind: 'parcel', parcel });
    }
  };
  if (grouping === null) addParcels(order);
  for (const group of groups) {
    const isCollapsed = collapsed.includes(group.key);
    if (isCollapsed) stops.push(rows.length);
    rows.push(headingRow(group, isCollapsed));
    if (!isCollapsed) addParcels(group.parcels);
  }
  return { rows, stops };
}

/** The key of the row of a group's heading; that of a parcel's is the parcel's id, which holds no blank. */
export const headingKey = (groupKey: string): string => `group ${groupKey}`;

/** What names a row among all of them. */
export const rowKey = (row: ListRow): string => (row.kind === 'heading' ? headingKey(row.key) : row.parcel.id);

function headingRow({ key, parcels, stages, title }: ParcelGroup, isCollapsed: boolean): HeadingRow {
  const countOf = (has: (parcel: Parcel) => boolean): number => (isCollapsed ? parcels.filter(has).length : 0);
  return {
    kind: 'heading',
    key,
    title,
    count: parcels.length,
    isCollapsed,
    unread: countOf(({ unread }) => unread !== undefined),
    attention: stages.includes('attention') ? 0 : countOf((parcel) => parcelStage(parcel) === 'attention'),
  };
}
