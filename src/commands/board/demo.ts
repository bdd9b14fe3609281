import { createAccountActions } from '../../polling/account/account-actions.ts';
import { createMonitor } from '../../polling/core/monitor.ts';
import type { Monitor } from '../../polling/core/state.ts';
import { CallGate } from '../../polling/gate/call-gate.ts';
import { type GatedService, gatedService } from '../../polling/gate/gated-service.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { createTrackingService } from '../../service/client/client.ts';
import { type EpochMs, type Random, sleep } from '../../service/clock/clock.ts';
import { Zone } from '../../service/clock/zone.ts';
import { parseBaseUrl } from '../../service/http/base-url.ts';
import { defaultKeyHeader } from '../../service/operations.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { newParcel } from '../../watchlist/model/parcel-factory.ts';
import { createCourierDirectory } from '../../watchlist/state/courier-directory.ts';
import { firstView } from '../../watchlist/state/view-memory.ts';
import { createMemoryStore } from '../../watchlist/store/memory-store.ts';
import { type GlobalOptions, resolveZone } from '../configuration/configuration.ts';
import { changeLine } from '../output/change-line.ts';
import { parcelTable } from '../output/parcel-table.ts';
import { selectParcels } from '../read/select-parcels.ts';
import type { CommandContext, DemoParcel, RunningSandbox } from '../session/context.ts';
import { say, styleOf } from '../session/session.ts';
import { endOfBoard } from './board.ts';

/** How long changes are shown where there is no terminal, in milliseconds. */
const playMs = 10_000;

interface Demo {
  readonly monitor: Monitor;
  readonly service: GatedService;
  readonly sandbox: RunningSandbox;
}

/**
 * Shows the board on the embedded sandbox. Watchlist and memory live in the process: nothing of the user's is read or
 * written, and nothing stays behind however the program ends. Without a terminal it prints changes for ten seconds and
 * prints the list.
 */
export async function runDemo(context: CommandContext, options: GlobalOptions): Promise<ExitCode> {
  const { readOffsets } = context;
  const source = { options, environment: {}, file: {}, systemZone: () => context.systemZone(), readOffsets };
  const zone = new Zone(resolveZone(source)(), readOffsets);
  const demo = await startDemo(context);
  try {
    const { monitor, service } = demo;
    const style = styleOf(context, options);
    if (!(context.stdinIsTerminal && context.stdout.isTerminal)) {
      await play(context, monitor);
      const { parcels, polling } = monitor.getState();
      const table = parcelTable(selectParcels(parcels, { all: false, stage: null }), {
        now: context.clock.now(),
        zone,
        isPaused: polling.paused,
        style,
        width: context.stdout.columns,
      });
      context.stdout.write(`\n${table}`);
      return exitCode.done;
    }
    const { clock, random, signal } = context;
    const couriers = createCourierDirectory({ path: null, service, clock, random });
    const { glyphs, colour } = style;
    // The first frame shall show parcels, not that they are about to be queried.
    await monitor.refreshDue();
    // Nor that all of it is new: what happens from now on is.
    await monitor.markRead(monitor.getState().parcels.map(({ id }) => id));
    const end = await context.showBoard({
      monitor,
      couriers,
      zone,
      glyphs,
      colour,
      badge: 'DEMO',
      setup: { kind: 'ready' },
      setupEffects: null,
      // The news of the demonstration are what happens from now on.
      view: { ...firstView, newsSeq: monitor.changeSeq() },
      keepView: () => undefined,
      title: true,
      notificationSwitch: null,
      facts: [
        { name: 'Base URL', value: `${demo.sandbox.baseUrl} (sandbox)` },
        { name: 'Watchlist', value: 'in memory, gone when the demo ends' },
      ],
      account: createAccountActions(monitor, service),
      clockSkew: () => service.clockSkew(),
      hasDefaultExtra: () => false,
      signal,
    });
    return endOfBoard(end);
  } finally {
    await demo.monitor.stop();
    await demo.service.close();
    await demo.sandbox.close();
  }
}

async function startDemo(context: CommandContext): Promise<Demo> {
  const { clock, random } = context;
  const { start, demoParcels: registered, demoSeed, demoSpeed } = await context.loadSandbox();
  const sandbox = await start({ port: 0, speed: demoSpeed, seed: demoSeed, registered });
  const gate = new CallGate({ clock, random });
  const tracking = createTrackingService({
    baseUrl: parseBaseUrl(sandbox.baseUrl),
    apiKey: sandbox.apiKey,
    header: defaultKeyHeader,
    clock,
  });
  const service = gatedService(tracking, gate, 'user');
  const parcels = registered.map((parcel) => watchedParcel(parcel, clock.now(), random));
  const monitor = createMonitor({
    store: createMemoryStore({ version: 1, parcels }),
    service,
    clock,
    random,
    gate,
  });
  await monitor.load();
  return { monitor, service, sandbox };
}

/** A parcel as it would be after its registration, which the sandbox has made beforehand. */
function watchedParcel({ registeredAgoMs, ...parcel }: DemoParcel, now: EpochMs, random: Random): Parcel {
  const fresh = newParcel({ ...parcel, postalCode: null, phoneSuffix: null }, now - registeredAgoMs, random);
  return { ...fresh, registration: 'registered', registeredAt: fresh.addedAt };
}

/** Prints what changes, a line a change, for as long as the demo lasts or until the program is to stop. */
async function play(context: CommandContext, monitor: Monitor): Promise<void> {
  say(context, 'The demo runs for ten seconds; in a terminal it opens the board.');
  const unsubscribe = monitor.onChanges((changes) => {
    for (const change of changes) context.stdout.write(`${changeLine(change)}\n`);
  });
  try {
    monitor.start();
    await sleep(context.clock, playMs, context.signal);
  } finally {
    unsubscribe();
  }
}
