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
