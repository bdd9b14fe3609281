import type { JsonObject, JsonValue } from '../../src/lib/json.ts';
import { signatureOf } from '../../src/service/webhook.ts';
import { foreignNumber, fuzzKey, numbers } from './odd-values.ts';

const traceId = '0123456789abcdef0123456789abcdef';

function checkpoint(text: string, hour: number): JsonObject {
  const clock = `${String(hour).padStart(2, '0')}:15:00`;
  return {
    address: `${text}, Köln`,
    eventTime: `2026-11-20 ${clock}`,
    eventTimeZeroUTC: `2026-11-20T${String(hour - 1).padStart(2, '0')}:15:00Z`,
    timezone: '+01:00',
    eventDetail: `${text} 已到达`,
    transitSubStatus: 'IN_TRANSIT_02',
  };
}

function courierPart(courierCode: string, checkpoints: readonly JsonValue[]): JsonObject {
  return {
    courierCode,
    courierNameCN: `${courierCode} 快递`,
    courierNameEN: `${courierCode} Express`,
    courierHomePage: `https://${courierCode}.example/`,
    courierTrackingLink: `https://${courierCode}.example/track`,
    trackingDetails: checkpoints,
  };
}

function record(trackNo: string, courierCode: string, more: JsonObject = {}): JsonObject {
  return {
    id: '229255084490768384',
    trackNo,
    createTime: '2026-11-19 03:36:14',
    nextUpdateTime: '2026-11-21 06:36:15',
    shipFrom: 'CN',
    shipTo: 'DE',
    trackingStatus: '001',
    transitStatus: 'IN_TRANSIT',
    transitSubStatus: 'IN_TRANSIT_02',
    receiptTime: '2026-11-19 05:00:00',
    lastTrackingTime: '2026-11-20 12:15:00',
    transitDays: 3,
    stayDays: 0,
    localLogisticsInfo: courierPart(courierCode, [
      checkpoint(`${trackNo} ${courierCode} sorted`, 12),
      checkpoint(`${trackNo} ${courierCode} taken over`, 9),
    ]),
    shipmentType: `${courierCode} registered`,
    ...more,
  };
}

const rejection = (index: number, trackNo: string, msg: string): JsonObject => ({
  index,
  trackNo,
  courierCode: 'sfb2c',
  error: { code: 'A0400', msg },
});

const success = (data: JsonValue): JsonObject => ({ code: '00000', data, msg: 'Success', traceId });

const rejected = [
  rejection(2, numbers.detected, 'trackNo not registered'),
  rejection(1, numbers.plain, 'The order number has been imported'),
  { index: 0, error: { code: 'A0400', msg: 'unsupported logistics supplier code' } },
  rejection(7, foreignNumber, 'someone else'),
];

const records = [
  record(numbers.twin, 'yanwen'),
  record(numbers.twin, 'china-post', { transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' }),
  record(numbers.plain, 'ups', {
    lastMileInfo: {
      lmTrackNo: 'H1000000000000000001',
      openApiWayBillInfo: courierPart('hermes-de', [checkpoint('doorstep', 14)]),
    },
  }),
  record(foreignNumber, 'jd-logistics'),
];

const page = { content: records, totalElements: '4', totalPages: '1', currentPage: '1', cursor: '2' };
const fullPage = {
  ...page,
  content: Array.from({ length: 100 }, (_, index) => ({
    trackNo: [numbers.twin, numbers.plain, numbers.detected][index % 3] ?? '',
    localLogisticsInfo: { courierCode: `courier-${index}` },
  })),
  totalPages: '3',
};

const courierRow = (courierCode: string | null): JsonObject => ({
  courierCode,
  courierNameCN: '燕文',
  courierNameEN: 'Yanwen',
  courierHomePage: 'https://yanwen.example/',
});

const refreshed = (trackNo: string): JsonObject => ({
  trackNo,
  success: true,
  actualRefreshTime: `2026-11-20 12:00:00 for ${trackNo}`,
});

/** When the fuzzed callback was sent: milliseconds since 1970, as a string. */
export const callbackTime = String(Date.UTC(2026, 10, 21, 12));

/** A callback of the service, signed with the fuzzed key. */
export const baseCallback: JsonObject = {
  data: { ...record(numbers.twin, 'yanwen'), id: 229_255_084_490_768 },
  verify: { timestamp: callbackTime, signature: signatureOf('hmac', fuzzKey, callbackTime) },
};

/** A successful response for every call. */
export const baseResponses = {
  query: success({ accepted: page, rejected }),
  fullPage: success({ accepted: fullPage, rejected: [] }),
  register: success({
    accepted: [
      { trackNo: numbers.twin, courierCode: 'yanwen' },
      { trackNo: numbers.plain },
      { trackNo: foreignNumber },
    ],
    rejected,
  }),
  couriers: success([courierRow('yanwen'), courierRow('ups'), courierRow(null), courierRow('yanwen')]),
  rejections: success({ accepted: [{ trackNo: numbers.twin }], rejected }),
  done: success({}),
  refreshed: success(refreshed(numbers.twin)),
  refreshedOther: success({ accepted: [refreshed(numbers.plain)], rejected: [] }),
  refreshedBatch: success([refreshed(numbers.plain), refreshed(numbers.twin), refreshed(foreignNumber)]),
  instant: success({ accepted: record(numbers.twin, 'yanwen'), rejected: [] }),
  failure: { code: 'A0400', msg: 'params format error', traceId: 'N/A' },
} as const satisfies Record<string, JsonObject>;
