import type { Checkpoint, TrackingRecord } from '../../src/service/record.ts';

/** Returns a checkpoint with defaults for all fields that a test does not set. */
export function checkpointOf(detail: string, at: string | null, fields: Partial<Checkpoint> = {}): Checkpoint {
  return { at, local: null, offset: null, certain: at !== null, address: null, detail, subStatus: null, ...fields };
}

/** Returns a record with defaults for all fields that a test does not set. */
export function recordOf(fields: Partial<TrackingRecord> = {}): TrackingRecord {
  return {
    id: '1',
    trackNo: 'RB1CN',
    courierCode: null,
    courierNameEN: null,
    courierNameCN: null,
    courierHomePage: null,
    courierTrackingLink: null,
    createTime: null,
    nextUpdateTime: null,
    shipFrom: null,
    shipTo: null,
    trackingStatus: '001',
    transitStatus: 'IN_TRANSIT',
    transitSubStatus: 'IN_TRANSIT_01',
    receiptTime: null,
    lastTrackingTime: null,
    transitDays: null,
    stayDays: null,
    shipmentType: null,
    checkpoints: [],
    received: { trackNo: 'RB1CN' },
    ...fields,
  };
}
