import { expect, it } from 'vitest';
import { createRegistry } from '../../../src/sandbox/world/account.ts';
import type { Registration } from '../../../src/sandbox/world/registration.ts';
import { noon, registered, requested, testAccount, upsNumber } from '../support.ts';

it('finds a registration among very many by id, number or order without looking at the others', () => {
  const account = testAccount();
  const registry = createRegistry();
  const lookedAt = new Set<string>();
  const orderOf = (index: number): string => `order ${index % 500}`;
  for (let index = 0; index < 1000; index += 1) {
    const request = { ...requested(upsNumber(index)), merchant: { orderNo: orderOf(index) } };
    const registration = registered(account, request, noon);
    const watched = new Proxy(registration, {
      get: (target, name: keyof Registration) => {
        lookedAt.add(target.trackNo);
        return target[name];
      },
    });
    registry.put(watched);
  }
  const ids = registry.all().map(({ id }) => id);

  lookedAt.clear();
  expect(registry.find(upsNumber(7), null)).toHaveLength(1);
  expect(registry.find(upsNumber(7).toLowerCase(), 'ups')).toHaveLength(1);
  expect(registry.find('NOBODY1', null)).toEqual([]);
  expect(registry.get(ids[7] ?? '')).toBeDefined();
  expect([...lookedAt]).toEqual([upsNumber(7)]);

  lookedAt.clear();
  const [first, second, ...others] = registry.findByOrderNo(orderOf(7));
  expect([first?.trackNo, second?.trackNo]).toEqual([upsNumber(7), upsNumber(507)]);
  expect(others).toEqual([]);
  expect(lookedAt.size).toBe(2);
});
