import { describe, expect, it } from 'vitest';
import { noon, registered, requested, testAccount, upsNumber } from '../support.ts';

it('numbers records in the order of registration, with ids too long for a double', () => {
  const account = testAccount();
  const ids = [0, 1, 2].map((index) => registered(account, requested(upsNumber(index)), noon + index).id);
  expect([...ids].sort()).toEqual(ids);
  expect(ids.every((id) => BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
});

it('recognises each kind of extra information', () => {
  const account = testAccount(7, 250_000);
  const later = noon + 3_600_000;
  const status = (trackNo: string, extras: { postalCode?: string; phoneSuffix?: string }): string => {
    const extra = { postalCode: null, phoneSuffix: null, ...extras };
    return account.recordAt(registered(account, { ...requested(trackNo), extra }), later).transitStatus;
  };
  expect(status('SF1234567890123', { postalCode: '10115' })).toBe('NO_RECORD');
  expect(status('SF1234567890124', { phoneSuffix: '1234' })).not.toBe('NO_RECORD');
  expect(status('3SABCD1234567', { phoneSuffix: '1234' })).toBe('NO_RECORD');
});

describe('refuses', () => {
  it('a duplicate before it checks the format', () => {
    const account = testAccount();
    registered(account, requested('LP00123456789012', 'cainiao'));
    expect(account.register(requested('LP00123456789012'), noon)).toEqual({
      kind: 'duplicate',
      courierCode: 'cainiao',
    });
  });

  it('an unknown courier code, and a number without a distinctive format', () => {
    const account = testAccount();
    expect(account.register(requested(upsNumber(1), 'nobody'), noon)).toEqual({ kind: 'unsupported-courier' });
    expect(account.register(requested('PARCEL'), noon)).toEqual({ kind: 'undetectable' });
    expect(account.size).toBe(0);
  });
});
