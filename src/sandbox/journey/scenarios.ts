import type { EventKind } from '../data/event-kinds.ts';

/** Where on its way a parcel is when something happens to it. */
export type PlaceRole =
  | 'unknown'
  | 'origin'
  | 'origin-hub'
  | 'gateway-out'
  | 'gateway-in'
  | 'destination-hub'
  | 'destination';

/** One event to come: what, where, and how many hours after the one before. */
export interface Step {
  readonly kind: EventKind;
  readonly at: PlaceRole;
  readonly hours: readonly [least: number, most: number];
  /** The record keeps the status that it had, as lagging services do; only the checkpoint shows the event. */
  readonly keepsStatus?: boolean;
}

/** One way a parcel can go. */
export interface Scenario {
  readonly name: string;
  /** How likely, against the other scenarios. */
  readonly weight: number;
  readonly crossesBorder: boolean;
  readonly steps: readonly Step[];
  /** The story has no end: after a month without news the record expires. */
  readonly expires: boolean;
}

const step = (kind: EventKind, at: PlaceRole, least: number, most: number): Step => ({
  kind,
  at,
  hours: [least, most],
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
const backHome: readonly Step[] = [
  step('returning', 'destination-hub', 12, 48),
  step('returning', 'origin-hub', 40, 160),
  step('return-received', 'origin', 12, 48),
];

const domestic: readonly Step[] = [...firstMile, ...overland, ...atDepot];
const imported: readonly Step[] = [...firstMile, ...exported, ...cleared, ...onward, ...atDepot];

type Ending = Pick<Scenario, 'name' | 'weight' | 'steps' | 'expires'>;

const ending = (name: string, weight: number, ...steps: readonly Step[]): Ending => ({
  name,
  weight,
  steps,
  expires: false,
});
const silence = (silent: Ending): Ending => ({ ...silent, expires: true });

/** What can happen at the door, wherever the parcel came from. */
const endings: readonly Ending[] = [
  ending('delivered', 16, ...onTour, step('delivered', 'destination', 2, 8)),
  ending('signed', 8, ...onTour, step('signed', 'destination', 2, 8)),
  ending('neighbour', 5, ...onTour, step('left-with-neighbour', 'destination', 2, 8)),
  ending(
    'collection-point',
    8,
    ...onTour,
    step('at-collection-point', 'destination', 3, 8),
    step('collected', 'destination', 20, 90),
  ),
  ending(
    'second-attempt',
    6,
    ...onTour,
    step('nobody-home', 'destination', 2, 8),
    step('postponed', 'destination', 1, 5),
    step('out-for-delivery', 'destination', 12, 20),
    step('delivered', 'destination', 2, 8),
  ),
  ending(
    'unreachable',
    4,
    ...onTour,
    step('unreachable', 'destination', 2, 7),
    step('at-collection-point', 'destination', 18, 30),
    step('collected', 'destination', 20, 70),
  ),
  ending(
    'address-problem',
    4,
    ...onTour,
    step('address-problem', 'destination', 2, 7),
    step('out-for-delivery', 'destination', 40, 80),
    step('delivered', 'destination', 2, 8),
  ),
  ending(
    'late-headline',
    2,
    ...onTour,
    step('attempt-failed', 'destination', 2, 8),
    quietly(step('out-for-delivery', 'destination', 12, 20)),
    quietly(step('delivered', 'destination', 2, 8)),
  ),
  ending('refused', 4, ...onTour, step('refused', 'destination', 2, 8), ...backHome),
  ending(
    'unclaimed',
    4,
    step('at-collection-point', 'destination', 4, 14),
    step('unclaimed', 'destination', 168, 240),
    ...backHome,
  ),
  ending('damaged', 2, step('damaged', 'destination', 2, 20)),
  silence(ending('lost', 2, step('delayed', 'destination', 20, 40), step('lost', 'destination', 100, 200))),
];

const behind = (way: readonly Step[], crossesBorder: boolean): readonly Scenario[] =>
  endings.map((end) => ({ ...end, crossesBorder, steps: [...way, ...end.steps] }));

/** Ways that end or turn before the door. */
const early = (crossesBorder: boolean, way: readonly Step[]): readonly Scenario[] => [
  {
    name: 'delayed',
    weight: 4,
    crossesBorder,
    expires: false,
    steps: [
      ...firstMile,
      step('delayed', 'origin-hub', 4, 20),
      ...way.slice(firstMile.length).map((late, index) => (index < 2 ? quietly(late) : late)),
      ...onTour,
      step('delivered', 'destination', 2, 8),
    ],
  },
  {
    name: 'cancelled',
    weight: 3,
    crossesBorder,
    expires: false,
    steps: [step('announced', 'unknown', 0, 0), step('cancelled', 'origin', 10, 60)],
  },
  { name: 'gone-silent', weight: 3, crossesBorder, expires: true, steps: way.slice(0, -2) },
  { name: 'only-announced', weight: 2, crossesBorder, expires: true, steps: [step('announced', 'unknown', 0, 0)] },
  { name: 'never-recorded', weight: 2, crossesBorder, expires: true, steps: [] },
];

const throughCustoms: readonly Scenario[] = [
  {
    name: 'held-by-customs',
    weight: 9,
    crossesBorder: true,
    expires: false,
    steps: [
      ...firstMile,
      ...exported,
      ...held,
      step('customs-cleared', 'gateway-in', 60, 150),
      ...onward,
      ...atDepot,
      ...onTour,
      step('delivered', 'destination', 2, 8),
    ],
  },
  {
    name: 'sent-back-by-customs',
    weight: 3,
    crossesBorder: true,
    expires: false,
    steps: [...firstMile, ...exported, ...held, step('returning', 'gateway-in', 100, 200), ...backHome.slice(1)],
  },
];

/** All ways a parcel can go, inside one country and across a border. */
export const scenarios: readonly Scenario[] = [
  ...behind(domestic, false),
  ...early(false, domestic),
  ...behind(imported, true),
  ...early(true, imported),
  ...throughCustoms,
];
