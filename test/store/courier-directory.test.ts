import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs as day } from '../../src/lib/clock.ts';
import { type Courier, type TrackingService, UnreachableError } from '../../src/service/port.ts';
import { createCourierDirectory, readSavedCouriers } from '../../src/store/courier-directory.ts';
import { createFileDocument } from '../../src/store/shared-state.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

const dhl: Courier = { code: 'dhl', nameEN: 'DHL', nameCN: '敦豪', homePage: 'https://www.dhl.com/' };
let folder = '';
let path = '';
let clock: FakeClock;

beforeEach(async () => {
  folder = await createTestFolder();
  path = join(folder, 'cache', 'couriers.json');
  clock = createFakeClock();
});

function serviceOf(respond: () => Promise<readonly Courier[]>): TrackingService & { requests: number } {
  const service = {
    requests: 0,
    couriers: async () => {
      service.requests += 1;
      return await respond();
    },
    register: () => Promise.reject(new Error('unexpected call')),
    query: () => Promise.reject(new Error('unexpected call')),
    batchLimits: { register: 100, query: 100 },
  };
  return service;
}
const open = (service: TrackingService | null, file: string | null = path) =>
  createCourierDirectory({
    ...(file === null
      ? {}
      : { cache: createFileDocument(file, readSavedCouriers, { clock, random: Math.random, processes: null }) }),
    service,
    clock,
  });

describe('the courier directory', () => {
  it('requests the list once, and keeps it for a week and across restarts, readable only by the user', async () => {
    const service = serviceOf(async () => [dhl]);
    const fetchedAt = clock.now();
    expect(await open(service).list()).toEqual({ couriers: [dhl], fetchedAt, stale: false, problem: null });
    clock.jumpTo(fetchedAt + 7 * day - 1);
    expect((await open(service).list()).couriers).toEqual([dhl]);
    expect(service.requests).toBe(1);
    clock.jumpTo(fetchedAt + 7 * day);
    expect((await open(service).list()).fetchedAt).toBe(clock.now());
    expect(service.requests).toBe(2);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('requests the list again if the user asks for it', async () => {
    const service = serviceOf(async () => [dhl]);
    const directory = open(service);
    await directory.list();
    await directory.list({ refresh: true });
    expect(service.requests).toBe(2);
  });

  it('keeps the saved list if the service returns no couriers', async () => {
    const couriers = [dhl];
    const service = serviceOf(async () => couriers.splice(0));
    await open(service).list();
    const refreshed = await open(service).list({ refresh: true });
    expect(refreshed).toMatchObject({ couriers: [dhl], stale: true, problem: expect.stringContaining('no couriers') });
    expect((await open(service).list()).couriers).toEqual([dhl]);
    expect(service.requests).toBe(2);
  });

  it('shares one request between simultaneous calls', async () => {
    const service = serviceOf(async () => [dhl]);
    const directory = open(service);
    await Promise.all([directory.list(), directory.list(), directory.list({ refresh: true })]);
    expect(service.requests).toBe(1);
  });

  it('returns the old list, along with the reason, if the service fails', async () => {
    await open(serviceOf(async () => [dhl])).list();
    clock.jumpTo(clock.now() + 30 * day);
    const failing = open(serviceOf(() => Promise.reject(new UnreachableError('No connection. Check the network.'))));
    expect(await failing.list()).toMatchObject({
      couriers: [dhl],
      stale: true,
      problem: 'No connection. Check the network.',
      failure: { kind: 'unreachable' },
    });
    expect(await open(null).list()).toMatchObject({
      couriers: [dhl],
      stale: true,
      problem: expect.stringContaining('API key'),
    });
  });

  it('fails with a clear error if there is neither a list nor a service', async () => {
    await expect(open(null).list()).rejects.toThrow(/without an API key. Set PARCEL_MONITOR_API_KEY/);
    const failing = open(serviceOf(() => Promise.reject(new UnreachableError('No connection.'))));
    await expect(failing.list()).rejects.toThrow(UnreachableError);
  });

  it('tries again after a failure', async () => {
    let works = false;
    const directory = open(
      serviceOf(() => (works ? Promise.resolve([dhl]) : Promise.reject(new UnreachableError('No.')))),
    );
    await expect(directory.list()).rejects.toThrow('No.');
    works = true;
    expect((await directory.list()).couriers).toEqual([dhl]);
  });

  it.each(['{"version":1,"fetch', '{"version":2,"couriers":[]}', ''])(
    'requests the list again when the cache contains %j',
    async (text) => {
      await mkdir(join(folder, 'cache'));
      await writeFile(path, text);
      const service = serviceOf(async () => [dhl]);
      expect((await open(service).list()).couriers).toEqual([dhl]);
      expect(service.requests).toBe(1);
      expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ couriers: [dhl] });
    },
  );

  it('returns the list even if it cannot be saved, and reports why', async () => {
    await writeFile(join(folder, 'cache'), 'a file where the folder should be');
    const list = await open(serviceOf(async () => [dhl])).list();
    expect(list.couriers).toEqual([dhl]);
    expect(list.problem).toContain(path);
  });

  it('keeps the list in memory if it has no file', async () => {
    const service = serviceOf(async () => [dhl]);
    const directory = open(service, null);
    await directory.list();
    await directory.list();
    expect(service.requests).toBe(1);
  });
});
