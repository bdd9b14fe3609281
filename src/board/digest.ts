import { dayMs, type EpochMs } from '../lib/clock.ts';
import { deliveredAt } from '../parcels/delivery.ts';
import { isLate } from '../parcels/expected-delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isSnoozed, parcelStage, shownStage } from '../parcels/parcel-stage.ts';
import { placeText } from './list/row-texts.ts';
import { type NextStep, nextStep } from './next-step.ts';
import { deliveredPhrase, orderNoOf } from './parcel-facts.ts';
import { returnedAt, type Statistics, statisticsOf } from './statistics.ts';
import { dueDaysOf, expectedDay } from './status/expected-day.ts';
import { courierName, instantOf, lastEventRank, parcelTitle } from './status/stage.ts';
import { countedStage, statusNow, type Viewing } from './status/status-now.ts';
import { dayText, timeText, weekdayText, yearText } from './time/zone-time.ts';

export interface DigestItem {
  readonly parcel: Parcel;
  readonly title: string;
  /** Number (unless it is the title), courier and order number, as far as known. */
  readonly names: readonly string[];
  /** Status, place and expected day or time of delivery, as far as known. */
  readonly facts: readonly string[];
  /** What to do, or null. */
  readonly step: NextStep | null;
}

interface DigestSection {
  readonly title: string;
  readonly items: readonly DigestItem[];
}

/** A daily summary of the list. */
export interface Digest {
  /** `Sat 21 Nov 2026, 13:42 (Europe/Berlin)`. */
  readonly asOf: string;
  /** Without empty sections. */
  readonly sections: readonly DigestSection[];
  /** Sentences about the last seven days. */
  readonly totals: readonly string[];
}

type SectionName = 'needs-you' | 'today' | 'late' | 'next' | 'arrived';

/** Returns the first section that a parcel belongs to, or null. */
function sectionOf(parcel: Parcel, since: EpochMs, viewing: Viewing): SectionName | null {
  const stage = shownStage(parcel);
  if (stage === 'delivered') return (deliveredAt(parcel) ?? 0) >= since ? 'arrived' : null;
  if (parcel.archivedAt !== null || isSnoozed(parcel, viewing.now)) return null;
  if (stage === 'attention' || stage === 'pickup') return 'needs-you';
  const due = dueDaysOf(parcel, viewing);
  const isOut = countedStage(parcel, viewing) === 'out-for-delivery';
  if (isOut || (due !== null && !due.isLate && due.last === 0)) return 'today';
  if (isLate(parcel, viewing) || viewing.forecast?.(parcel)?.isSlow === true) return 'late';
  return due !== null && due.last > 0 && due.last <= daysAhead ? 'next' : null;
}

/** How many days "Arrives soon" covers. */
const daysAhead = 7;

/** @param parcels including archived ones, because they may have arrived recently */
export function digestOf(parcels: readonly Parcel[], since: EpochMs, viewing: Viewing): Digest {
  const { now, zone } = viewing;
  const found = Map.groupBy(parcels, (parcel) => sectionOf(parcel, since, viewing));
  const newestFirst = (a: Parcel, b: Parcel): number => (lastEventRank(b) ?? 0) - (lastEventRank(a) ?? 0);
  const byDay = (a: Parcel, b: Parcel): number =>
    (dueDaysOf(a, viewing)?.last ?? 0) - (dueDaysOf(b, viewing)?.last ?? 0);
  const section = (name: SectionName, title: string, order = newestFirst): readonly DigestSection[] => {
    const members = (found.get(name) ?? []).toSorted(order);
    return members.length === 0 ? [] : [{ title, items: members.map((parcel) => itemOf(parcel, viewing)) }];
  };
  const wall = zone.wallTime(now);
  return {
    asOf: `${weekdayText(wall)} ${dayText(wall)} ${yearText(wall)}, ${timeText(wall)} (${zone.name})`,
    sections: [
      ...section('needs-you', 'Needs you'),
      ...section('today', 'Arrives today'),
      ...section('late', 'Late'),
      ...section('next', 'Arrives soon', byDay),
      ...section('arrived', `Arrived since ${sinceText(since, viewing)}`),
    ],
    totals: totalsOf(parcels, viewing),
  };
}

function sinceText(since: EpochMs, { zone }: Viewing): string {
  const wall = zone.wallTime(since);
  const day = `${weekdayText(wall)} ${dayText(wall)}`;
  return wall % dayMs === 0 ? day : `${day}, ${timeText(wall)}`;
}

function itemOf(parcel: Parcel, viewing: Viewing): DigestItem {
  const title = parcelTitle(parcel);
  const isOver = parcelStage(parcel) === 'delivered';
  const when = isOver
    ? deliveredPhrase(parcel, viewing.now, viewing.zone, 'local')
    : expectedDay(parcel, viewing)?.full;
  const orderNo = orderNoOf(parcel);
  const status = statusNow(parcel, viewing);
  const known = (texts: readonly (string | null | undefined)[]): readonly string[] =>
    texts.flatMap((text) => text || []);
  return {
    parcel,
    title,
    names: known([
      title === parcel.trackNo ? null : parcel.trackNo,
      courierName(parcel),
      orderNo && `order ${orderNo}`,
    ]),
    facts: known([status, placeText(parcel), when]),
    step: nextStep(parcel, viewing),
  };
}

function totalsOf(parcels: readonly Parcel[], viewing: Viewing): readonly string[] {
  const { now, zone } = viewing;
  const weekMs = 7 * dayMs;
  const arrivedBetween = (from: EpochMs, to: EpochMs): number =>
    parcels.filter((parcel) => {
      const at = deliveredAt(parcel);
      return at !== null && at > from && at <= to;
    }).length;
  const added = parcels.filter(({ addedAt }) => (instantOf(addedAt) ?? 0) > now - weekMs).length;
  const returned = parcels.flatMap(returnedAt).filter((at) => at > now - weekMs).length;
  const { all, forecast }: Statistics = statisticsOf(parcels, { by: 'courier', since: now - weekMs, now, zone });
  const days =
    all.medianDays === null ? [] : [`Half of them took up to ${all.medianDays} days, 90% up to ${all.p90Days}.`];
  const score = forecast.made === 0 ? [] : [`Forecasts were right for ${forecast.right} of ${forecast.made} parcels.`];
  return [
    `${arrivedBetween(now - weekMs, now)} arrived, ${arrivedBetween(now - 2 * weekMs, now - weekMs)} in the week before.`,
    ...days,
    `${added} added, ${returned} returned to the sender, ${all.late} late, ${all.problems} with problems.`,
    ...score,
  ];
}
