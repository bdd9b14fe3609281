import type { EpochMs } from '../../src/lib/clock.ts';
import { Zone } from '../../src/lib/date-time.ts';
import type { Parcel, RecordSummary } from '../../src/parcels/parcel.ts';
import { initialPollingState, type PollingState } from '../../src/polling/state.ts';
import type { Checkpoint } from '../../src/service/record.ts';

/** Saturday 21 November 2026, 12:42 UTC, 13:42 in Berlin. */
export const now = Date.parse('2026-11-21T12:42:00Z');
export const berlin = new Zone('Europe/Berlin');
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** An instant this long before `now`, as ISO 8601 UTC. */
export function ago(milliseconds: number): string {
  return new Date(now - milliseconds).toISOString();
}

/** A setting that archives finished parcels after this many days. */
export const archiveDays = (days: number) => ({ delivered: days, closed: days });

/** The polling state of a board that is waiting for its next check, without problems. */
export const waitingPolling: PollingState = {
  ...initialPollingState,
  phase: 'waiting',
  nextPollAt: now + 38 * minute,
  lastResponseAt: now - 2 * minute,
  callsSent: 3,
  queriesToday: 38,
};

export function aRecord(fields: Partial<RecordSummary> = {}): RecordSummary {
  return {
    courierCode: 'yanwen',
    courierNameEN: 'Yanwen',
    courierNameCN: null,
    courierHomePage: null,
    courierTrackingLink: null,
    nextUpdateTime: '2026-11-21 21:20:00',
    shipFrom: 'CN',
    shipTo: 'DE',
    trackingStatus: '001',
    transitStatus: 'IN_TRANSIT',
    transitSubStatus: 'IN_TRANSIT_02',
    lastTrackingTime: null,
    transitDays: 6,
    stayDays: 0,
    shipmentType: null,
    ...fields,
  };
}

export function aCheckpoint(fields: Partial<Checkpoint> = {}): Checkpoint {
  return {
    at: '2026-11-20T20:14:00Z',
    local: '2026-11-20 21:14:00',
    offset: '+01:00',
    certain: true,
    address: 'Leipzig, DE',
    detail: 'Arrived at the sorting centre',
    subStatus: 'IN_TRANSIT_02',
    ...fields,
  };
}

/** Cached, because formatting an instant takes longer than the rest of a parcel, and tests create thousands. */
const twoMinutesAgo = ago(2 * minute);

/** A watched parcel in transit, checked two minutes ago, due at 14:20 in Berlin. */
export function aParcel(fields: Partial<Parcel> = {}): Parcel {
  return {
    id: 'parcel-1',
    trackNo: 'LX123456789CN',
    courierCode: 'yanwen',
    courierPinned: false,
    label: null,
    tags: [],
    extras: { postalCode: null, phoneSuffix: null },
    registration: 'registered',
    addedAt: '2026-11-15T02:00:00.000Z',
    registeredAt: '2026-11-15T02:00:01.000Z',
    archivedAt: null,
    record: aRecord(),
    lastEvent: aCheckpoint(),
    checkpointCount: 3,
    checkedAt: twoMinutesAgo,
    nextPollAt: '2026-11-21T13:20:00.000Z',
    fruitlessPolls: 0,
    deliveryConfirmed: false,
    error: null,
    ...fields,
  };
}

/** An added parcel that the service has not accepted yet. */
export function aPendingParcel(fields: Partial<Parcel> = {}): Parcel {
  return aParcel({
    registration: 'pending',
    registeredAt: null,
    record: null,
    lastEvent: null,
    checkpointCount: 0,
    checkedAt: null,
    courierCode: null,
    ...fields,
  });
}

/** A parcel with a status, whose last event was this long ago. */
export function inStatus(id: string, transitStatus: string, subStatus: string | null, eventAgo: number): Parcel {
  return aParcel({
    id,
    trackNo: `NO${id}`,
    record: aRecord({ transitStatus, transitSubStatus: subStatus }),
    lastEvent: aCheckpoint({ at: ago(eventAgo), subStatus }),
  });
}

