/** Hours of the local day. The end is exclusive. */
export type DayWindow = readonly [fromHour: number, toHour: number];

export interface EventMeaning {
  readonly subStatus: string;
  /** When the event can happen. Null means at any time. */
  readonly window: DayWindow | null;
}

const officeHours: DayWindow = [9, 18];
const deliveryHours: DayWindow = [9, 20];
const tourStartHours: DayWindow = [6, 9];

/** Together these cover all 28 sub-statuses. */
export const eventMeanings = {
  announced: { subStatus: 'INFO_RECEIVED_01', window: officeHours },
  'picked-up': { subStatus: 'IN_TRANSIT_01', window: deliveryHours },
  departed: { subStatus: 'IN_TRANSIT_01', window: null },
  sorted: { subStatus: 'IN_TRANSIT_02', window: null },
  'customs-cleared': { subStatus: 'IN_TRANSIT_03', window: officeHours },
  'packed-for-airport': { subStatus: 'IN_TRANSIT_04', window: null },
  'handed-to-airline': { subStatus: 'IN_TRANSIT_05', window: null },
  landed: { subStatus: 'IN_TRANSIT_06', window: null },
  'at-depot': { subStatus: 'IN_TRANSIT_07', window: null },
  'flight-departed': { subStatus: 'IN_TRANSIT_08', window: null },
  'out-for-delivery': { subStatus: 'WAITING_DELIVERY_01', window: tourStartHours },
  'at-collection-point': { subStatus: 'WAITING_DELIVERY_02', window: deliveryHours },
  postponed: { subStatus: 'WAITING_DELIVERY_03', window: deliveryHours },
  delivered: { subStatus: 'DELIVERED_01', window: deliveryHours },
  collected: { subStatus: 'DELIVERED_02', window: deliveryHours },
  signed: { subStatus: 'DELIVERED_03', window: deliveryHours },
  'left-with-neighbour': { subStatus: 'DELIVERED_04', window: deliveryHours },
  'address-problem': { subStatus: 'DELIVERY_FAILED_01', window: deliveryHours },
  'nobody-home': { subStatus: 'DELIVERY_FAILED_02', window: deliveryHours },
  unreachable: { subStatus: 'DELIVERY_FAILED_03', window: deliveryHours },
  'attempt-failed': { subStatus: 'DELIVERY_FAILED_04', window: deliveryHours },
  unclaimed: { subStatus: 'ABNORMAL_01', window: officeHours },
  'customs-held': { subStatus: 'ABNORMAL_02', window: officeHours },
  damaged: { subStatus: 'ABNORMAL_03', window: null },
  lost: { subStatus: 'ABNORMAL_03', window: officeHours },
  cancelled: { subStatus: 'ABNORMAL_04', window: officeHours },
  refused: { subStatus: 'ABNORMAL_05', window: deliveryHours },
  'return-received': { subStatus: 'ABNORMAL_06', window: officeHours },
  returning: { subStatus: 'ABNORMAL_07', window: null },
  delayed: { subStatus: 'ABNORMAL_08', window: null },
} as const satisfies Readonly<Record<string, EventMeaning>>;

export type EventKind = keyof typeof eventMeanings;

export type PlaceRole =
  | 'unknown'
  | 'origin'
  | 'origin-hub'
  | 'gateway-out'
  | 'gateway-in'
  | 'destination-hub'
  | 'destination';

/** Hours after the previous step. */
interface Step {
  readonly kind: EventKind;
  readonly at: PlaceRole;
  readonly hours: readonly [min: number, max: number];
  /** The event adds a checkpoint but leaves the record's status unchanged, because real statuses can lag behind. */
  readonly keepsStatus?: boolean;
}

export interface Scenario {
  readonly name: string;
  /** Relative to the other scenarios. */
  readonly weight: number;
  readonly crossesBorder: boolean;
  readonly steps: readonly Step[];
  /** Whether the record expires after a month without news. */
  readonly expires: boolean;
}

const step = (kind: EventKind, at: PlaceRole, min: number, max: number): Step => ({
  kind,
  at,
  hours: [min, max],
});
const withUnchangedStatus = (unreported: Step): Step => ({ ...unreported, keepsStatus: true });

const firstMileSteps: readonly Step[] = [
  step('announced', 'unknown', 0, 0),
  step('picked-up', 'origin', 5, 30),
  step('sorted', 'origin-hub', 2, 8),
];
const overlandSteps: readonly Step[] = [
  step('departed', 'origin-hub', 1, 8),
  step('sorted', 'destination-hub', 6, 30),
  step('departed', 'destination-hub', 1, 6),
];
const exportSteps: readonly Step[] = [
  step('departed', 'origin-hub', 1, 8),
  step('packed-for-airport', 'gateway-out', 8, 40),
  step('handed-to-airline', 'gateway-out', 3, 24),
  step('flight-departed', 'gateway-out', 3, 30),
  step('landed', 'gateway-in', 6, 18),
];
const customsClearance: readonly Step[] = [step('customs-cleared', 'gateway-in', 2, 30)];
const customsHold: readonly Step[] = [step('customs-held', 'gateway-in', 3, 20)];
const onwardSteps: readonly Step[] = [step('departed', 'gateway-in', 2, 12), step('sorted', 'destination-hub', 4, 20)];
const depotArrival: readonly Step[] = [step('at-depot', 'destination', 3, 14)];
const deliveryTour: readonly Step[] = [step('out-for-delivery', 'destination', 1, 6)];
const delivered = step('delivered', 'destination', 2, 8);
const returnSteps: readonly Step[] = [
  step('returning', 'destination-hub', 12, 48),
  step('returning', 'origin-hub', 40, 160),
  step('return-received', 'origin', 12, 48),
];

