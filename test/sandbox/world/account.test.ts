import { describe, expect, it } from 'vitest';
import { noon, registerParcel, registrationRequest, testAccount, upsNumber } from '../support.ts';

it('numbers records in the order of registration, with IDs too long for a double', () => {
  const account = testAccount();
  const ids = [0, 1, 2].map((index) => registerParcel(account, registrationRequest(upsNumber(index)), noon + index).id);
  expect([...ids].sort()).toEqual(ids);
  expect(ids.every((id) => BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
});

describe('an account', () => {
  it('rejects a duplicate before it checks the format', () => {
    const account = testAccount();
    registerParcel(account, registrationRequest('LP00123456789012', 'cainiao'));
    expect(account.register(registrationRequest('LP00123456789012'), noon)).toEqual({
      kind: 'duplicate',
      courierCode: 'cainiao',
    });
  });
});
