/**
 * Refreshes a watchlist ten thousand times, with the real core and client against the sandbox's world, and prints how
 * much the heap has grown. Run with `--expose-gc`; the arguments are refreshes that do not count, and those that do.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createMonitor } from '../../src/polling/core/monitor.ts';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { couriers } from '../../src/sandbox/data/couriers.ts';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import { openAccount } from '../../src/sandbox/world/account.ts';
import { createTrackingService } from '../../src/service/client/client.ts';
import { defaultKeyHeader } from '../../src/service/operations.ts';
import { createMemoryStore } from '../../src/watchlist/store/memory-store.ts';
import { createVirtualClock } from '../simulate/virtual-clock.ts';
import { WorldDispatcher } from '../simulate/world-dispatcher.ts';

// What the runtime learns and keeps at first is no leak.
const [warmUp = 1_000, refreshes = 10_000] = process.argv.slice(2).map(Number);
const minuteMs = 60_000;

const collect: unknown = Reflect.get(globalThis, 'gc');
if (typeof collect !== 'function') throw new Error('Run this with --expose-gc.');
const heapBytes = (): number => {
  for (let round = 0; round < 4; round += 1) collect();
  return process.memoryUsage().heapUsed;
};

const clock = createVirtualClock(Date.UTC(2026, 10, 19, 9, 0, 0));
// As the program's launcher does.
process.env['TZ'] = 'UTC';
const account = openAccount({ seed: 1, speed: 1 }, clock.now());
const dispatcher = new WorldDispatcher(account, clock);
const service = createTrackingService({
  baseUrl: new URL('http://127.0.0.1:1/'),
  apiKey: 'unused',
  header: defaultKeyHeader,
  clock,
  dispatcher,
});
const random = seededRandom(1, 'bench');
const monitor = createMonitor({
  store: createMemoryStore(),
  service,
  clock,
  random,
  gate: new CallGate({ clock, random }),
});
const settle = async (): Promise<void> => {
  for (let calm = 0; calm < 2; calm = dispatcher.open > 0 ? 0 : calm + 1) await turn();
};
// The first call loads what later ones find loaded.
await service.couriers();
await monitor.load();
for (const [index, courier] of couriers.slice(0, 10).entries()) {
  const trackNo = `SIM${String(index).padStart(9, '0')}`;
  await monitor.add({ trackNo, courierCode: courier.code, label: null, postalCode: '50667', phoneSuffix: '1234' });
}
const ids = monitor.getState().parcels.map(({ id }) => id);
let answers = 0;
const refresh = async (times: number): Promise<void> => {
  for (let done = 0; done < times; done += 1) {
    const asked = monitor.refresh(ids);
    await clock.run(clock.now() + minuteMs, settle);
    answers += (await asked).answered.length;
  }
};
await refresh(warmUp);
const before = heapBytes();
answers = 0;
await refresh(refreshes);
const after = heapBytes();
process.stdout.write(JSON.stringify({ refreshes, answers, before, after }));
