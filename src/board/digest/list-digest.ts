import type { EpochMs } from '../../service/clock/clock.ts';
import { isJsonObject, type JsonObject } from '../../service/text/json.ts';
import { type ShownStage, shownStages } from '../../watchlist/rules/parcel-stage.ts';
import type { SoonestWaits } from '../../watchlist/state/soonest-waits.ts';
import { rankOfGroup } from '../list/groups.ts';
import { type ColumnNeeds, needNames } from '../list/list-columns.ts';

/** Columns whose texts change by the passing of time. */
export const changingColumns = ['status', 'statusOrEvent', 'expected'] as const;
export type ChangingColumn = (typeof changingColumns)[number];

/** A parcel whose text in a column may become the widest one. */
export interface WidthCandidate {
  /** Where its line begins. */
  readonly place: number;
  /** Cells that the text has at most. */
  readonly most: number;
}

/** What it takes to put parcels that have changed since in their places. All of them in the order of {@link ListDigest.ids}. */
export interface ChangeableDigest {
  /** What orders parcels of one group: see `urgencyWithinStage`. */
  readonly urgency: Float64Array;
  /** When each was added, where that is the same. */
  readonly addedAt: Float64Array;
  /** Of those that are out for delivery, the position of each among the tours; -1 for one that is postponed. */
  readonly tours: readonly number[];
}

/** How wide the texts of a column become. */
export interface WidthBounds {
  /** Widest first. */
  readonly candidates: readonly WidthCandidate[];
  /** Cells that the texts of all others have at most. */
  readonly others: number;
}

/**
 * What the first frame of a long list shows of the parcels that are not in sight: enough to paint, at any instant of the days
 * that follow, what the whole list would show. Of the parcels in sight it says where they stand in the file.
 */
export interface ListDigest {
  readonly madeAt: EpochMs;
  /** The viewer's zone, whose days are meant. */
  readonly zone: string;
  /** All watched parcels by urgency, those that were delivered today among the delivered ones. */
  readonly ids: readonly string[];
  /** Where the line of each begins in the file, in bytes. */
  readonly places: Uint32Array;
  /** Keys of the groups that there are, and how many parcels each has. */
  readonly groups: readonly (readonly [key: string, count: number])[];
  /** Of the delivered parcels, day for day as they stand: the day of the last event, null for none, and of how many. */
  readonly delivered: readonly (readonly [day: string | null, count: number])[];
  /** Positions of those that are unread. */
  readonly unread: readonly number[];
  /** How many are counted at a stage whatever day it is. */
  readonly counts: readonly (readonly [stage: ShownStage, count: number])[];
  /** How many are out for delivery by a tour of a day, see `TourDay`; 0 where those have changed since. */
  readonly tours: readonly (readonly [day: number | null, offset: number | null, count: number])[];
  /** See `UsualStillness`. */
  readonly usual: readonly (readonly [courier: string, days: number])[];
  /** Cells that the texts of all parcels need at any instant; those of changing columns are the least. */
  readonly needs: ColumnNeeds;
  readonly bounds: Readonly<Record<ChangingColumn, WidthBounds>>;
  /** The check that is planned farthest ahead; null for none. */
  readonly farthest: EpochMs | null;
  /** When the next checks are. */
  readonly checks: SoonestWaits;
  /** Null where a change makes the digest worthless. */
  readonly changeable: ChangeableDigest | null;
}

/** A digest as JSON. */
export function encodeDigest({ changeable, ids, places, ...rest }: ListDigest): JsonObject {
  const columns =
    changeable === null
      ? null
      : { ...changeable, urgency: textOf(changeable.urgency), addedAt: textOf(changeable.addedAt) };
  const encoded = { ...rest, ids: ids.join(' '), places: textOf(places), changeable: columns };
  return encoded as unknown as JsonObject;
}

