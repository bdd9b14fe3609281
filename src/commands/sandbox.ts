import { type EpochMs, type Random, sleep } from '../lib/clock.ts';
import { Zone } from '../lib/date-time.ts';
import { printTable } from '../lib/table.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { newParcel } from '../parcels/parcel-factory.ts';
import { createAccountActions, gatedService } from '../polling/account.ts';
import { CallGate } from '../polling/gate/call-gate.ts';
import { createMonitor, type Monitor } from '../polling/monitor.ts';
import { createTrackingService } from '../service/client.ts';
import { parseBaseUrl } from '../service/connection.ts';
import { defaultKeyHeader } from '../service/port.ts';
import { type GlobalOptions, resolveZone } from '../settings/configuration.ts';
import { UnavailableError } from '../settings/errors.ts';
import { profileNamed } from '../settings/service-address.ts';
import {
  type BoardEnd,
  type CommandContext,
  type DemoParcel,
  hasScreen,
  type ReplaceableServices,
  type SandboxRequest,
  untilAborted,
} from '../settings/session/context.ts';
import { printNote, styleOf } from '../settings/session/output.ts';
import { createCourierDirectory } from '../store/courier-directory.ts';
import { firstView } from '../store/saved-view.ts';
import { createMemoryStore } from '../store/store.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { parcelTable, parcelTableWidth } from './list.ts';
import { changeLine } from './print-changes.ts';
import { selectParcels } from './select-parcels.ts';

/** How long the demo runs without a terminal. */
const demoDurationMs = 10_000;

/** Keeps everything in memory, and neither reads nor writes user data. */
export async function runDemo(context: CommandContext, options: GlobalOptions): Promise<ExitCode> {
  const source = { options, environment: {}, file: {}, systemZone: () => context.systemZone() };
  const zone = new Zone(resolveZone(source)());
  const setupText = setupCommand(context);
  const nextStepHint = `That was the demo. For your own parcels, run "${setupText}".`;
  const style = styleOf(context, options);
  const demo = await startDemo(context);
  try {
    const { monitor } = demo;
    if (!hasScreen(context)) {
      await playDemo(context, monitor);
      const { parcels, polling } = monitor.getState();
      const viewing = { now: context.clock.now(), zone, isPaused: polling.paused, width: parcelTableWidth(context) };
      context.stdout.write('\n');
      printTable({ context, style }, parcelTable(selectParcels(parcels), viewing));
      printNote(context, nextStepHint);
      return exitCode.done;
    }
    await demo.begin();
    const end = await context.showBoard({
      ...demo.services(zone),
      setupEffects: null,
      setupProblem: `This is the demo. Press q, then run "${setupText}".`,
      ...style,
      // Only changes from now on count as new.
      view: { ...firstView, newsSeq: monitor.changeSeq() },
      keepView: () => undefined,
      signal: context.signal,
    });
    if (['quit', 'interrupted', 'stopped'].includes(end.reason)) printNote(context, nextStepHint);
    return boardExitCode(end);
  } finally {
    await demo.close();
  }
}

/** Throws the error that ended the board. */
export function boardExitCode(end: BoardEnd): ExitCode {
  if (end.reason === 'error') throw end.error;
  return exitCode.done;
}

/** Recognises a clone by the environment variables that npm sets for its scripts. */
function setupCommand({ environment }: Pick<CommandContext, 'environment'>): string {
  const isInClone =
    environment['npm_lifecycle_event'] !== undefined && environment['npm_package_name'] === 'parcel-monitor';
  return isInClone ? 'npm start -- setup' : 'parcel-monitor setup';
}

async function playDemo(context: CommandContext, monitor: Monitor): Promise<void> {
  printNote(context, 'The demo runs for ten seconds. In a terminal, it opens the board.');
  const unsubscribe = monitor.onChanges((changes) => {
    for (const change of changes) context.stdout.write(`${changeLine(change)}\n`);
  });
  try {
    // Waits for the first responses, so that they do not use up the time on a slow machine.
    await monitor.refreshDue();
    monitor.start();
    await sleep(context.clock, demoDurationMs, context.signal);
  } finally {
    unsubscribe();
  }
}

type Demo = Awaited<ReturnType<typeof startDemo>>;

