/** Hours of the local day. The end is exclusive. */
export type DayWindow = readonly [fromHour: number, toHour: number];

export interface EventMeaning {
  readonly subStatus: string;
  /** When the event can happen. Null means at any time. */
  readonly window: DayWindow | null;
}

const office: DayWindow = [9, 18];
const tour: DayWindow = [9, 20];
const start: DayWindow = [6, 9];

/** Together these cover all 28 sub-statuses. */
export const eventMeanings = {
  announced: { subStatus: 'INFO_RECEIVED_01', window: office },
  'picked-up': { subStatus: 'IN_TRANSIT_01', window: [9, 20] },
  departed: { subStatus: 'IN_TRANSIT_01', window: null },
  sorted: { subStatus: 'IN_TRANSIT_02', window: null },
  'customs-cleared': { subStatus: 'IN_TRANSIT_03', window: office },
  'packed-for-airport': { subStatus: 'IN_TRANSIT_04', window: null },
  'handed-to-airline': { subStatus: 'IN_TRANSIT_05', window: null },
  landed: { subStatus: 'IN_TRANSIT_06', window: null },
  'at-depot': { subStatus: 'IN_TRANSIT_07', window: null },
  'flight-departed': { subStatus: 'IN_TRANSIT_08', window: null },
  'out-for-delivery': { subStatus: 'WAITING_DELIVERY_01', window: start },
  'at-collection-point': { subStatus: 'WAITING_DELIVERY_02', window: tour },
  postponed: { subStatus: 'WAITING_DELIVERY_03', window: tour },
  delivered: { subStatus: 'DELIVERED_01', window: tour },
  collected: { subStatus: 'DELIVERED_02', window: tour },
  signed: { subStatus: 'DELIVERED_03', window: tour },
  'left-with-neighbour': { subStatus: 'DELIVERED_04', window: tour },
  'address-problem': { subStatus: 'DELIVERY_FAILED_01', window: tour },
  'nobody-home': { subStatus: 'DELIVERY_FAILED_02', window: tour },
  unreachable: { subStatus: 'DELIVERY_FAILED_03', window: tour },
  'attempt-failed': { subStatus: 'DELIVERY_FAILED_04', window: tour },
  unclaimed: { subStatus: 'ABNORMAL_01', window: office },
  'customs-held': { subStatus: 'ABNORMAL_02', window: office },
  damaged: { subStatus: 'ABNORMAL_03', window: null },
  lost: { subStatus: 'ABNORMAL_03', window: office },
  cancelled: { subStatus: 'ABNORMAL_04', window: office },
  refused: { subStatus: 'ABNORMAL_05', window: tour },
  'return-received': { subStatus: 'ABNORMAL_06', window: office },
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
  /** Only the checkpoint shows the event, as in services whose status lags behind. */
  readonly keepsStatus?: boolean;
}

export interface Scenario {
  readonly name: string;
  /** Relative to the other scenarios. */
  readonly weight: number;
  readonly crossesBorder: boolean;
  readonly steps: readonly Step[];
  /** The record expires after a month without news. */
  readonly expires: boolean;
}

const step = (kind: EventKind, at: PlaceRole, min: number, max: number): Step => ({
  kind,
  at,
  hours: [min, max],
});
const quietly = (quiet: Step): Step => ({ ...quiet, keepsStatus: true });

const firstMile: readonly Step[] = [
  step('announced', 'unknown', 0, 0),
  step('picked-up', 'origin', 5, 30),
  step('sorted', 'origin-hub', 2, 8),
];
const overland: readonly Step[] = [
  step('departed', 'origin-hub', 1, 8),
  step('sorted', 'destination-hub', 6, 30),
  step('departed', 'destination-hub', 1, 6),
];
const exported: readonly Step[] = [
  step('departed', 'origin-hub', 1, 8),
  step('packed-for-airport', 'gateway-out', 8, 40),
  step('handed-to-airline', 'gateway-out', 3, 24),
  step('flight-departed', 'gateway-out', 3, 30),
  step('landed', 'gateway-in', 6, 18),
];
const cleared: readonly Step[] = [step('customs-cleared', 'gateway-in', 2, 30)];
const held: readonly Step[] = [step('customs-held', 'gateway-in', 3, 20)];
const onward: readonly Step[] = [step('departed', 'gateway-in', 2, 12), step('sorted', 'destination-hub', 4, 20)];
const atDepot: readonly Step[] = [step('at-depot', 'destination', 3, 14)];
const onTour: readonly Step[] = [step('out-for-delivery', 'destination', 1, 6)];
const delivered = step('delivered', 'destination', 2, 8);
const backHome: readonly Step[] = [
  step('returning', 'destination-hub', 12, 48),
  step('returning', 'origin-hub', 40, 160),
  step('return-received', 'origin', 12, 48),
];

