import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { isCourierCode, isWord } from '../../src/lib/track-number.ts';
import { decodeCourier } from '../../src/service/decode-record.ts';
import { decodeEnvelope } from '../../src/service/failures.ts';
import { decodeRejections } from '../../src/service/requests.ts';
import { decodeRecord } from '../support/decoded-record.ts';
import { hostileWords } from '../support/hostile-words.ts';

/** Names that would do something in a shell, in a path or on a terminal. */
const hostile = [...hostileWords, '../../etc/passwd', 'ups\u0000', 'ü', 'x'.repeat(101)];

describe('names from outside', () => {
  it.each(['ups', 'china-post', 'sfb2c', '4px', 'postmedia-parcel-services-bni-pa', 'DHL_eCommerce', 'gls.de'])(
    'takes %s for a courier code',
    (code) => {
      expect(isCourierCode(code)).toBe(true);
    },
  );

  it.each(hostile)('takes %j for no courier code', (code) => {
    expect(isCourierCode(code)).toBe(false);
    expect(decodeCourier({ courierCode: code, courierNameEN: 'Evil' })?.code).not.toBe(code);
    expect(decodeRecord({ trackNo: 'A1', courierCode: code })?.courierCode).not.toBe(code);
  });

  it.each(['1Z999AA10123456784', '12/34.56_7-8', 'lx123456789cn'])('takes %s for a number', (trackNo) => {
    expect(isWord(trackNo)).toBe(true);
    expect(decodeRecord({ trackNo })?.trackNo).toBe(trackNo);
  });

  it('costs a record only the name that is none', () => {
    const record = decodeRecord({
      id: '1;2',
      trackNo: 'LX1',
      courierCode: 'china-post',
      localLogisticsInfo: { courierCode: '$(x)', courierNameEN: 'China Post' },
      lastMileInfo: { lmTrackNo: '$(y)', openApiWayBillInfo: { courierCode: '`z`', courierNameEN: 'DHL' } },
    });
    expect(record).toMatchObject({ id: null, trackNo: 'LX1', courierCode: 'china-post', courierNameEN: 'China Post' });
    expect(record?.lastMile).toEqual({ trackNo: null, courierCode: null, courierName: 'DHL' });
  });

  it('knows no record by a number that is none', () => {
    expect(decodeRecord({ trackNo: '$(touch x)' })).toBeNull();
  });

  it('takes a trace identifier and the courier of a rejection only when they are words', () => {
    const envelope = (traceId: string): JsonObject => ({ code: '00000', traceId });
    expect(decodeEnvelope(envelope('0a1b2c3d4e5f60718293a4b5c6d7e8f9'))?.traceId).toBe(
      '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
    );
    expect(decodeEnvelope(envelope('ab12.345.1700000000000'))?.traceId).toBe('ab12.345.1700000000000');
    expect(decodeEnvelope(envelope('$(reboot)'))?.traceId).toBeNull();
    const rejected = [{ index: 0, trackNo: 'LX1', courierCode: '$(x)', error: { code: 'A0400', msg: 'no' } }];
    expect(decodeRejections(rejected, [{ trackNo: 'LX1', courierCode: null }])).toMatchObject([
      { trackNo: 'LX1', courierCode: null, message: 'no' },
    ]);
  });
});
