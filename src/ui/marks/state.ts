/** The part of the state that holds what is marked. */
export interface MarksState {
  /** Ids of the parcels that were marked, range left out; some may be gone. See {@link effectiveMarks}. */
  readonly marked: ReadonlySet<string>;
  /** The parcel with which a range was begun, which reaches to the selected one; null outside a range. */
  readonly rangeFrom: string | null;
}

/** What is marked, as the user sees it. */
export interface Marks {
  readonly ids: ReadonlySet<string>;
  /** How many of them the list does not show, e.g. because of a filter. */
  readonly unlisted: number;
  readonly isRange: boolean;
}

/** Nothing is marked. */
export const noMarks: MarksState = { marked: new Set(), rangeFrom: null };

/** A list in which parcels are marked. */
export interface MarkedList {
  /** Ids of the parcels that could be listed. */
  readonly known: ReadonlySet<string>;
  /** Ids of those that are, top to bottom, those of collapsed groups included. */
  readonly order: readonly string[];
  /** Ids of those that have a row; all that are listed when left out. A range reaches over no others. */
  readonly rows?: readonly string[];
  /** Among the rows; between two of them for a heading, -1 for none. */
  readonly selectedIndex: number;
}

/** Marks follow their parcels, whatever is listed in which order, and go when the parcel goes. */
export function effectiveMarks(
  { marked, rangeFrom }: MarksState,
  { known, order, rows = order, selectedIndex }: MarkedList,
): Marks {
  const kept = [...marked].filter((id) => known.has(id));
  const ids = new Set([...kept, ...(rangeFrom === null ? [] : rangeOf(rangeFrom, rows, selectedIndex))]);
  if (ids.size === 0) return { ids, unlisted: 0, isRange: rangeFrom !== null };
  const listed = order.filter((id) => ids.has(id)).length;
  return { ids, unlisted: ids.size - listed, isRange: rangeFrom !== null };
}

/** The parcels from one to the selected one; the selected one alone where the other is not listed any more. */
function rangeOf(fromId: string, rows: readonly string[], index: number): readonly string[] {
  if (index === -1) return [];
  const found = rows.indexOf(fromId);
  const from = found === -1 ? index : found;
  return rows.slice(Math.ceil(Math.min(from, index)), Math.floor(Math.max(from, index)) + 1);
}

/** One parcel marked, or not marked any more; a range comes to its end. */
export function toggled({ ids, isRange }: Marks, parcelId: string): MarksState {
  if (isRange) return { marked: ids, rangeFrom: null };
  const marked = new Set(ids);
  if (!marked.delete(parcelId)) marked.add(parcelId);
  return { marked, rangeFrom: null };
}

/** All of these marked; where they are already, none of them. */
export function toggledAll({ ids }: Marks, parcelIds: readonly string[]): MarksState {
  const listed = new Set(parcelIds);
  const areMarked = parcelIds.every((id) => ids.has(id));
  const others = [...ids].filter((id) => !listed.has(id));
  return { marked: new Set(areMarked ? others : [...others, ...parcelIds]), rangeFrom: null };
}

/** Without these. */
export function withoutMarks({ marked }: MarksState, parcelIds: readonly string[]): MarksState {
  const taken = new Set(parcelIds);
  return { marked: new Set([...marked].filter((id) => !taken.has(id))), rangeFrom: null };
}

/** How many are marked, for the frame of the list; null for none. */
export function marksText({ ids, isRange, unlisted }: Marks): string | null {
  if (ids.size === 0) return null;
  const besides = unlisted === 0 ? '' : `, ${unlisted} not listed`;
  return `${isRange ? 'range: ' : ''}${ids.size} marked${besides}`;
}
