import { dayMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import { awaitedDelivery, lateFrom, type Viewer } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { hasEnded } from '../../parcels/parcel-state.ts';
import { daysWithoutMovement } from '../../parcels/usual-times.ts';
import { courierName, lastEventRank, lastEventTime } from '../parcel-facts.ts';
import type { Viewing } from '../status/status-now.ts';

export const sortOrders = [
  'urgency',
  'newest-event',
  'next-check',
  'days-under-way',
  'days-still',
  'expected',
  'courier',
  'label',
] as const;
export type SortOrder = (typeof sortOrders)[number];

interface SortRule {
  readonly title: string;
  /** Default direction. */
  readonly direction: 'ascending' | 'descending';
  /** What comes first, in the default and in the reversed direction. */
  readonly first: readonly [normal: string, reversed: string];
}

const sortRules: Readonly<Record<SortOrder, SortRule>> = {
  urgency: { title: 'urgency', direction: 'descending', first: ['most urgent first', 'least urgent first'] },
  'newest-event': { title: 'newest event', direction: 'descending', first: ['newest first', 'oldest first'] },
  'next-check': { title: 'next check', direction: 'ascending', first: ['soonest first', 'latest first'] },
  'days-under-way': { title: 'days in transit', direction: 'descending', first: ['longest first', 'shortest first'] },
  'days-still': { title: 'days without news', direction: 'descending', first: ['longest first', 'shortest first'] },
  expected: { title: 'expected delivery', direction: 'ascending', first: ['soonest first', 'latest first'] },
  courier: { title: 'courier', direction: 'ascending', first: ['A to Z', 'Z to A'] },
  label: { title: 'label', direction: 'ascending', first: ['A to Z', 'Z to A'] },
};

export interface Sorting {
  readonly order: SortOrder;
  readonly isReversed: boolean;
}

export const urgentFirst: Sorting = { order: 'urgency', isReversed: false };

/** `by newest event ↓`. */
export function sortingTitle({ order, isReversed }: Sorting): string {
  const { direction, title } = sortRules[order];
  return `by ${title} ${(direction === 'descending') === isReversed ? '↑' : '↓'}`;
}

/** Describes an order and its direction. */
export function describeSorting({ order, isReversed }: Sorting): { readonly title: string; readonly first: string } {
  const { first, title } = sortRules[order];
  return { title: `by ${title}`, first: first[isReversed ? 1 : 0] };
}

/** A sort key, or null if it is unknown. */
type SortValue = number | string | null;

/** Added to the time of a forecast in milliseconds, so that it sorts after all promised days. */
const afterPromises = 1e14;

type SortContext = Viewer & Pick<Viewing, 'forecast'>;

/** Parcels are already sorted by urgency, so that order needs no key. */
const sortValues: Readonly<Record<SortOrder, (parcel: Parcel, viewer: SortContext) => SortValue>> = {
  urgency: () => null,
  'newest-event': lastEventRank,
  'next-check': (parcel) => (parcel.archivedAt === null ? parseInstant(parcel.nextPollAt) : null),
  'days-under-way': daysUnderWay,
  'days-still': timeWithoutMovement,
  // Sorted by the end, because days, windows and times all have one.
  expected: (parcel, viewer) => {
    const expected = awaitedDelivery(parcel);
    if (expected !== null) return lateFrom(expected, viewer);
    const forecast = viewer.forecast?.(parcel) ?? null;
    return forecast === null ? null : afterPromises + forecast.to;
  },
  courier: courierName,
  label: ({ label }) => label,
};

/** Returns the days in transit so far, or in total for an archived parcel. Null if the parcel has ended. */
function daysUnderWay(parcel: Parcel): number | null {
  const isFinished = parcel.archivedAt === null && hasEnded(parcel);
  return isFinished ? null : (parcel.record?.transitDays ?? null);
}

/** In milliseconds rather than days, so that parcels with the same number of days are also ordered. */
function timeWithoutMovement(parcel: Parcel, { now }: Viewer): number | null {
  const days = daysWithoutMovement(parcel, now);
  if (days === null) return null;
  const time = lastEventTime(parcel);
  return time === null ? days * dayMs : Math.max(0, now - time.latest);
}

/**
 * Sorts parcels that are already sorted by urgency. Parcels with equal keys keep that order. Parcels without a key come
 * last in both directions.
 */
export function sortParcels(
  parcels: readonly Parcel[],
  { isReversed, order }: Sorting,
  viewer: SortContext,
): readonly Parcel[] {
  if (order === 'urgency') return isReversed ? parcels.toReversed() : parcels;
  const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  const sign = (sortRules[order].direction === 'descending') === isReversed ? 1 : -1;
  const compare = (left: SortValue, right: SortValue): number => {
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const isText = typeof left === 'string' || typeof right === 'string';
    return sign * (isText ? collator.compare(String(left), String(right)) : left - right);
  };
  return parcels
    .map((parcel) => ({ parcel, value: sortValues[order](parcel, viewer) }))
    .sort(({ value: left }, { value: right }) => compare(left, right))
    .map(({ parcel }) => parcel);
}