async function startDemo(context: CommandContext) {
  const { clock, random } = context;
  const { demo, start } = await context.loadSandbox();
  const sandbox = await start(demo);
  const gate = new CallGate({ clock, random, policy: { minPauseMs: 0 } });
  const baseUrl = parseBaseUrl(sandbox.baseUrl);
  const tracking = createTrackingService({ baseUrl, apiKey: sandbox.apiKey, header: defaultKeyHeader, clock });
  const service = gatedService(tracking, gate, 'user');
  const parcels = demo.registered.map((parcel) => createRegisteredParcel(parcel, clock.now(), random));
  const monitor = createMonitor({ store: createMemoryStore({ version: 1, parcels }), service, clock, random, gate });
  await monitor.load();
  return {
    monitor,
    /** Checks all parcels and marks them as read, so that the first frame looks like a board in use. */
    async begin(): Promise<void> {
      const { failure } = await monitor.refreshDue();
      if (failure !== null) throw failure;
      await monitor.markRead(monitor.getState().parcels.map(({ id }) => id));
    },
    services: (zone: Zone): Omit<ReplaceableServices, 'setupEffects'> => ({
      monitor,
      couriers: createCourierDirectory({ service, clock }),
      zone,
      badge: 'DEMO',
      setup: { kind: 'ready' },
      title: true,
      notificationSwitch: null,
      facts: [
        { name: 'Base URL', value: `${sandbox.baseUrl} (sandbox)` },
        { name: 'Watchlist', value: 'in memory until the demo ends' },
      ],
      account: createAccountActions(monitor, service),
      clockSkew: () => service.clockSkew(),
      hasDefaultExtra: () => false,
    }),
    async close(): Promise<void> {
      await monitor.stop();
      await service.close();
      await sandbox.close();
    },
  };
}

/** Returns the parcel as registered, because the sandbox has already registered it. */
function createRegisteredParcel({ registeredAgoMs, ...parcel }: DemoParcel, now: EpochMs, random: Random): Parcel {
  const fresh = newParcel({ ...parcel, postalCode: null, phoneSuffix: null }, now - registeredAgoMs, random);
  return { ...fresh, registration: 'registered', registeredAt: fresh.addedAt };
}

interface SandboxVisitOptions {
  readonly context: CommandContext;
  readonly zone: () => Zone;
  readonly showDemo: (services: Omit<ReplaceableServices, 'setupEffects'>) => void;
  readonly showWatchlist: () => void;
}

/** Shows the demo on a board that is already open. */
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

  /** Throws an {@link UnavailableError} if the sandbox cannot be started. */
  async enter(): Promise<void> {
    if (this.#demo !== null || this.#isEntering) return;
    this.#isEntering = true;
    try {
      const { context, showDemo: show, zone } = this.#options;
      const demo = await startDemo(context);
      await demo.begin();
      if (context.signal.aborted) {
        await demo.close();
        throw new UnavailableError('The program is exiting.');
      }
      this.#demo = demo;
      demo.monitor.start();
      show(demo.services(zone()));
    } finally {
      this.#isEntering = false;
    }
  }

  async leave(): Promise<void> {
    const demo = this.#demo;
    if (demo === null) return;
    this.#demo = null;
    // Before the demo is closed, because the screen must not draw a closed core.
    this.#options.showWatchlist();
    await demo.close();
  }

  async close(): Promise<void> {
    const demo = this.#demo;
    this.#demo = null;
    await demo?.close();
  }
}

interface SandboxOptions extends Omit<SandboxRequest, 'faults' | 'registered'> {
  readonly fault?: SandboxRequest['faults'];
  readonly profile?: string;
}

export async function runSandbox(
  context: CommandContext,
  _globals: GlobalOptions,
  options: SandboxOptions,
): Promise<ExitCode> {
  const { fault: faults = [], profile, ...request } = options;
  const { start } = await context.loadSandbox();
  const sandbox = await start({ ...profileOptions(profile), ...request, faults });
  try {
    context.stdout.write(
      [
        `base URL: ${sandbox.baseUrl}`,
        `API key: ${sandbox.apiKey}`,
        `export PARCEL_MONITOR_BASE_URL=${sandbox.baseUrl}`,
        `export PARCEL_MONITOR_API_KEY=${sandbox.apiKey}`,
        `export PARCEL_MONITOR_API_HEADER=${sandbox.headerName}`,
        '',
      ].join('\n'),
    );
    if (faults.length > 0) printNote(context, `Injected faults: ${faults.join(', ')}.`);
    if (request.credit !== undefined)
      printNote(context, `The account has ${request.credit} registrations and instant calls left.`);
    if (request.webhook !== undefined) printNote(context, `The sandbox calls ${request.webhook} on every change.`);
    else if (request.webhookSignature !== undefined && request.webhookSignature !== 'hmac')
      printNote(context, '--webhook-signature has no effect without --webhook.');
    printNote(context, 'The sandbox is running. Press Ctrl+C to stop it.');
    await untilAborted(context.signal);
    return exitCode.done;
  } finally {
    await sandbox.close();
  }
}

/** Throws a `UsageError` for an unknown profile. */
function profileOptions(profile: string | undefined): Pick<SandboxRequest, 'header' | 'basePath'> {
  if (profile === undefined) return {};
  const { baseUrl, header } = profileNamed(profile);
  return { header, basePath: new URL(baseUrl).pathname };
}
