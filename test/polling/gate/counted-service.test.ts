import { expect, it } from 'vitest';
import { countedService } from '../../../src/polling/gate/counted-service.ts';
import type { HttpTrackingService } from '../../../src/service/client/client.ts';
import type { RegistrationItem } from '../../../src/service/record/record.ts';
import { noUsage } from '../../../src/watchlist/state/usage.ts';
import { createMemoryUsageMeter } from '../../../src/watchlist/state/usage-meter.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { recordOf } from '../../support/records.ts';
import { createFakeService } from '../fake-service.ts';

const clock = createFakeClock();
const key = { trackNo: 'RB1CN', courierCode: 'ups' };
const item: RegistrationItem = { ...key, postalCode: null, phoneSuffix: null };
const page = { records: [recordOf(), recordOf()], next: null, traceId: null };
const service: HttpTrackingService = {
  ...createFakeService(clock),
  search: async () => page,
  delete: async () => [],
  edit: async () => undefined,
  changeCourier: async () => undefined,
  retrack: async () => [],
  instant: async () => ({ kind: 'record', record: recordOf() }),
  clockSkew: () => null,
  close: async () => undefined,
};

it('counts the calls that no budget limits, each as what it costs', async () => {
  const meter = createMemoryUsageMeter(clock);
  const counted = countedService(service, meter, () => undefined);
  await counted.couriers();
  await counted.delete([key]);
  await counted.edit(key);
  await counted.changeCourier(key, 'dhl');
  await counted.retrack([key]);
  expect((await meter.read()).today).toEqual({ ...noUsage, calls: 5 });
  // These are counted before they are sent, beside the budget.
  await counted.register([item]);
  await counted.query([key]);
  expect(await counted.instant(item)).toMatchObject({ kind: 'record' });
  expect(await counted.search({}, '')).toBe(page);
  expect((await meter.read()).today.calls).toBe(5);
});

it('lets no call fail because of the meter, and tells of it', async () => {
  const told: unknown[] = [];
  const trouble = new Error('No space left.');
  const fail = async (): Promise<never> => {
    throw trouble;
  };
  const counted = countedService(service, { read: fail, add: fail }, (error) => told.push(error));
  expect(await counted.delete([key])).toEqual([]);
  expect(told).toEqual([trouble]);
});