/** A watchlist with parcels in every stage, and some difficult ones: many scripts, no record, rejected, stale. */
export function aBoard(): readonly Parcel[] {
  const parcel = (
    id: string,
    label: string | null,
    courier: string,
    status: readonly [string, string | null],
    event: Partial<Checkpoint>,
    more: Partial<Parcel> = {},
  ): Parcel =>
    aParcel({
      id,
      label,
      courierCode: courier.toLowerCase(),
      record: aRecord({ courierNameEN: courier, transitStatus: status[0], transitSubStatus: status[1] }),
      lastEvent: aCheckpoint({ subStatus: status[1], ...event }),
      ...more,
    });
  return [
    parcel('lamp', 'Lamp', 'Yanwen', ['IN_TRANSIT', 'IN_TRANSIT_08'], {
      at: ago(9 * hour),
      address: '深圳',
      detail: '航班已起飞，离开中国',
    }),
    parcel('headphones', 'Headphones', 'UPS', ['ABNORMAL', 'ABNORMAL_02'], {
      at: ago(2 * day),
      address: 'Leipzig',
      detail: 'Held by customs, documents asked for',
    }),
    parcel('address', null, 'China Post', ['DELIVERY_FAILED', 'DELIVERY_FAILED_01'], {
      at: ago(5 * hour),
      address: 'Köln',
    }),
    parcel('book', 'Birthday book', 'DHL', ['OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01'], {
      at: ago(38 * minute),
      address: 'Berlin',
    }),
    parcel('kettle', 'Kettle', 'Hermes', ['WAITING_DELIVERY', 'WAITING_DELIVERY_02'], {
      at: ago(day),
      address: 'Shop 12',
    }),
    parcel('korea', '한국 화장품 선물', 'CJ Logistics', ['IN_TRANSIT', 'IN_TRANSIT_03'], {
      at: ago(26 * hour),
      address: '인천국제공항 물류센터',
      detail: '통관 완료',
    }),
    parcel(
      'thai',
      'สำเร็จ กำลัง',
      'Thailand Post',
      ['IN_TRANSIT', 'IN_TRANSIT_01'],
      { at: null, certain: false, offset: null, local: '2026-11-18 11:05:00', address: 'กรุงเทพฯ', detail: 'กำลังนำส่ง' },
      {
        error: { kind: 'unreachable', code: 'ECONNREFUSED', message: 'The service cannot be reached.', traceId: null },
      },
    ),
    parcel(
      'arabic',
      'هدية 🎁',
      'Aramex',
      ['INFO_RECEIVED', null],
      { at: ago(3 * day), address: 'دبي' },
      {
        nextPollAt: ago(5 * hour),
      },
    ),
    parcel(
      'books',
      'Books 📚',
      'DHL',
      ['DELIVERED', 'DELIVERED_01'],
      { at: ago(3 * hour), address: 'Berlin' },
      {
        nextPollAt: '2026-11-22T09:42:00.000Z',
      },
    ),
    parcel(
      'shoes',
      'Shoes',
      'GLS',
      ['DELIVERED', 'DELIVERED_04'],
      { at: ago(4 * day), address: 'Potsdam' },
      {
        nextPollAt: null,
      },
    ),
    aPendingParcel({ id: 'pending', trackNo: '00340434161094027318' }),
    aPendingParcel({
      id: 'rejected',
      trackNo: 'ABC1',
      registration: 'rejected',
      nextPollAt: null,
      error: {
        kind: 'request-refused',
        code: 'A0400',
        message: 'unsupported logistics supplier code: check the courier',
        traceId: '0123456789abcdef0123456789abcdef',
      },
    }),
    parcel('strange', 'Parcel from the future', 'Newpost', ['TELEPORTED', null], { at: ago(30 * minute) }),
  ];
}

/** A parcel without a promised day, `LAMP1`, and enough delivered parcels for a forecast. */
export function listWithForecast(at: EpochMs): readonly Parcel[] {
  const before = (days: number): string => new Date(at - days * day).toISOString();
  const delivered = Array.from({ length: 12 }, (_, index) =>
    aParcel({
      id: `delivered-${index}`,
      trackNo: `DONE${index}`,
      archivedAt: before(index + 1),
      lastEvent: aCheckpoint({ at: before(index + 1), local: null, offset: null, subStatus: 'DELIVERED_01' }),
      record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01', transitDays: 10 + index }),
    }),
  );
  return [
    aParcel({ id: 'lamp', trackNo: 'LAMP1', checkedAt: before(0), record: aRecord({ transitDays: 8 }) }),
    ...delivered,
  ];
}