const textOf = ({ buffer, byteLength, byteOffset }: Uint32Array | Float64Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** The digest in a value that anybody may have written; null where it is none. */
export function decodeDigest(value: unknown): ListDigest | null {
  if (!isJsonObject(value)) return null;
  const { bounds, ids, places, needs, checks, changeable, ...rest } = value;
  if (typeof ids !== 'string' || typeof places !== 'string') return null;
  const names = ids === '' ? [] : ids.split(' ');
  const starts = numbersIn(places, Uint32Array);
  if (starts === null || starts.length !== names.length) return null;
  const columns = changeable === null ? null : columnsIn(changeable, names.length);
  if (columns === undefined) return null;
  const isKnown =
    isNumber(rest['madeAt']) &&
    typeof rest['zone'] === 'string' &&
    isTotal(rest['groups'], isGroup, names.length) &&
    isTotal(rest['delivered'], isTextOrNull, countIn(rest['groups'], 'delivered')) &&
    isListOf(rest['unread'], (position) => isCount(position) && Number(position) < names.length) &&
    isListOf(rest['counts'], isPair(isStage, isCount)) &&
    isListOf(rest['tours'], isTour) &&
    (columns === null || areTours(columns.tours, rest['tours'], countIn(rest['groups'], 'out-for-delivery'))) &&
    isListOf(rest['usual'], isPair(isText, isCount)) &&
    (rest['farthest'] === null || isNumber(rest['farthest'])) &&
    isJsonObject(needs) &&
    needNames.every((name) => isCells(needs[name])) &&
    isJsonObject(bounds) &&
    changingColumns.every((column) => areBounds(bounds[column])) &&
    isJsonObject(checks) &&
    isNumber(checks['plausibleFrom']) &&
    isListOf(checks['register'], isWait) &&
    isListOf(checks['query'], isWait);
  return isKnown ? ({ ...value, ids: names, places: starts, changeable: columns } as unknown as ListDigest) : null;
}

/** Undefined where the value holds none. */
function columnsIn(value: unknown, count: number): ChangeableDigest | undefined {
  if (!isJsonObject(value)) return undefined;
  const [urgency, addedAt] = [value['urgency'], value['addedAt']].map((text) =>
    typeof text === 'string' ? numbersIn(text, Float64Array) : null,
  );
  const { tours } = value;
  if (urgency?.length !== count || addedAt?.length !== count || !Array.isArray(tours)) return undefined;
  return { urgency, addedAt, tours };
}

const areTours = (positions: readonly unknown[], tours: readonly unknown[], count: number): boolean =>
  positions.length === count && positions.every((at) => Number.isInteger(at) && (at === -1 || Number(at) in tours));

function numbersIn<Numbers extends Uint32Array | Float64Array>(
  text: string,
  kind: { readonly BYTES_PER_ELEMENT: number; new (length: number): Numbers },
): Numbers | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength % kind.BYTES_PER_ELEMENT !== 0) return null;
  const numbers = new kind(bytes.byteLength / kind.BYTES_PER_ELEMENT);
  new Uint8Array(numbers.buffer).set(bytes);
  return numbers;
}

type Test = (value: unknown) => boolean;

const isNumber: Test = (value) => Number.isFinite(value);
const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** No text of a parcel has more cells. */
const isCells: Test = (value) => isCount(value) && Number(value) <= 100_000;
const isText: Test = (value) => typeof value === 'string';
const isGroup: Test = (value) => typeof value === 'string' && rankOfGroup(value) !== -1;
const isTextOrNull: Test = (value) => value === null || typeof value === 'string';
const isStage: Test = (value) => (shownStages as readonly unknown[]).includes(value);

const isListOf = (value: unknown, isItem: Test): value is readonly unknown[] =>
  Array.isArray(value) && value.every(isItem);

const isPair =
  (isFirst: Test, isSecond: Test): Test =>
  (value) =>
    Array.isArray(value) && value.length === 2 && isFirst(value[0]) && isSecond(value[1]);

const isWait: Test = (value) => value === null || isPair(isNumber, isNumber)(value);

const isTour: Test = (value) =>
  Array.isArray(value) &&
  value.length === 3 &&
  (value[0] === null || isNumber(value[0])) &&
  (value[1] === null || (isNumber(value[1]) && Math.abs(Number(value[1])) <= 24 * 60)) &&
  isCount(value[2]);

/** Whether the counts of a list add up. */
const isTotal = (value: unknown, isName: Test, total: number): boolean =>
  isListOf(value, isPair(isName, isCount)) &&
  (value as [unknown, number][]).reduce((sum, [, n]) => sum + n, 0) === total;

function countIn(groups: unknown, group: string): number {
  const found = (groups as [unknown, number][]).find(([key]) => key === group);
  return found?.[1] ?? 0;
}

const areBounds: Test = (value) =>
  isJsonObject(value) &&
  isCells(value['others']) &&
  isListOf(
    value['candidates'],
    (candidate) => isJsonObject(candidate) && isCount(candidate['place']) && isCells(candidate['most']),
  );
