import { hourMs } from '../../service/clock/clock.ts';
import { formatOffset } from '../../service/clock/utc-offset.ts';
import { formatWallTime } from '../../service/clock/wall-time.ts';
import type { WireExtraInfo, WireRecord } from '../../service/record/wire.ts';
import type { JourneyEvent } from '../journey/journey-event.ts';
import { between, hashOf, pick, seededRandom } from '../seeded-random.ts';
import { instantOf } from './timeline.ts';
import type { ReportedParcel } from './tracking-details.ts';

const signatures = ['J. SMITH', 'A. MÜLLER', 'M. GARCÍA', 'K. TANAKA', 'L. ROSSI', 'FRONT DESK', 'P. NOWAK'] as const;
const serviceCodes = ['EXP', 'STD', 'ECO', 'PRI', 'D2D'] as const;

/** How long a delivery tour lasts, in journey-time. */
const tourMs = 9 * hourMs;

const isSigned = ({ kind }: JourneyEvent): boolean => kind === 'signed' || kind === 'left-with-neighbour';

/** What the couriers measured and who signed; nothing before pick-up; the units are an assumption. */
export function extraInfo(
  { trackNo }: ReportedParcel,
  events: readonly JourneyEvent[],
): { readonly extraInfo?: WireExtraInfo } {
  if (!events.some(({ kind }) => kind === 'picked-up')) return {};
  const random = seededRandom(0, `shipment:${trackNo.toUpperCase()}`);
  const side = (): number => Math.round(between(random, 8, 60));
  const details = {
    pieces: random() < 0.9 ? 1 : 2,
    serviceCode: pick(random, serviceCodes),
    dimensions: `${side()}x${side()}x${side()} cm`,
    weight: `${between(random, 0.1, 12).toFixed(2)} kg`,
  };
  const signedBy = pick(random, signatures);
  return { extraInfo: events.some(isSigned) ? { ...details, signedBy } : details };
}

/**
 * When the courier means to come: the first tour that its plan holds, announced by half of the couriers' parcels once
 * they are picked up.
 */
export function expectedDelivery(
  { trackNo, journey, timeline }: ReportedParcel,
  events: readonly JourneyEvent[],
): Pick<WireRecord, 'expectedDelivery' | 'expectedDeliveryTime'> {
  const tour = journey.events.find(({ kind }) => kind === 'out-for-delivery');
  const isTold = hashOf(`expected:${trackNo.toUpperCase()}`) % 2 === 0;
  if (tour === undefined || !isTold || !events.some(({ kind }) => kind === 'picked-up')) return {};
  const from = instantOf(timeline, tour.position);
  const offsetMs = tour.zone.offsetAt(from);
  const local = (position: number): string => formatWallTime(instantOf(timeline, position) + offsetMs);
  const start = local(tour.position);
  return {
    expectedDelivery: start.slice(0, 10),
    expectedDeliveryTime: { start, end: local(tour.position + tourMs), timezone: formatOffset(offsetMs / 60_000) },
  };
}
