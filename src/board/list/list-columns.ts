/** A column of the parcel list. */
export type ColumnName = 'name' | 'courier' | 'status' | 'place' | 'expected' | 'event' | 'next' | 'age';

/** One column with its place in the row. */
export interface Column {
  readonly name: ColumnName;
  /** Cells. */
  readonly width: number;
}

/** Columns of a list of one width, left to right, and the cells between them. */
export interface ListColumns {
  readonly columns: readonly Column[];
  readonly gap: number;
}

/** Cells before the first column: selection, glyph, mark. */
export const leadWidth = 3;
/** Cells after the last column. */
export const trailWidth = 1;

/** One sign and up to four cells of age. */
const ageWidth = 5;

interface Plan {
  /** Used from this width on. */
  readonly from: number;
  readonly gap: number;
  /** Least width of each column. */
  readonly columns: Readonly<Partial<Record<ColumnName, number>>>;
}

/** From narrow to wide. In each the least widths fill `from` at most. */
const plans: readonly Plan[] = [
  { from: 0, gap: 1, columns: { name: 0 } },
  { from: 18, gap: 1, columns: { name: 8, age: ageWidth } },
  { from: 30, gap: 1, columns: { name: 8, status: 10, age: ageWidth } },
  { from: 48, gap: 1, columns: { name: 13, courier: 8, status: 14, age: ageWidth } },
  { from: 60, gap: 1, columns: { name: 13, courier: 10, status: 16, place: 8, age: ageWidth } },
  { from: 76, gap: 2, columns: { name: 14, courier: 10, status: 17, place: 10, next: 6, age: ageWidth } },
  { from: 94, gap: 2, columns: { name: 18, courier: 12, status: 20, place: 14, next: 9, age: ageWidth } },
  { from: 128, gap: 2, columns: { name: 20, courier: 14, status: 22, place: 16, event: 20, next: 9, age: ageWidth } },
];

/** Cells of an expected delivery. */
const expectedWidth = 10;

/** In place of the plans above in a list that holds expected deliveries; the first has them in the column of the place. */
const plansWithExpected: readonly Plan[] = [
  { from: 60, gap: 1, columns: { name: 13, courier: 8, status: 16, place: expectedWidth, age: ageWidth } },
  {
    from: 76,
    gap: 1,
    columns: { name: 13, courier: 8, status: 16, place: 8, expected: expectedWidth, next: 6, age: ageWidth },
  },
  {
    from: 94,
    gap: 2,
    columns: { name: 15, courier: 10, status: 17, place: 12, expected: expectedWidth, next: 9, age: ageWidth },
  },
  {
    from: 128,
    gap: 2,
    columns: {
      name: 18,
      courier: 12,
      status: 20,
      place: 14,
      event: 20,
      expected: expectedWidth,
      next: 9,
      age: ageWidth,
    },
  },
];

/** How columns share what is left: their part, and how wide they get at most. */
const growth: Readonly<Partial<Record<ColumnName, { readonly part: number; readonly most: number }>>> = {
  name: { part: 3, most: 30 },
  courier: { part: 1, most: 18 },
  status: { part: 2, most: 30 },
  place: { part: 2, most: 26 },
  event: { part: 6, most: Number.POSITIVE_INFINITY },
};

/**
 * The columns of a list of `width` cells: the same for every row, so that columns stay straight.
 * @param withExpected whether any parcel of the list has an expected delivery
 */
export function listColumns(width: number, withExpected = false): ListColumns {
  const widest = (candidates: readonly Plan[]): Plan | undefined => candidates.findLast(({ from }) => from <= width);
  const plan = (withExpected ? widest(plansWithExpected) : undefined) ?? widest(plans) ?? (plans[0] as Plan);
  const least = Object.entries(plan.columns) as [ColumnName, number][];
  const fixed = leadWidth + trailWidth + plan.gap * (least.length - 1);
  const rest = Math.max(0, width - fixed - least.reduce((sum, [, cells]) => sum + cells, 0));
  return { columns: share(least, rest), gap: plan.gap };
}

function share(least: readonly [ColumnName, number][], rest: number): Column[] {
  const parts = least.reduce((sum, [name]) => sum + (growth[name]?.part ?? 0), 0);
  const columns = least.map(([name, cells]) => {
    const rule = growth[name];
    if (rule === undefined) return { name, width: cells };
    return { name, width: Math.min(Math.max(cells, rule.most), cells + Math.floor((rest * rule.part) / parts)) };
  });
  const used =
    columns.reduce((sum, column) => sum + column.width, 0) - least.reduce((sum, [, cells]) => sum + cells, 0);
  // What rounding and limits leave goes to the text that suffers most from being cut.
  const taker = columns.some((column) => column.name === 'event') ? 'event' : 'name';
  return columns.map((column) => (column.name === taker ? { ...column, width: column.width + rest - used } : column));
}
