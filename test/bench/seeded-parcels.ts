import type { EpochMs } from '../../src/lib/clock.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { Checkpoint } from '../../src/service/record.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The service clock that is assumed until it is measured. */
const serviceOffsetMs = 8 * hourMs;

const statuses = [
  { transitStatus: 'IN_TRANSIT', transitSubStatus: 'IN_TRANSIT_02' },
  { transitStatus: 'IN_TRANSIT', transitSubStatus: 'IN_TRANSIT_04' },
  { transitStatus: 'WAITING_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_01' },
  { transitStatus: 'INFO_RECEIVED', transitSubStatus: 'INFO_RECEIVED_01' },
  { transitStatus: 'ABNORMAL', transitSubStatus: 'ABNORMAL_02' },
] as const;

const details = [
  ['航班已起飞,前往目的地国家', '深圳, CN'],
  ['Arrived at the sorting centre', 'Leipzig, DE'],
  ['พัสดุถึงศูนย์คัดแยก', 'กรุงเทพ, TH'],
  ['Released by customs after inspection of the documents', 'Liège, BE'],
] as const;

/** A parcel with its history. */
export interface SeededParcel {
  readonly parcel: Parcel;
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * Creates parcels as they may look after a year of orders: mixed scripts and stages, eight checkpoints each, all due at
 * the same instant.
 */
export function seededParcels(count: number, now: EpochMs, dueAt: EpochMs): readonly SeededParcel[] {
  return Array.from({ length: count }, (_, index) => {
    const checkpoints = Array.from({ length: 8 }, (_, event) => checkpoint(index, event, now));
    return { parcel: parcel(index, checkpoints, now, dueAt), checkpoints };
  });
}

function checkpoint(index: number, event: number, now: EpochMs): Checkpoint {
  const at = now - (event * 11 + (index % 50) + 2) * hourMs;
  const [detail, address] = details[(index + event) % details.length] ?? details[0];
  return {
    at: new Date(at).toISOString(),
    local: localTime(at + serviceOffsetMs),
    offset: '+08:00',
    certain: true,
    address,
    detail: `${detail} (${index + 1})`,
    subStatus: null,
  };
}

function parcel(index: number, checkpoints: readonly Checkpoint[], now: EpochMs, dueAt: EpochMs): Parcel {
  const trackNo = `RB${String(100_000_000 + index)}CN`;
  const status = statuses[index % statuses.length] ?? statuses[0];
  // The displayed age changes only half an hour later.
  const checkedAt = new Date(now - 90 * minuteMs).toISOString();
  const addedAt = new Date(now - 200 * hourMs).toISOString();
  return {
    id: `seeded-${index}`,
    trackNo,
    courierCode: 'china-post',
    courierPinned: true,
    label: index % 3 === 0 ? null : `Order ${index + 1}`,
    tags: [],
    extras: { postalCode: null, phoneSuffix: null },
    registration: 'registered',
    addedAt,
    registeredAt: addedAt,
    archivedAt: null,
    record: {
      courierCode: 'china-post',
      courierNameEN: 'China Post',
      courierNameCN: '中国邮政',
      courierHomePage: 'https://www.ems.com.cn',
      courierTrackingLink: null,
      nextUpdateTime: localTime(dueAt + serviceOffsetMs),
      shipFrom: 'CN',
      shipTo: 'DE',
      trackingStatus: '001',
      ...status,
      lastTrackingTime: checkpoints[0]?.local ?? null,
      transitDays: 8,
      stayDays: 1,
      shipmentType: null,
    },
    lastEvent: checkpoints[0] ?? null,
    checkpointCount: checkpoints.length,
    checkedAt,
    nextPollAt: new Date(dueAt).toISOString(),
    fruitlessPolls: 0,
    deliveryConfirmed: false,
    error: null,
  };
}

function localTime(shiftedMs: number): string {
  return new Date(shiftedMs).toISOString().slice(0, 19).replace('T', ' ');
}
