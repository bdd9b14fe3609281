import { parseWallTime } from '../../service/clock/wall-time.ts';
import type { Checkpoint } from '../../service/record/record.ts';
import type { Stage } from '../../service/record/status.ts';
import type { RecordSummary } from '../model/parcel.ts';
import { recordStage } from '../rules/parcel-stage.ts';

/** Sub-statuses of events that bring a parcel into a stage in which it then stays. */
const arrivals: Readonly<Partial<Record<Stage, RegExp>>> = {
  'out-for-delivery': /^WAITING_DELIVERY_01$/,
  pickup: /^WAITING_DELIVERY_02$/,
  delivered: /^DELIVERED_/,
};

/** Whether an event says nothing about a tour. Any other that is newer than a tour's begin says that this tour has ended. */
const saysOnlyScanned = (subStatus: string | null): boolean => subStatus === null || subStatus === 'IN_TRANSIT_01';

/** What of an event says whether it was an arrival. */
export type ArrivalEvent = Pick<Checkpoint, 'local' | 'subStatus'>;

/** What of a record decides where its parcel stands. */
export type Standing = Pick<RecordSummary, 'transitStatus' | 'transitSubStatus' | 'deliveredTime'>;

/**
 * The event that brought a parcel where its record says that it stands: the begin of its newest tour, the delivery, the
 * arrival at the collection point; scans and reminders after it change nothing. Null where no event says so, and for a
 * parcel that is elsewhere.
 */
export function arrivalAmong<Event extends ArrivalEvent>(
  record: Standing,
  newestFirst: readonly Event[],
): Event | null {
  const stage = recordStage({ record, lastEvent: newestFirst[0] ?? null });
  const arrival = arrivals[stage];
  if (arrival === undefined) return null;
  const isArrival = ({ subStatus }: ArrivalEvent): boolean => arrival.test(subStatus ?? '');
  // A courier that goes out again each morning reports it each time.
  if (stage === 'out-for-delivery') {
    const newest = newestFirst.find(({ subStatus }) => !saysOnlyScanned(subStatus)) ?? null;
    return newest !== null && isArrival(newest) ? newest : null;
  }
  return copiedIn(stage === 'delivered' ? record : {}, newestFirst, isArrival) ?? earliestOfRun(newestFirst, isArrival);
}

/** The delivery of which the record has a copy of the local time. */
function copiedIn<Event extends ArrivalEvent>(
  { deliveredTime }: Pick<Standing, 'deliveredTime'>,
  newestFirst: readonly Event[],
  isArrival: (event: ArrivalEvent) => boolean,
): Event | null {
  const time = parseWallTime(deliveredTime ?? null);
  if (time === null) return null;
  const copied = newestFirst.filter(({ local }) => parseWallTime(local) === time);
  return copied.find(isArrival) ?? copied[0] ?? null;
}

/** Couriers report one arrival in several events; the first of the newest ones was it. */
function earliestOfRun<Event extends ArrivalEvent>(
  newestFirst: readonly Event[],
  isArrival: (event: ArrivalEvent) => boolean,
): Event | null {
  const begin = newestFirst.findIndex(isArrival);
  if (begin === -1) return null;
  const length = newestFirst.slice(begin).findIndex((event) => !isArrival(event));
  return newestFirst[length === -1 ? newestFirst.length - 1 : begin + length - 1] ?? null;
}
