import { expect, it } from 'vitest';
import { courierPages } from '../../src/board/parcel-facts.ts';
import { recordLines } from '../../src/board/record-facts.ts';
import { lineText } from '../../src/lib/cells.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { renderRecord, serviceRecord } from '../support/render-record.ts';

const fullRecord: JsonObject = {
  ...serviceRecord(
    { transitStatus: 'TRANSITSTATUS', transitSubStatus: 'TRANSITSUBSTATUS', trackingStatus: '003' },
    { transitSubStatus: 'EVENTSUBSTATUS', address: 'EVENTADDRESS', eventDetail: 'DETAILTEXT' },
  ),
  id: '5550001',
  createTime: '2026-11-01 01:01:01',
  shipFrom: 'CN',
  shipTo: 'DE',
  receiptTime: '2026-11-02 02:02:02',
  orderTime: '2026-11-03 03:03:03',
  shipTime: '2026-11-04 04:04:04',
  deliveredDays: 4711,
  transitDays: 815,
  shipmentType: 'SHIPMENTTYPE',
  orderNo: 'ORDERNO',
  remark: 'REMARK',
  customerEmail: 'ann@mail.example',
  custom1: 'CUSTOM1',
  custom2: 'CUSTOM2',
  receiptDays: 4712,
  extraInfo: {
    pieces: 33,
    signedBy: 'SIGNEDBY',
    serviceCode: 'SERVICECODE',
    dimensions: 'DIMENSIONS',
    weight: 'WEIGHT',
  },
  somethingNew: { inside: 'SOMETHINGNEW' },
  lastMileInfo: {
    lmTrackNo: 'LMTRACKNO',
    openApiWayBillInfo: {
      courierCode: 'lastmilecode',
      courierNameCN: 'LASTMILENAMECN',
      courierNameEN: 'LASTMILENAME',
      courierHomePage: 'https://lastmilehome.example/',
      courierTrackingLink: 'https://lastmilelink.example/',
      trackingDetails: [
        {
          address: 'LMADDRESS',
          eventTime: '2026-11-21 07:07:07',
          eventTimeZeroUTC: '2026-11-21T06:07:07Z',
          timezone: '+01:00',
          eventDetail: 'LMDETAIL',
          transitSubStatus: 'LMSUBSTATUS',
        },
      ],
    },
  },
};

it('shows every field of a record above, in or below its timeline', () => {
  const { head, history, parcel, timeline } = renderRecord(fullRecord);
  const below = recordLines(parcel, history.received, 100).map(lineText);
  const seen = [...head, ...timeline, ...below].join('\n');
  const expected =
    `LX123456789CN Yanwen TRANSITSTATUS TRANSITSUBSTATUS EVENTSUBSTATUS EVENTADDRESS DETAILTEXT 5550001 CN DE
    4711 815 SHIPMENTTYPE ORDERNO REMARK ann@mail.example CUSTOM1 CUSTOM2 4712 33 SIGNEDBY SERVICECODE DIMENSIONS WEIGHT
    SOMETHINGNEW LMTRACKNO LASTMILENAME`.split(/\s+/);
  expect(expected.filter((text) => !seen.includes(text))).toEqual([]);
  expect(seen).toContain("Registered: 2026-11-01 01:01:01 (on the service's clock)");
  expect(seen).toContain('Received by the courier: 2026-11-02 02:02:02 (local time, zone unknown)');
  expect(seen).toContain('Ordered: 2026-11-03 03:03:03 (local time, zone unknown)');
  expect(seen).toContain('Shipped: 2026-11-04 04:04:04 (as entered)');
  expect(seen).toContain('site could not be reached');
});

/** Returns a JSON value's leaves as strings, with their paths. List indexes are omitted: each list has one element. */
function leafValues(value: JsonValue | undefined, path = ''): [path: string, text: string][] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => leafValues(item, path));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, inner]) => leafValues(inner, path === '' ? name : `${path}.${name}`));
  return [[path, String(value)]];
}

