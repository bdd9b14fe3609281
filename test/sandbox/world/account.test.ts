import { describe, expect, it } from 'vitest';
import { noon, registered, requested, testAccount, upsNumber } from '../support.ts';

it('numbers records in the order of registration, with ids too long for a double', () => {
  const account = testAccount();
  const ids = [0, 1, 2].map((index) => registered(account, requested(upsNumber(index)), noon + index).id);
  expect([...ids].sort()).toEqual(ids);
  expect(ids.every((id) => BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
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
});
