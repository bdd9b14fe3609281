import { describe, expect, it } from 'vitest';
import { createFilter } from '../../src/board/filter.ts';
import { fold } from '../../src/lib/text.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aCheckpoint, aParcel, aPendingParcel, aRecord, berlin, day, hour, inStatus, now } from './parcels.ts';

const viewing = { now, zone: berlin };

const parcel = aParcel({
  label: 'Café crème ☕',
  tags: ['gift'],
  record: aRecord({
    courierNameCN: '燕文物流',
    lastMile: { trackNo: '00340434161', courierCode: 'dhl-germany', courierName: 'Deutsche Post' },
  }),
  lastEvent: aCheckpoint({ address: 'KÖLN', detail: '航班已起飞 한국어 العربية' }),
});

const matches = (candidate: Parcel, text: string, from = viewing): boolean => createFilter(text, from)(candidate);

describe('createFilter', () => {
  it.each([
    ['number', 'lx1234'],
    ['label without its accents', 'cafe'],
    ['label in a different case', 'CRÈME'],
    ['tag', 'gift'],
    ['courier code', 'yanw'],
    ['Chinese courier name', '燕文'],
    ['last-mile number', '00340434'],
    ['last-mile courier', 'deutsche post'],
    ['last-mile courier code', 'dhl-germany'],
    ['status', 'sorting'],
    ['stage', 'in transit'],
    ['short name of the stage', 'on the way'],
    ['place', 'köln'],
    ['Chinese text', '起飞'],
    ['Korean text', '한국'],
    ['Arabic text', 'العربية'],
    ['full-width digits', '１２３４'],
    ['words from different fields in any order', 'koln cafe 123'],
    ['blank text', '   '],
  ])('finds by %s', (_what, text) => expect(matches(parcel, text, viewing)).toBe(true));

  it('requires all words', () => expect(matches(parcel, 'koln berlin', viewing)).toBe(false));

  it('does not match a word across two fields', () => expect(matches(parcel, 'cncaf', viewing)).toBe(false));

  it("finds a rejected parcel by the service's reason", () => {
    const error = { kind: 'request-refused', code: null, message: 'unsupported supplier', traceId: null };
    expect(matches(aPendingParcel({ registration: 'rejected', error }), 'supplier rejected', viewing)).toBe(true);
  });

  it('works for a parcel without data', () => {
    expect(matches(aPendingParcel(), 'waiting', viewing)).toBe(true);
    expect(matches(aPendingParcel(), 'köln', viewing)).toBe(false);
  });
});

describe('a filter by additional facts', () => {
  it('finds order numbers and remarks, from the service or the user', () => {
    const reported = aParcel({ record: aRecord({ orderNo: 'PO-4711', remark: 'for the Müller family' }) });
    expect(matches(reported, 'po-4711 muller', viewing)).toBe(true);
    const entered = aPendingParcel({ merchant: { orderNo: 'PO-12', remark: 'fragile' } });
    expect(matches(entered, 'po-12 fragile', viewing)).toBe(true);
  });

  it.each(['delivered 20 nov', 'muller', '2 pieces', '1.20 kg', '30x20x10', 'express'])('finds "%s"', (text) => {
    const delivered = aParcel({
      lastEvent: aCheckpoint({ subStatus: 'DELIVERED_01' }),
      record: aRecord({
        transitStatus: 'DELIVERED',
        transitSubStatus: 'DELIVERED_01',
        signedBy: 'Müller',
        pieces: 2,
        weight: '1.20 kg',
        dimensions: '30x20x10 cm',
        serviceCode: 'EXPRESS',
      }),
    });
    expect(matches(delivered, text, viewing)).toBe(true);
    expect(matches(aParcel(), text, viewing)).toBe(false);
  });

  it('finds only parcels that are out for delivery today when searching for "out today"', () => {
    const outForDelivery = (eventAgo: number) => inStatus('a', 'OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', eventAgo);
    expect(matches(outForDelivery(hour), 'out today', viewing)).toBe(true);
    expect(matches(outForDelivery(3 * day), 'out today', viewing)).toBe(false);
    expect(matches(outForDelivery(3 * day), 'out for delivery', viewing)).toBe(true);
  });
});

describe('fold', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['İstanbul', 'istanbul'],
    ['ΣΑΣ', 'σας'],
    ['Ａ１', 'a1'],
    ['é', 'e\u0301'],
  ])('makes %s and %s equal', (left, right) => expect(fold(left)).toBe(fold(right)));

  it('keeps Thai vowels', () => {
    expect(fold('กำลัง')).toBe(fold('กำลัง'.normalize('NFKD')));
    expect(fold('กำลัง')).not.toBe(fold('กลง'));
  });
});
