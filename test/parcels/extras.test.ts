import { describe, expect, it } from 'vitest';
import { checkExtra } from '../../src/parcels/parcel-factory.ts';

describe('an extra', () => {
  it.each(['', '  ', '\u3000'])('is cleared by %j', (text) => {
    expect(checkExtra('postal-code', text)).toEqual({ ok: true, value: null });
    expect(checkExtra('phone-suffix', text)).toEqual({ ok: true, value: null });
  });

  it.each([
    ['postal-code', ' sw1a   1aa ', 'sw1a 1aa'],
    ['postal-code', '１０１１　ＡＢ', '1011 AB'],
    ['postal-code', '123-45+6', '123-45+6'],
    ['phone-suffix', ' １２３４ ', '1234'],
  ] as const)('is normalised as a %s: %j to %j', (kind, text, value) => {
    expect(checkExtra(kind, text)).toEqual({ ok: true, value });
  });

  it.each([
    ['postal-code', '1234567890123456'],
    ['postal-code', 'Wien, 1010'],
    ['phone-suffix', '987'],
    ['phone-suffix', '12 34'],
    ['phone-suffix', '12345'],
  ] as const)('is refused as a %s without being repeated: %j', (kind, text) => {
    const check = checkExtra(kind, text);
    expect(check.ok).toBe(false);
    expect(JSON.stringify(check)).not.toContain(text);
  });
});
