import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { isCourierCode, isWord, normaliseTrackNo } from '../../src/lib/track-number.ts';
import { decodeCourier } from '../../src/service/decode-record.ts';
import { decodeEnvelope } from '../../src/service/failures.ts';
import { decodeRejections } from '../../src/service/requests.ts';
import { decodeRecord } from '../support/decoded-record.ts';
import { forAll } from '../support/for-all.ts';
import { hostileWords } from '../support/hostile-words.ts';

const accepted = (text: string): string | null => {
  const check = normaliseTrackNo(text);
  return check.ok ? check.trackNo : null;
};
const rejectionOf = (text: string): string | null => {
  const check = normaliseTrackNo(text);
  return check.ok ? null : check.message;
};

describe('normaliseTrackNo', () => {
  it.each([
    ['1Z999AA10123456784', '1Z999AA10123456784'],
    ['  rb100000005cn\n', 'RB100000005CN'],
    ['9400 1000 0000 0000 0000 00', '9400100000000000000000'],
    ['１Ｚ９９９ＡＡ', '1Z999AA'],
    ['LX12\u200b3456\u00ad789CN', 'LX123456789CN'],
    ['\u202eRB1000\u202c05CN', 'RB100005CN'],
    ['AB\u00a012\u300034', 'AB1234'],
    ['12\u201334\u221256\u201178', '12-34-56-78'],
    ['JD_01.02/03', 'JD_01.02/03'],
  ])('normalises %j to %s', (text, trackNo) => expect(accepted(text)).toBe(trackNo));

  it.each([
    ['', /empty/],
    [' \t\u200b', /empty/],
    ['12A', /too short.*at least 4/],
    ['1'.repeat(51), /too long.*51 characters/],
    ['HEADPHONES', /no digit/],
    ['RB1000"05', /cannot contain """/],
    ['包裹12345', /cannot contain "包"/],
    ['12345,67890', /cannot contain ","/],
    ['1234😀', /cannot contain "😀"/],
  ])('refuses %j with the reason', (text, message) => {
    expect(rejectionOf(text)).toMatch(message);
    expect(rejectionOf(text)).toMatch(/[.:] ?.*\.$/);
  });

  it('does not change its own output', () => {
    const oddForms = fc.constantFrom(
      'a',
      'Z',
      '7',
      '７',
      'ｑ',
      '-',
      '\u2013',
      ' ',
      '\u200b',
      '\u0007',
      '.',
      '/',
      '_',
      '①',
      '½',
    );
    forAll(fc.array(oddForms, { minLength: 4, maxLength: 50 }), (characters) => {
      const trackNo = accepted(characters.join(''));
      expect(trackNo === null ? null : accepted(trackNo)).toBe(trackNo);
    });
  });

  it('ignores case and white space', () =>
    forAll(fc.stringMatching(/^[A-Z0-9-]{3,20}[0-9]$/), (trackNo) => {
      const typed = ` ${[...trackNo.toLowerCase()].join(' \u200b')}\t`;
      expect(accepted(typed)).toBe(trackNo);
    }));
});

/** Names with a special meaning in a shell, a path or a terminal. */
const hostile = [...hostileWords, '../../etc/passwd', 'ups\u0000', 'ü', 'x'.repeat(101)];

describe('names from outside', () => {
  it.each(['ups', 'china-post', 'sfb2c', '4px', 'postmedia-parcel-services-bni-pa', 'DHL_eCommerce', 'gls.de'])(
    'accepts %s as a courier code',
    (code) => {
      expect(isCourierCode(code)).toBe(true);
    },
  );

  it.each(hostile)('refuses %j as a courier code', (code) => {
    expect(isCourierCode(code)).toBe(false);
    expect(decodeCourier({ courierCode: code, courierNameEN: 'Evil' })?.code).not.toBe(code);
    expect(decodeRecord({ trackNo: 'A1', courierCode: code })?.courierCode).not.toBe(code);
  });

  it.each(['1Z999AA10123456784', '12/34.56_7-8', 'lx123456789cn'])('accepts %s as a number', (trackNo) => {
    expect(isWord(trackNo)).toBe(true);
    expect(decodeRecord({ trackNo })?.trackNo).toBe(trackNo);
  });

  it('drops only an invalid name from a record', () => {
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

  it('drops a record with an invalid number', () => expect(decodeRecord({ trackNo: '$(touch x)' })).toBeNull());

  it('accepts a trace ID and the courier of a rejection only if they are words', () => {
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