const domesticSteps: readonly Step[] = [...firstMileSteps, ...overlandSteps, ...depotArrival];
const importSteps: readonly Step[] = [
  ...firstMileSteps,
  ...exportSteps,
  ...customsClearance,
  ...onwardSteps,
  ...depotArrival,
];

type Variant = Omit<Scenario, 'crossesBorder'>;

const variant = (name: string, weight: number, ...steps: readonly Step[]): Variant => ({
  name,
  weight,
  steps,
  expires: false,
});
const withExpiry = (unfinished: Variant): Variant => ({ ...unfinished, expires: true });

/** What can happen at the door. */
const endings: readonly Variant[] = [
  variant('delivered', 16, ...deliveryTour, delivered),
  variant('signed', 8, ...deliveryTour, step('signed', 'destination', 2, 8)),
  variant('neighbour', 5, ...deliveryTour, step('left-with-neighbour', 'destination', 2, 8)),
  variant(
    'collection-point',
    8,
    ...deliveryTour,
    step('at-collection-point', 'destination', 3, 8),
    step('collected', 'destination', 20, 90),
  ),
  variant(
    'second-attempt',
    6,
    ...deliveryTour,
    step('nobody-home', 'destination', 2, 8),
    step('postponed', 'destination', 1, 5),
    step('out-for-delivery', 'destination', 12, 20),
    delivered,
  ),
  variant(
    'unreachable',
    4,
    ...deliveryTour,
    step('unreachable', 'destination', 2, 7),
    step('at-collection-point', 'destination', 18, 30),
    step('collected', 'destination', 20, 70),
  ),
  variant(
    'address-problem',
    4,
    ...deliveryTour,
    step('address-problem', 'destination', 2, 7),
    step('out-for-delivery', 'destination', 40, 80),
    delivered,
  ),
  variant(
    'late-headline',
    2,
    ...deliveryTour,
    step('attempt-failed', 'destination', 2, 8),
    withUnchangedStatus(step('out-for-delivery', 'destination', 12, 20)),
    withUnchangedStatus(delivered),
  ),
  variant('refused', 4, ...deliveryTour, step('refused', 'destination', 2, 8), ...returnSteps),
  variant(
    'unclaimed',
    4,
    step('at-collection-point', 'destination', 4, 14),
    step('unclaimed', 'destination', 168, 240),
    ...returnSteps,
  ),
  variant('damaged', 2, step('damaged', 'destination', 2, 20)),
  withExpiry(variant('lost', 2, step('delayed', 'destination', 20, 40), step('lost', 'destination', 100, 200))),
];

const variantsOf = (steps: readonly Step[]): readonly Variant[] => [
  ...endings.map((ending) => ({ ...ending, steps: [...steps, ...ending.steps] })),
  variant(
    'delayed',
    4,
    ...firstMileSteps,
    step('delayed', 'origin-hub', 4, 20),
    ...steps
      .slice(firstMileSteps.length)
      .map((lateStep, index) => (index < 2 ? withUnchangedStatus(lateStep) : lateStep)),
    ...deliveryTour,
    delivered,
  ),
  variant('cancelled', 3, step('announced', 'unknown', 0, 0), step('cancelled', 'origin', 10, 60)),
  withExpiry(variant('gone-silent', 3, ...steps.slice(0, -2))),
  withExpiry(variant('only-announced', 2, step('announced', 'unknown', 0, 0))),
  withExpiry(variant('never-recorded', 2)),
];

const throughCustoms: readonly Variant[] = [
  variant(
    'held-by-customs',
    9,
    ...firstMileSteps,
    ...exportSteps,
    ...customsHold,
    step('customs-cleared', 'gateway-in', 60, 150),
    ...onwardSteps,
    ...depotArrival,
    ...deliveryTour,
    delivered,
  ),
  variant(
    'sent-back-by-customs',
    3,
    ...firstMileSteps,
    ...exportSteps,
    ...customsHold,
    step('returning', 'gateway-in', 100, 200),
    ...returnSteps.slice(1),
  ),
];

export const scenarios: readonly Scenario[] = [
  ...variantsOf(domesticSteps).map((base) => ({ ...base, crossesBorder: false })),
  ...[...variantsOf(importSteps), ...throughCustoms].map((base) => ({ ...base, crossesBorder: true })),
];
