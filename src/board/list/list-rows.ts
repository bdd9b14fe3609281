import type { Parcel } from '../../watchlist/model/parcel.ts';
import { shownStage } from '../../watchlist/rules/parcel-stage.ts';
import type { Arrangement } from './arrange.ts';
import type { ParcelGroup } from './groups.ts';
import { partitionPoint } from './partition-point.ts';

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

/** A group of the list, or all of one without headings. */
interface Section {
  /** Null in a list without headings. */
  readonly group: ParcelGroup | null;
  readonly isCollapsed: boolean;
  /** Those that have a row. */
  readonly shown: readonly Parcel[];
  /** Its first row: the heading where it has one. */
  readonly from: number;
  readonly firstStop: number;
  /** Where its first parcel stands among all that are listed, hidden ones included. */
  readonly firstPosition: number;
}

/** Rows beside the likely one in which a parcel is looked for first. */
const near = 50;

/**
 * The rows of the list: headings, and the parcels of groups that are not collapsed. A row is made when somebody asks for it: of
 * a long list few are in sight. The selection stops on its way at parcels and at collapsed headings.
 */
export class ListRows {
  readonly #sections: readonly Section[];
  readonly #headings = new Map<Section, HeadingRow>();
  /** How many rows there are. */
  readonly count: number;
  /** At how many of them the selection stops. */
  readonly stopCount: number;

  /** @param collapsed keys of the groups of which only the heading is shown */
  constructor({ groups, grouping, order }: Arrangement, collapsed: readonly string[] = []) {
    const sections: Section[] = [];
    let [from, firstStop, firstPosition] = [0, 0, 0];
    const add = (group: ParcelGroup | null, parcels: readonly Parcel[], isCollapsed: boolean): void => {
      const shown = isCollapsed ? [] : parcels;
      sections.push({ group, isCollapsed, shown, from, firstStop, firstPosition });
      from += shown.length + (group === null ? 0 : 1);
      firstStop += isCollapsed ? 1 : shown.length;
      firstPosition += parcels.length;
    };
    if (grouping === null) add(null, order, false);
    else for (const group of groups) add(group, group.parcels, collapsed.includes(group.key));
    this.#sections = sections;
    this.count = from;
    this.stopCount = firstStop;
  }

  /** The row with an index; null beyond the ends. */
  at(index: number): ListRow | null {
    const section = this.#sectionOf(index);
    if (section === null) return null;
    const { from, group, shown } = section;
    if (group !== null && index === from) return this.#headingOf(section, group);
    const parcel = shown[index - from - (group === null ? 0 : 1)];
    return parcel === undefined ? null : { kind: 'parcel', parcel };
  }

  /** The rows from an index on, up to another one. */
  slice(from = 0, to = this.count): readonly ListRow[] {
    const rows: ListRow[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, this.count); index += 1) {
      const row = this.at(index);
      if (row !== null) rows.push(row);
    }
    return rows;
  }

  /** The row of a stop; -1 beyond the ends. */
  stop(index: number): number {
    const section = this.#sections[partitionPoint(this.#sections, ({ firstStop }) => firstStop <= index) - 1];
    if (section === undefined || index < 0 || index >= this.stopCount) return -1;
    const heading = section.group === null || section.isCollapsed ? 0 : 1;
    return section.from + heading + index - section.firstStop;
  }

  /** The first of the stops that is not above a row; their number where all are. */
  stopFrom(row: number): number {
    const section = this.#sectionOf(row);
    if (section === null) return row < 0 ? 0 : this.stopCount;
    const { firstStop, from, group, isCollapsed } = section;
    return group === null || isCollapsed ? firstStop + row - from : firstStop + Math.max(0, row - from - 1);
  }

  /** Where the parcel of a row stands among all that are listed, hidden ones included. */
  position(row: number): number {
    const section = this.#sectionOf(row);
    return section === null ? -1 : section.firstPosition + row - section.from - (section.group === null ? 0 : 1);
  }

  /** The row of the heading above a row, or itself; -1 for none. */
  headingAbove(row: number): number {
    const section = this.#sectionOf(row);
    return section === null || section.group === null ? -1 : section.from;
  }

  /** The nearest heading below or above a row, itself left out; -1 for none. */
  neighbourHeading(row: number, step: 1 | -1): number {
    const found =
      step === 1
        ? this.#sections.find(({ from, group }) => group !== null && from > row)
        : this.#sections.findLast(({ from, group }) => group !== null && from < row);
    return found?.from ?? -1;
  }

  /** The row of a group's heading; -1 for none. */
  rowOfGroup(key: string): number {
    return this.#sections.find(({ group }) => group?.key === key)?.from ?? -1;
  }

  /**
   * The row of a parcel; -1 where it has none.
   * @param likely a row near which it is looked for first
   */
  rowOfParcel(parcelId: string, likely = 0): number {
    for (let index = likely - near; index <= likely + near; index += 1) {
      const row = this.at(index);
      if (row?.kind === 'parcel' && row.parcel.id === parcelId) return index;
    }
    for (const { from, group, shown } of this.#sections) {
      const found = shown.findIndex(({ id }) => id === parcelId);
      if (found !== -1) return from + found + (group === null ? 0 : 1);
    }
    return -1;
  }

  /** The parcels between two rows, both included. */
  parcelsBetween(one: number, other: number): readonly Parcel[] {
    const [first, last] = [Math.min(one, other), Math.max(one, other)];
    return this.#sections.flatMap(({ from, group, shown }) => {
      const begin = from + (group === null ? 0 : 1);
      return shown.slice(Math.max(0, first - begin), Math.max(0, last + 1 - begin));
    });
  }

  #headingOf(section: Section, group: ParcelGroup): HeadingRow {
    const known = this.#headings.get(section);
    if (known !== undefined) return known;
    const heading = headingRow(group, section.isCollapsed);
    this.#headings.set(section, heading);
    return heading;
  }

  #sectionOf(row: number): Section | null {
    if (row < 0 || row >= this.count) return null;
    return this.#sections[partitionPoint(this.#sections, ({ from }) => from <= row) - 1] ?? null;
  }
}

function headingRow({ key, parcels, stages, title }: ParcelGroup, isCollapsed: boolean): HeadingRow {
  const countOf = (has: (parcel: Parcel) => boolean): number => (isCollapsed ? parcels.filter(has).length : 0);
  return {
    kind: 'heading',
    key,
    title,
    count: parcels.length,
    isCollapsed,
    unread: countOf(({ unread }) => unread !== undefined),
    // A group by urgency holds one stage.
    attention: stages.length > 0 ? 0 : countOf((parcel) => shownStage(parcel) === 'attention'),
  };
}