const completeRecord: JsonObject = {
  ...fullRecord,
  trackingStatus: '042',
  nextUpdateTime: '2026-11-21 21:20:21',
  lastTrackingTime: '2026-11-05 05:05:05',
  deliveredTime: '2026-11-06 06:06:06',
  stayDays: 4713,
  expectedDelivery: '2026-12-24',
  expectedDeliveryTime: { start: '2026-12-23 08:08:08', end: '2026-12-23 09:09:09', timezone: '+05:30' },
  localLogisticsInfo: {
    courierCode: 'firstcode',
    courierNameCN: 'FIRSTNAMECN',
    courierNameEN: 'FIRSTNAME',
    courierHomePage: 'https://firsthome.example/',
    courierTrackingLink: 'https://firstlink.example/',
    trackingDetails: [
      {
        address: 'EVENTADDRESS',
        eventTime: '2026-11-20 21:14:15',
        eventTimeZeroUTC: '2026-11-20T18:14:15Z',
        timezone: '+03:00',
        eventDetail: 'DETAILTEXT',
        eventDetailTranslation: 'TRANSLATION',
        transitSubStatus: 'EVENTSUBSTATUS',
      },
    ],
  },
};

/** Fields whose raw value is never shown, with the reason and what is shown instead. */
const shownDifferently: Readonly<Record<string, readonly [why: string, instead: string]>> = {
  nextUpdateTime: ['an instant, since the service clock has an offset', '"nextUpdateAt":"2026-11-21T13:20:21Z"'],
  stayDays: ['counted from the newest event, so that it keeps counting between responses', '"stayDays":0'],
  lastTrackingTime: ["a copy of the newest event's time", '2026-11-21 07:07:07'],
  deliveredTime: ['means nothing for an undelivered parcel', '"deliveredAt":null'],
  expectedDelivery: ['the window is more exact', '"expectedDelivery":{"from":"2026-12-23T'],
  'expectedDeliveryTime.start': ['an instant, since it has an offset', '"from":"2026-12-23T02:38:08'],
  'expectedDeliveryTime.end': ['an instant, since it has an offset', '"to":"2026-12-23T03:39:09'],
  'localLogisticsInfo.courierNameCN': ['the English name is used', 'FIRSTNAME'],
  'localLogisticsInfo.courierHomePage': ['the last-mile courier has the parcel', 'https://lastmilehome.example/'],
  'lastMileInfo.openApiWayBillInfo.courierNameCN': ['the English name is used', 'LASTMILENAME'],
};

it('shows every value of a record as text or in JSON, even without the raw record, except the listed ones', () => {
  const { head, history, json, parcel, timeline } = renderRecord(completeRecord);
  const below = recordLines(parcel, history.received, 200).map(lineText);
  const { record: _record, ...printed } = json;
  const seen = [...head, ...timeline, ...below, ...courierPages(parcel), JSON.stringify(printed)].join('\n');
  const unseen = leafValues(completeRecord).filter(([, text]) => !seen.includes(text));
  expect(unseen.map(([path]) => path).sort()).toEqual(Object.keys(shownDifferently).sort());
  for (const [path, [, instead]] of Object.entries(shownDifferently)) {
    expect(seen, path).toContain(instead);
  }
});

it("shows the user's entries instead of the service's values, and nothing if there are neither", () => {
  const lines = recordLines(
    { merchant: { customerEmail: 'own@mail.example' } },
    { customerEmail: 'old@mail.example' },
    60,
  );
  expect(lines.map(lineText).join()).toContain('own@mail.example');
  expect(lines.map(lineText).join()).not.toContain('old@mail.example');
  expect(recordLines({}, null, 60)).toEqual([]);
});

it('shows an unknown lookup code as received, and omits a known one', () => {
  const below = (trackingStatus: string): string => recordLines({}, { trackingStatus }, 60).map(lineText).join();
  expect(below('042')).toContain('Lookup code: 042');
  for (const code of ['001', '002', '003', '004', '005', '006']) expect(below(code)).toBe('');
});
