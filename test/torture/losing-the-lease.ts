import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { hasLeftQueue, parcelStage } from '../../src/parcels/parcel-stage.ts';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import { clockShiftVariable } from '../clock/clock-shift.ts';
import { numberMaker } from '../soak/circumstances.ts';
import { type Gate, openGate } from '../soak/gate.ts';
import { startSandboxProcess } from '../soak/sandbox-process.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import { AskedNumbers } from './asked-numbers.ts';
import { type OpenStore, openStore, until } from './counting.ts';
import type { Measure } from './measure.ts';
import { type Host, type Loss, losses, makeHost } from './polling-hosts.ts';

/** How the lease is lost. */
export interface LeaseOptions {
  /** Path of the built program. */
  readonly cli: string;
  /** The ways in which it is lost, one after the other. */
  readonly ways: readonly Loss[];
  /** Whether the hosts take each other for other machines, which cannot see that a process has died. */
  readonly areOwnMachines?: boolean;
  /** Takes a line about what must not be, and one a round. */
  readonly tell?: (line: string) => void;
}

const account = 'torture';
const hourMs = 60 * 60_000;
/** How long nobody may ask after a loss, in milliseconds. */
const longestTakeoverMs = 15_000;
const parcelsAtStart = 30;
const parcelsARound = 3;
/** Intervals of 14 to 27 seconds. */
const speed = 400;

/** The machine's clock, on which the server and the sandbox are, whatever this process's own says. */
const machineNow = (): number => Date.now() - Number(process.env[clockShiftVariable] ?? 0);

async function condition(isReached: () => boolean, what: () => string, longestMs = 60_000): Promise<void> {
  const from = performance.now();
  while (!isReached()) {
    if (performance.now() - from > longestMs) throw new Error(what());
    await pause(20);
  }
}

/** Watches new numbers, which whoever polls has to register. */
async function addParcels({ store }: OpenStore, trackNos: readonly string[]): Promise<void> {
  const parcels = trackNos.map((trackNo) =>
    newParcel(
      { trackNo, courierCode: null, label: null, postalCode: null, phoneSuffix: null },
      machineNow(),
      Math.random,
    ),
  );
  const writes = parcels.map((parcel) => ({ id: parcel.id, parcel }));
  for (;;) {
    const { revision } = await until(() => store.read());
    if ((await until(() => store.write(writes, revision, machineNow()))).isWritten) return;
  }
}

/**
 * A board and two watchers, each with a home, a key and a way to the database of its own and with clocks an hour apart, poll
 * one watchlist. The one that asks is lost, and comes back after another has gone on. The service's side says whether
 * anything was asked twice, too early or too late.
 */
export async function losingTheLease({
  areOwnMachines = true,
  cli: built,
  tell = () => {},
  ways,
}: LeaseOptions): Promise<Measure> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-lease-'));
  // A build meanwhile must not pull parts of the program away.
  const cli = join(folder, 'program', 'dist', 'cli.js');
  await cp(dirname(built), dirname(cli), { recursive: true });
  await writeFile(join(folder, 'program', 'package.json'), '{"type":"module"}');
  const server = await startPostgresServer();
  const opened = await openStore({ address: server.address(), account });
  const sandbox = await startSandboxProcess(cli, { PATH: process.env['PATH'] ?? '', HOME: folder }, { speed, seed: 1 });
  const asked = new AskedNumbers(longestTakeoverMs);
  const gate: Gate = await openGate({
    sandboxUrl: sandbox.baseUrl,
    sandboxKey: sandbox.key,
    log: asked,
    now: machineNow,
    isSpoilt: () => false,
    complain: tell,
  });
  const kinds = ['watch', 'board', 'watch'] as const;
  const hosts = await Promise.all(
    kinds.map((kind, index) =>
      makeHost({
        ...{ account, cli, folder, kind, database: server.address(), serviceUrl: gate.baseUrl },
        name: `host-${index}`,
        clockAheadMs: (index - 1) * hourMs,
        isOwnMachine: areOwnMachines,
      }),
    ),
  );
  const random = seededRandom(ways.length, 'losses');
  const freshNumber = numberMaker(random);
  const fresh = (count: number): readonly string[] => Array.from({ length: count }, freshNumber);
  const takeovers = new Map<Loss, number[]>();
  try {
    await addParcels(opened, fresh(parcelsAtStart));
    for (const host of hosts) host.start();
    await condition(
      () => asked.figures().queries >= parcelsAtStart,
      () => `Nobody has asked.\n${hosts.map((host) => host.said()).join('\n')}`,
    );
    for (const way of ways) {
      await addParcels(opened, fresh(parcelsARound));
      const lost = await loseTheCaller(way, hosts, asked, random);
      const lostAt = performance.now();
      await condition(
        () => asked.caller !== lost.name,
        () => `Nobody goes on after ${lost.name} was ${way}.\n${hosts.map((host) => host.said()).join('\n')}`,
        3 * longestTakeoverMs,
      );
      const tookMs = Math.round(performance.now() - lostAt);
      takeovers.set(way, [...(takeovers.get(way) ?? []), tookMs]);
      tell(`${lost.name} was ${way}, ${asked.caller} goes on after ${tookMs} ms`);
      await pause(random() * 4_000);
      await losses[way].comeBack(lost);
      // It may still be coming back when the next one is lost; the third one is there.
      await pause(random() * 6_000);
    }
    // All that is due is asked once more by whoever is left.
    await pause(areOwnMachines ? 45_000 : 3_000);
    const { parcels } = await until(() => opened.store.read());
    const waiting = new Map(
      parcels
        .filter((parcel) => !hasLeftQueue(parcel) && parcelStage(parcel) !== 'delivered')
        .map((parcel) => [parcel.trackNo, parcel]),
    );
    const leftOver = asked.leftOver(machineNow(), (trackNo) => !waiting.has(trackNo));
    if (leftOver.length > 0) tell(hosts.map((host) => `${host.name}: ${host.said()}`).join('\n'));
    for (const trackNo of leftOver)
      tell(`${trackNo} is left over until ${waiting.get(trackNo)?.nextPollAt ?? 'nobody knows when'}`);
    const { by_two_hosts, out_of_turn, registered_twice, too_early, too_late, ...figures } = asked.figures();
    const times = [...takeovers].map(([way, taken]) => [`longest_takeover_ms_${way}`, Math.max(...taken)] as const);
    const tooSlow = [...takeovers.values()].flat().filter((taken) => taken >= longestTakeoverMs).length;
    return {
      measure: 'the host that asks is lost, and another goes on',
      lost: too_late + leftOver.length + tooSlow,
      doubled: by_two_hosts + too_early + registered_twice + out_of_turn,
      damaged: 0,
      losses: ways.length,
      ...{ by_two_hosts, too_early, registered_twice, out_of_turn, too_late, left_over: leftOver.length },
      takeovers_too_slow: tooSlow,
      ...figures,
      ...Object.fromEntries(times),
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    };
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
    await gate.close();
    await sandbox.close();
    await opened.database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Loses the host that asks: in the middle of a call as often as between two. */
async function loseTheCaller(
  way: Loss,
  hosts: readonly Host[],
  asked: AskedNumbers,
  random: () => number,
): Promise<Host> {
  const { queries } = asked.figures();
  await condition(
    () => asked.figures().queries > queries,
    () => 'Nobody asks any more.',
  );
  if (random() < 0.5) await pause(random() * 2_500);
  const holder = hosts.find(({ name }) => name === asked.caller);
  if (holder === undefined) throw new Error('Nobody asks.');
  asked.lost(holder.name, machineNow());
  await losses[way].lose(holder);
  return holder;
}
