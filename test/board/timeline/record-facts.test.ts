import { expect, it } from 'vitest';
import { lineText } from '../../../src/board/text/cells.ts';
import { recordLines } from '../../../src/board/timeline/record-facts.ts';
import type { JsonObject } from '../../../src/service/text/json.ts';
import { receivedRecord, seenRecord } from '../../support/seen-record.ts';

const every: JsonObject = {
  ...receivedRecord(
    { transitStatus: 'TRANSITSTATUS', transitSubStatus: 'TRANSITSUBSTATUS', trackingStatus: '003' },
    { transitSubStatus: 'EVENTSUBSTATUS', address: 'EVENTADDRESS', eventDetail: 'TOLDTEXT' },
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
    openApiWayBillInfo: { courierCode: 'gls', courierNameEN: 'LASTMILENAME', trackingDetails: [] },
  },
};

it('every field of a record is seen above, in or below its timeline', () => {
  const { head, history, parcel, timeline } = seenRecord(every);
  const below = recordLines(parcel, history.received, 100).map(lineText);
  const seen = [...head, ...timeline, ...below].join('\n');
  const expected =
    `LX123456789CN Yanwen TRANSITSTATUS TRANSITSUBSTATUS EVENTSUBSTATUS EVENTADDRESS TOLDTEXT 5550001 CN DE
    4711 815 SHIPMENTTYPE ORDERNO REMARK ann@mail.example CUSTOM1 CUSTOM2 4712 33 SIGNEDBY SERVICECODE DIMENSIONS WEIGHT
    SOMETHINGNEW LMTRACKNO LASTMILENAME`.split(/\s+/);
  expect(expected.filter((text) => !seen.includes(text))).toEqual([]);
  expect(seen).toContain("Registered: 2026-11-01 01:01:01 (on the service's clock)");
  expect(seen).toContain('Received by the courier: 2026-11-02 02:02:02 (local time, zone not given)');
  expect(seen).toContain('Ordered: 2026-11-03 03:03:03 (local time, zone not given)');
  expect(seen).toContain('Shipped: 2026-11-04 04:04:04 (as it was entered)');
  expect(seen).toContain('site could not be reached');
});

it('what the user entered is shown in place of what the service holds, and nothing where there is nothing', () => {
  const lines = recordLines(
    { merchant: { customerEmail: 'own@mail.example' } },
    { customerEmail: 'old@mail.example' },
    60,
  );
  expect(lines.map(lineText).join()).toContain('own@mail.example');
  expect(lines.map(lineText).join()).not.toContain('old@mail.example');
  expect(recordLines({}, null, 60)).toEqual([]);
});

it('a lookup code that is not known is shown as the service wrote it, and a known one only in words', () => {
  const below = (trackingStatus: string): string => recordLines({}, { trackingStatus }, 60).map(lineText).join();
  expect(below('042')).toContain('Lookup code: 042');
  for (const code of ['001', '002', '003', '004', '005', '006']) expect(below(code)).toBe('');
});
