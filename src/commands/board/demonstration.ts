import type { EpochMs, Random } from '../../lib/clock.ts';
import type { Zone } from '../../lib/zone.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { newParcel } from '../../parcels/parcel-factory.ts';
import { createAccountActions } from '../../polling/account.ts';
import { CallGate } from '../../polling/gate/call-gate.ts';
import { type GatedService, gatedService } from '../../polling/gate/gated-service.ts';
import { createMonitor } from '../../polling/monitor.ts';
import type { Monitor } from '../../polling/state.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { createTrackingService } from '../../service/client.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import { UnavailableError } from '../../settings/errors.ts';
import type { ReplaceableServices } from '../../settings/session/board-request.ts';
import type { CommandContext, DemoParcel, RunningSandbox } from '../../settings/session/context.ts';
import { createCourierDirectory } from '../../store/courier-directory.ts';
import { createMemoryStore } from '../../store/memory-store.ts';

export interface Demo {
  readonly monitor: Monitor;
  readonly service: GatedService;
  readonly sandbox: RunningSandbox;
  close(): Promise<void>;
}

/** The first frame shall show the parcels, not that they are about to be queried or that all are new. */
export async function beginDemo({ monitor }: Demo): Promise<void> {
  const { failure } = await monitor.refreshDue();
  if (failure !== null) throw failure;
  await monitor.markRead(monitor.getState().parcels.map(({ id }) => id));
}

export function demoServices(
  { clock }: Pick<CommandContext, 'clock'>,
  { monitor, sandbox, service }: Demo,
  zone: Zone,
): Omit<ReplaceableServices, 'setupEffects'> {
  return {
    monitor,
    couriers: createCourierDirectory({ service, clock }),
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

/** The sandbox has registered these parcels already. */
function watchedParcel({ registeredAgoMs, ...parcel }: DemoParcel, now: EpochMs, random: Random): Parcel {
  const fresh = newParcel({ ...parcel, postalCode: null, phoneSuffix: null }, now - registeredAgoMs, random);
  return { ...fresh, registration: 'registered', registeredAt: fresh.addedAt };
}

interface SandboxVisitOptions {
  readonly context: CommandContext;
  readonly zone: () => Zone;
  readonly show: (services: Omit<ReplaceableServices, 'setupEffects'>) => void;
  readonly showOwn: () => void;
}

export class SandboxVisit {
  readonly #options: SandboxVisitOptions;
  #demo: Demo | null = null;
  #isEntering = false;

  constructor(options: SandboxVisitOptions) {
    this.#options = options;
  }

  isInSandbox(): boolean {
    return this.#demo !== null;
  }

  /** Throws an {@link UnavailableError} when the sandbox cannot be started. */
  async enter(): Promise<void> {
    if (this.#demo !== null || this.#isEntering) return;
    this.#isEntering = true;
    try {
      const { context, show, zone } = this.#options;
      const demo = await startDemo(context);
      await beginDemo(demo);
      if (context.signal.aborted) {
        await demo.close();
        throw new UnavailableError('The program is about to end.');
      }
      this.#demo = demo;
      demo.monitor.start();
      show(demoServices(context, demo, zone()));
    } finally {
      this.#isEntering = false;
    }
  }

  async leave(): Promise<void> {
    const demo = this.#demo;
    if (demo === null) return;
    this.#demo = null;
    // First, because the screen must not draw a closed core.
    this.#options.showOwn();
    await demo.close();
  }

  async close(): Promise<void> {
    const demo = this.#demo;
    this.#demo = null;
    await demo?.close();
  }
}
