import { describe, expect, it } from 'vitest';
import { extraWording } from '../../../src/board/list/row-texts.ts';
import { aCheckpoint } from '../parcels.ts';

const wordingOf = (detail: string | null, subStatus: string | null): string | null =>
  extraWording(aCheckpoint({ detail, subStatus }));

describe('extraWording', () => {
  it.each([
    ['Held by customs, documents asked for', 'ABNORMAL_02'],
    ['Delivered', 'DELIVERED_01'],
    ['Arrived at the sorting centre', 'IN_TRANSIT_02'],
    ['Your parcel was delivered and signed for by MEYER', 'DELIVERED_03'],
    ['Scanned at the facility', 'IN_TRANSIT_01'],
    ['Your parcel is on its way', 'IN_TRANSIT_01'],
    ['Delivery exception', 'ABNORMAL_08'],
    ['Left on porch', 'DELIVERED_04'],
    ['Bei einem Nachbarn abgegeben', 'DELIVERED_04'],
    ['Scanned', null],
  ])('adds nothing to "%s" (%s)', (detail, subStatus) => expect(wordingOf(detail, subStatus)).toBeNull());

  it.each([
    ['Vorgang 4711 abgeschlossen', 'DELIVERED_04', 'Left in a safe place or with someone'],
    ['航班已起飞', 'IN_TRANSIT_08', 'On board, departed'],
    ['运输中', 'IN_TRANSIT_01', 'In transit'],
    ['Zustellung nicht möglich', 'DELIVERY_FAILED_04', 'Delivery attempt failed'],
    ['Giao hàng thành công', 'ABNORMAL_08', 'Exception'],
    ['En cours de transit vers le hub', 'IN_TRANSIT_01', 'In transit'],
    ['In transito', 'IN_TRANSIT_01', 'In transit'],
    ['8001', 'ABNORMAL_08', 'Exception'],
    ['Processed', 'NEW_STATUS_01', 'NEW_STATUS_01'],
  ])('explains "%s" (%s) as "%s"', (detail, subStatus, wording) => expect(wordingOf(detail, subStatus)).toBe(wording));

  it('replaces missing text', () => {
    expect(wordingOf(null, 'IN_TRANSIT_01')).toBe('In transit');
    expect(wordingOf(null, null)).toBeNull();
  });
});
