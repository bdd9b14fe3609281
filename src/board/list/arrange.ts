import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Stage } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { noUsualStillness, type UsualStillness } from '../../watchlist/rules/quiet.ts';
import { createFilter } from '../filter/create-filter.ts';
import { urgencyWithinStage } from '../status/standing.ts';
import { instantOf } from '../status/view-stage.ts';
import { dateInZone } from '../time/zone-time.ts';

/** Parcels that stand under one heading. */
export interface ParcelGroup {
  readonly title: string;
  readonly stages: readonly Stage[];
  readonly parcels: readonly Parcel[];
}

/** A row of the list. */
export type ListRow =
  | { readonly kind: 'heading'; readonly title: string; readonly count: number }
  | { readonly kind: 'parcel'; readonly parcel: Parcel };

/** The parcels of the board in the order in which they are shown. */
export interface Arrangement {
  /** By urgency; groups without parcels are left out. */
  readonly groups: readonly ParcelGroup[];
  /** All parcels of the groups, top to bottom. */
  readonly order: readonly Parcel[];
  /** The same with the headings of the groups. */
  readonly rows: readonly ListRow[];
}

/** What to arrange. */
export interface ArrangeInput {
  readonly parcels: readonly Parcel[];
  /** See `createFilter`; empty for all. */
  readonly filter: string;
  readonly now: EpochMs;
  /** The viewer's zone: it decides what was delivered today. */
  readonly zone: Zone;
  /** For how long parcels usually stand still; none is quiet when left out. */
  readonly usual?: UsualStillness;
}

interface GroupRule {
  readonly title: string;
  readonly stages: readonly Stage[];
  /** Only parcels whose last event was today, or only the others. */
  readonly today?: boolean;
}

const groupRules: readonly GroupRule[] = [
  { title: 'Needs attention', stages: ['attention'] },
  { title: 'Out for delivery', stages: ['out-for-delivery'] },
  { title: 'Ready to pick up', stages: ['pickup'] },
  { title: 'On the way', stages: ['in-transit'] },
  { title: 'Announced', stages: ['announced'] },
  { title: 'No record yet', stages: ['no-record'] },
  { title: 'Unknown status', stages: ['unknown'] },
  { title: 'Delivered today', stages: ['delivered'], today: true },
  { title: 'Delivered', stages: ['delivered'], today: false },
  { title: 'Expired', stages: ['expired'] },
];

/** Sorts parcels into groups by urgency, newest event first, archived ones left out. Equal ones keep their order. */
export function arrange({ parcels, filter, now, usual = noUsualStillness, zone }: ArrangeInput): Arrangement {
  const passes = createFilter(filter, { now, usual, zone });
  const today = dateInZone(now, zone);
  const entries = parcels
    .filter((parcel) => parcel.archivedAt === null && passes(parcel))
    .map((parcel) => ({
      parcel,
      rule: ruleOf(parcel, { now, today, zone }),
      urgency: urgencyWithinStage(parcel),
      addedAt: instantOf(parcel.addedAt) ?? Number.NEGATIVE_INFINITY,
    }))
    .sort((left, right) => descending(left.urgency, right.urgency) || descending(left.addedAt, right.addedAt));
  const groups = groupRules
    .map((rule) => ({
      title: rule.title,
      stages: rule.stages,
      parcels: entries.filter((entry) => entry.rule === rule).map((entry) => entry.parcel),
    }))
    .filter((group) => group.parcels.length > 0);
  const order = groups.flatMap((group) => group.parcels);
  const rows = groups.flatMap(({ parcels: members, title }): ListRow[] => [
    { kind: 'heading', title, count: members.length },
    ...members.map((parcel): ListRow => ({ kind: 'parcel', parcel })),
  ]);
  return { groups, order, rows };
}

/** The viewer's day. */
interface Today extends Pick<ArrangeInput, 'now' | 'zone'> {
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

function ruleOf(parcel: Parcel, day: Today): GroupRule | undefined {
  const stage = parcelStage(parcel);
  // Only some rules need the day.
  const isToday = (): boolean => wasToday(parcel, day);
  return groupRules.find(
    (rule) => rule.stages.includes(stage) && (rule.today === undefined || rule.today === isToday()),
  );
}

/** Longer than any day, one that a zone lives through twice included. */
const longerThanADay = 49 * 60 * 60_000;

/** Whether the last event was on the viewer's day; without a zone, on that day of the courier's. */
function wasToday({ lastEvent }: Parcel, { now, today, zone }: Today): boolean {
  const at = instantOf(lastEvent?.at ?? null);
  if (at === null) return lastEvent?.local?.slice(0, 10) === today;
  return Math.abs(now - at) < longerThanADay && dateInZone(at, zone) === today;
}

function descending(left: number, right: number): number {
  return left === right ? 0 : right - left;
}
