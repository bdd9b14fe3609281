import { describe, expect, it } from 'vitest';
import { matchesFilter } from '../../src/board/filter.ts';
import { fold } from '../../src/board/fold.ts';
import { aCheckpoint, aParcel, aPendingParcel, aRecord } from './parcels.ts';

const parcel = aParcel({
  label: 'Café crème ☕',
  tags: ['gift'],
  record: aRecord({ courierNameCN: '燕文物流' }),
  lastEvent: aCheckpoint({ address: 'KÖLN', detail: '航班已起飞 한국어 العربية' }),
});

describe('matchesFilter', () => {
  it.each([
    ['number', 'lx1234'],
    ['label without its accents', 'cafe'],
    ['label in another case', 'CRÈME'],
    ['tag', 'gift'],
    ['courier code', 'yanw'],
    ['Chinese courier name', '燕文'],
    ['status', 'sorting'],
    ['stage', 'in transit'],
    ['short word of the stage', 'on the way'],
    ['place', 'köln'],
    ['Chinese text', '起飞'],
    ['Korean text', '한국'],
    ['Arabic text', 'العربية'],
    ['full-width digits', '１２３４'],
    ['words of different fields in any order', 'koln cafe 123'],
    ['blank', '   '],
  ])('finds by %s', (_what, text) => {
    expect(matchesFilter(parcel, text)).toBe(true);
  });

  it('asks for all words', () => {
    expect(matchesFilter(parcel, 'koln berlin')).toBe(false);
  });

  it('finds no word that runs from one field into the next', () => {
    expect(matchesFilter(parcel, 'cncaf')).toBe(false);
  });

  it('finds a rejected parcel by the words of the service', () => {
    const error = { kind: 'request-refused', code: null, message: 'unsupported supplier', traceId: null };
    expect(matchesFilter(aPendingParcel({ registration: 'rejected', error }), 'supplier rejected')).toBe(true);
  });

  it('copes with a parcel that nothing is known of', () => {
    expect(matchesFilter(aPendingParcel(), 'waiting')).toBe(true);
    expect(matchesFilter(aPendingParcel(), 'köln')).toBe(false);
  });
});

describe('fold', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['İstanbul', 'istanbul'],
    ['ΣΑΣ', 'σας'],
    ['Ａ１', 'a1'],
    ['é', 'e\u0301'],
  ])('brings %s and %s together', (left, right) => {
    expect(fold(left)).toBe(fold(right));
  });

  it('keeps the vowels of Thai', () => {
    expect(fold('กำลัง')).toBe(fold('กำลัง'.normalize('NFKD')));
    expect(fold('กำลัง')).not.toBe(fold('กลง'));
  });
});
