import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/settings/errors.ts';
import { readMerchant } from '../../src/settings/parcel-fields.ts';

const read = (options: Parameters<typeof readMerchant>[0]) => readMerchant(options, () => 'Europe/Berlin');

describe('merchant data', () => {
  it('includes every field of a request item, cleaned', () => {
    expect(
      read({
        orderNo: ' O-1 ',
        country: 'de',
        shipTime: '2026-11-20 14:30',
        email: 'a@b.example',
        remark: 'fragile\u001b[31m',
        custom1: '1',
        custom2: '2',
      }),
    ).toEqual({
      orderNo: 'O-1',
      country: 'DE',
      shippedAt: '2026-11-20T13:30:00.000Z',
      customerEmail: 'a@b.example',
      remark: 'fragile',
      custom1: '1',
      custom2: '2',
    });
  });

  it('is empty without options', () => {
    expect(read({})).toEqual({});
    expect(read({ orderNo: ' ', country: '', shipTime: '', email: '', remark: '' })).toEqual({});
  });

  it.each([
    ['2026-07-20 14:30', '2026-07-20T12:30:00.000Z'],
    ['2026-11-20T14:30:15', '2026-11-20T13:30:15.000Z'],
    ['2026-11-20', '2026-11-19T23:00:00.000Z'],
    ['2026-11-20T14:30Z', '2026-11-20T14:30:00.000Z'],
    ['2026-11-20 14:30 +08:00', '2026-11-20T06:30:00.000Z'],
    ['2026-11-20t14:30:00-0500', '2026-11-20T19:30:00.000Z'],
  ])('reads the ship time %s', (shipTime, shippedAt) => expect(read({ shipTime })).toEqual({ shippedAt }));

  it.each([
    [{ shipTime: 'tomorrow' }, /not a ship time/],
    [{ shipTime: '2026-13-40 10:00' }, /not a ship time/],
    [{ country: 'Germany' }, /two letters/],
    [{ email: 'nobody' }, /email/],
  ])('refuses %j', (options, message) => {
    expect(() => read(options)).toThrow(UsageError);
    expect(() => read(options)).toThrow(message);
  });

  it('never repeats an address that it refuses', () => {
    expect(() => read({ email: 'private name@b.example' })).not.toThrow(/private/);
  });
});
