import { createAccountActions } from '../../polling/account/account-actions.ts';
import { createMonitor } from '../../polling/core/monitor.ts';
import type { Monitor } from '../../polling/core/state.ts';
import { CallGate } from '../../polling/gate/call-gate.ts';
import { type GatedService, gatedService } from '../../polling/gate/gated-service.ts';
import type { ReplaceableServices } from '../../screen/board-request.ts';
import { createTrackingService } from '../../service/client/client.ts';
import type { EpochMs, Random } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import { parseBaseUrl } from '../../service/http/base-url.ts';
import { defaultKeyHeader } from '../../service/operations.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { newParcel } from '../../watchlist/model/parcel-factory.ts';
import { createCourierDirectory } from '../../watchlist/state/courier-directory.ts';
import { createMemoryStore } from '../../watchlist/store/memory-store.ts';
import type { CommandContext, DemoParcel, RunningSandbox } from '../session/context.ts';

/** A demonstration: an embedded service, and a core whose watchlist and memory live in the process. */
export interface Demo {
  readonly monitor: Monitor;
  readonly service: GatedService;
  readonly sandbox: RunningSandbox;
  /** Ends all of it. */
  close(): Promise<void>;
}

/** Queries all parcels once: the first frame shall show them, not that they are about to be queried, nor that all of it is new. */
export async function beginDemo({ monitor }: Demo): Promise<void> {
  const { failure } = await monitor.refreshDue();
  if (failure !== null) throw failure;
  await monitor.markRead(monitor.getState().parcels.map(({ id }) => id));
}

/** What the screen is given of a demonstration. */
export function demoServices(
  { clock, random }: Pick<CommandContext, 'clock' | 'random'>,
  { monitor, sandbox, service }: Demo,
  zone: Zone,
): Omit<ReplaceableServices, 'setupEffects'> {
  return {
    monitor,
    couriers: createCourierDirectory({ path: null, service, clock, random }),
    zone,
    badge: 'DEMO',
    setup: { kind: 'ready' },
    title: true,
    notificationSwitch: null,
    facts: [
      { name: 'Base URL', value: `${sandbox.baseUrl} (sandbox)` },
      { name: 'Watchlist', value: 'in memory, gone when the demo ends' },
    ],
    account: createAccountActions(monitor, service),
    clockSkew: () => service.clockSkew(),
    hasDefaultExtra: () => false,
  };
}

/** Starts the embedded service with the same parcels as ever, and a core of its own on them. */
export async function startDemo(context: CommandContext): Promise<Demo> {
  const { clock, random } = context;
  const { demoParcels, startDemo: start } = await context.loadSandbox();
  const sandbox = await start();
  const gate = new CallGate({ clock, random, policy: { leastMs: 0 } });
  const tracking = createTrackingService({
    baseUrl: parseBaseUrl(sandbox.baseUrl),
    apiKey: sandbox.apiKey,
    header: defaultKeyHeader,
    clock,
  });
  const service = gatedService(tracking, gate, 'user');
  const parcels = demoParcels.map((parcel) => watchedParcel(parcel, clock.now(), random));
  const monitor = createMonitor({
    store: createMemoryStore({ version: 1, parcels }),
    service,
    clock,
    random,
    gate,
  });
  await monitor.load();
  return {
    monitor,
    service,
    sandbox,
    async close() {
      await monitor.stop();
      await service.close();
      await sandbox.close();
    },
  };
}

/** A parcel as it would be after its registration, which the sandbox has made beforehand. */
function watchedParcel({ registeredAgoMs, ...parcel }: DemoParcel, now: EpochMs, random: Random): Parcel {
  const fresh = newParcel({ ...parcel, postalCode: null, phoneSuffix: null }, now - registeredAgoMs, random);
  return { ...fresh, registration: 'registered', registeredAt: fresh.addedAt };
}
