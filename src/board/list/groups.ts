import type { Zone } from '../../service/clock/zone.ts';
import { wallOf } from '../../service/record/timeline-order.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type ShownStage, shownStage } from '../../watchlist/rules/parcel-stage.ts';
import type { Viewing } from '../status/status-now.ts';
import { courierName, instantOf } from '../status/view-stage.ts';
import { dateText } from '../time/wall-text.ts';
import { dateInZone } from '../time/zone-time.ts';

/** Parcels that stand under one heading. */
export interface ParcelGroup {
  /** Names the group for as long as there are such parcels, over restarts, too. */
  readonly key: string;
  readonly title: string;
  /** Of what stages its parcels are; none where they are grouped by something else. */
  readonly stages: readonly ShownStage[];
  readonly parcels: readonly Parcel[];
}

/** What the parcels of a group have in common. */
export type GroupRule = Omit<ParcelGroup, 'parcels'> & {
  /** Only parcels whose last event was today, or only the others. */
  readonly today?: boolean;
};

/** By urgency. */
const stageRules: readonly GroupRule[] = [
  { key: 'attention', title: 'Needs attention', stages: ['attention'] },
  { key: 'out-for-delivery', title: 'Out for delivery', stages: ['out-for-delivery'] },
  { key: 'pickup', title: 'Ready to pick up', stages: ['pickup'] },
  { key: 'in-transit', title: 'On the way', stages: ['in-transit'] },
  { key: 'announced', title: 'Announced', stages: ['announced'] },
  { key: 'no-record', title: 'No record yet', stages: ['no-record'] },
  { key: 'unknown', title: 'Unknown status', stages: ['unknown'] },
  { key: 'delivered-today', title: 'Delivered today', stages: ['delivered'], today: true },
  { key: 'delivered', title: 'Delivered', stages: ['delivered'], today: false },
  { key: 'expired', title: 'Expired', stages: ['expired'] },
  { key: 'closed', title: 'Closed', stages: ['closed'] },
];

/** Where the first rule for each stage stands. */
const firstRanks: ReadonlyMap<ShownStage, number> = new Map(
  stageRules.flatMap(({ stages }, rank) => stages.map((stage) => [stage, rank] as const)).toReversed(),
);

/** The groups that are collapsed at first: what was delivered before today. */
export const collapsedAtFirst: readonly string[] = ['delivered'];

/** Where a parcel stands among the groups by urgency: 0 for the most urgent. */
export function urgencyRank({ now, zone }: Viewing): (parcel: Parcel) => number {
  const today = dateInZone(now, zone);
  return (parcel) => {
    const first = firstRanks.get(shownStage(parcel)) ?? -1;
    // Only some rules need the day; that of the others stands behind it.
    return stageRules[first]?.today !== true || wasToday(parcel, { now, zone, today }) ? first : first + 1;
  };
}

/** The group of a parcel by urgency. */
export const stageGroup = (rank: number): GroupRule => stageRules[rank] ?? (stageRules.at(-1) as GroupRule);

/** The group of a parcel by courier. */
export function courierGroup(parcel: Parcel): GroupRule {
  const name = courierName(parcel);
  return { key: `courier ${name ?? ''}`, title: name ?? 'Courier not known yet', stages: [] };
}

/** Puts parcels that stand beside each other and have the same group under one heading. */
export function inGroups(parcels: readonly Parcel[], groupOf: (parcel: Parcel) => GroupRule): readonly ParcelGroup[] {
  const groups = new Map<string, GroupRule & { readonly parcels: Parcel[] }>();
  for (const parcel of parcels) {
    const rule = groupOf(parcel);
    const group = groups.get(rule.key);
    if (group === undefined) groups.set(rule.key, { ...rule, parcels: [parcel] });
    else group.parcels.push(parcel);
  }
  return [...groups.values()];
}

/** Longer than any day, one that a zone lives through twice included. */
const longerThanADay = 49 * 60 * 60_000;

/** The day of the last event, `YYYY-MM-DD`: the viewer's, and without a zone the courier's. Null where it is not known. */
export function lastEventDay({ lastEvent }: Pick<Parcel, 'lastEvent'>, zone: Zone): string | null {
  const at = instantOf(lastEvent?.at ?? null);
  return at === null ? localDay(lastEvent) : dateInZone(at, zone);
}

/** The day that the courier gives, `YYYY-MM-DD`. */
function localDay(event: Parcel['lastEvent']): string | null {
  const wall = event === null ? null : wallOf(event);
  return wall === null ? null : dateText(wall);
}

/** Whether the last event was on the viewer's day; without a zone, on that day of the courier's. */
function wasToday({ lastEvent }: Parcel, { now, today, zone }: Viewing & { readonly today: string }): boolean {
  const at = instantOf(lastEvent?.at ?? null);
  if (at === null) return localDay(lastEvent) === today;
  return Math.abs(now - at) < longerThanADay && dateInZone(at, zone) === today;
}
