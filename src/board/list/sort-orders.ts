import { dayMs } from '../../lib/clock.ts';
import { awaitedDelivery, lateFrom, type Viewer } from '../../parcels/expected-delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { hasEnded } from '../../parcels/parcel-stage.ts';
import { daysWithoutMovement } from '../../parcels/stillness.ts';
import { courierName, instantOf, lastEventRank, lastEventTime } from '../status/stage.ts';

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

/** An order in words. */
interface SortRule {
  readonly title: string;
  /** Which way it runs unless it is reversed. */
  readonly direction: 'ascending' | 'descending';
  /** What comes first: as the order usually runs, and reversed. */
  readonly first: readonly [usual: string, reversed: string];
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

/** An order and the way it runs. */
export interface Sorting {
  readonly order: SortOrder;
  readonly isReversed: boolean;
}

export const urgentFirst: Sorting = { order: 'urgency', isReversed: false };

/** An order with the way it runs, for the title of the list: `by newest event ↓`. */
export function sortingTitle({ order, isReversed }: Sorting): string {
  const { direction, title } = sortRules[order];
  return `by ${title} ${(direction === 'descending') === isReversed ? '↑' : '↓'}`;
}

/** An order in words, and what comes first. */
export function sortingWords({ order, isReversed }: Sorting): { readonly title: string; readonly first: string } {
  const { first, title } = sortRules[order];
  return { title: `by ${title}`, first: first[isReversed ? 1 : 0] };
}

/** What a parcel is compared by; null where it has nothing of it. */
type SortValue = number | string | null;

/** By urgency they come sorted already. */
const sortValues: Readonly<Record<SortOrder, (parcel: Parcel, viewer: Viewer) => SortValue>> = {
  urgency: () => null,
  'newest-event': lastEventRank,
  'next-check': (parcel) => (parcel.archivedAt === null ? instantOf(parcel.nextPollAt) : null),
  'days-under-way': daysUnderWay,
  'days-still': timeStill,
  // By the end: days, windows and points in time have one alike.
  expected: (parcel, viewer) => {
    const expected = awaitedDelivery(parcel);
    return expected === null ? null : lateFrom(expected, viewer);
  },
  courier: courierName,
  label: ({ label }) => label,
};

/** What has arrived or failed is not under way any more; of what was put away, how long it took. */
function daysUnderWay(parcel: Parcel): number | null {
  const isOver = parcel.archivedAt === null && hasEnded(parcel);
  return isOver ? null : (parcel.record?.transitDays ?? null);
}

/** More exactly than in days, so that of two parcels that stand still for a day the one that does so longer comes first. */
function timeStill(parcel: Parcel, { now }: Viewer): number | null {
  const days = daysWithoutMovement(parcel, now);
  if (days === null) return null;
  const time = lastEventTime(parcel);
  return time === null ? days * dayMs : Math.max(0, now - time.latest);
}

/**
 * Sorts parcels that come by urgency: of equals the more urgent comes first. Those that have nothing of what is sorted by stand
 * last, whichever way the order runs.
 * @param viewer when it is asked how long a parcel has been standing still, and whose days are meant where no zone was told
 */
export function sorted(parcels: readonly Parcel[], { isReversed, order }: Sorting, viewer: Viewer): readonly Parcel[] {
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