const domestic: readonly Step[] = [...firstMile, ...overland, ...atDepot];
const imported: readonly Step[] = [...firstMile, ...exported, ...cleared, ...onward, ...atDepot];

type Variant = Omit<Scenario, 'crossesBorder'>;

const variant = (name: string, weight: number, ...steps: readonly Step[]): Variant => ({
  name,
  weight,
  steps,
  expires: false,
});
const silence = (silent: Variant): Variant => ({ ...silent, expires: true });

/** What can happen at the door. */
const endings: readonly Variant[] = [
  variant('delivered', 16, ...onTour, delivered),
  variant('signed', 8, ...onTour, step('signed', 'destination', 2, 8)),
  variant('neighbour', 5, ...onTour, step('left-with-neighbour', 'destination', 2, 8)),
  variant(
    'collection-point',
    8,
    ...onTour,
    step('at-collection-point', 'destination', 3, 8),
    step('collected', 'destination', 20, 90),
  ),
  variant(
    'second-attempt',
    6,
    ...onTour,
    step('nobody-home', 'destination', 2, 8),
    step('postponed', 'destination', 1, 5),
    step('out-for-delivery', 'destination', 12, 20),
    delivered,
  ),
  variant(
    'unreachable',
    4,
    ...onTour,
    step('unreachable', 'destination', 2, 7),
    step('at-collection-point', 'destination', 18, 30),
    step('collected', 'destination', 20, 70),
  ),
  variant(
    'address-problem',
    4,
    ...onTour,
    step('address-problem', 'destination', 2, 7),
    step('out-for-delivery', 'destination', 40, 80),
    delivered,
  ),
  variant(
    'late-headline',
    2,
    ...onTour,
    step('attempt-failed', 'destination', 2, 8),
    quietly(step('out-for-delivery', 'destination', 12, 20)),
    quietly(delivered),
  ),
  variant('refused', 4, ...onTour, step('refused', 'destination', 2, 8), ...backHome),
  variant(
    'unclaimed',
    4,
    step('at-collection-point', 'destination', 4, 14),
    step('unclaimed', 'destination', 168, 240),
    ...backHome,
  ),
  variant('damaged', 2, step('damaged', 'destination', 2, 20)),
  silence(variant('lost', 2, step('delayed', 'destination', 20, 40), step('lost', 'destination', 100, 200))),
];

const variantsOf = (steps: readonly Step[]): readonly Variant[] => [
  ...endings.map((end) => ({ ...end, steps: [...steps, ...end.steps] })),
  variant(
    'delayed',
    4,
    ...firstMile,
    step('delayed', 'origin-hub', 4, 20),
    ...steps.slice(firstMile.length).map((late, index) => (index < 2 ? quietly(late) : late)),
    ...onTour,
    delivered,
  ),
  variant('cancelled', 3, step('announced', 'unknown', 0, 0), step('cancelled', 'origin', 10, 60)),
  silence(variant('gone-silent', 3, ...steps.slice(0, -2))),
  silence(variant('only-announced', 2, step('announced', 'unknown', 0, 0))),
  silence(variant('never-recorded', 2)),
];

const throughCustoms: readonly Variant[] = [
  variant(
    'held-by-customs',
    9,
    ...firstMile,
    ...exported,
    ...held,
    step('customs-cleared', 'gateway-in', 60, 150),
    ...onward,
    ...atDepot,
    ...onTour,
    delivered,
  ),
  variant(
    'sent-back-by-customs',
    3,
    ...firstMile,
    ...exported,
    ...held,
    step('returning', 'gateway-in', 100, 200),
    ...backHome.slice(1),
  ),
];

export const scenarios: readonly Scenario[] = [
  ...variantsOf(domestic).map((one) => ({ ...one, crossesBorder: false })),
  ...[...variantsOf(imported), ...throughCustoms].map((one) => ({ ...one, crossesBorder: true })),
];
