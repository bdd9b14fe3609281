import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseTrackNo } from '../../src/lib/track-number.ts';

const accepted = (text: string): string | null => {
  const check = normaliseTrackNo(text);
  return check.ok ? check.trackNo : null;
};
const refusal = (text: string): string | null => {
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
  ])('takes %j as %s', (text, trackNo) => {
    expect(accepted(text)).toBe(trackNo);
  });

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
  ])('refuses %j with a sentence that says why', (text, message) => {
    expect(refusal(text)).toMatch(message);
    expect(refusal(text)).toMatch(/[.:] ?.*\.$/);
  });

  it('gives back what it once gave', () => {
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
    fc.assert(
      fc.property(fc.array(oddForms, { minLength: 4, maxLength: 50 }), (characters) => {
        const trackNo = accepted(characters.join(''));
        expect(trackNo === null ? null : accepted(trackNo)).toBe(trackNo);
      }),
    );
  });

  it('answers the same for any case and any white space of one number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z0-9-]{3,20}[0-9]$/), (trackNo) => {
        const typed = ` ${[...trackNo.toLowerCase()].join(' \u200b')}\t`;
        expect(accepted(typed)).toBe(trackNo);
      }),
    );
  });
});
