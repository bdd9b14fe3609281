import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { hasLeftQueue, parcelStage } from '../../src/parcels/parcel-stage.ts';
import { clockShiftVariable } from '../clock/clock-shift.ts';
import { copyProgram } from '../support/home.ts';
import { retryUntilWritten as until } from '../support/postgres/open-store.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import { AskedNumbers } from './calls.ts';
import { numberMaker } from './homes.ts';
import { type Host, type Loss, makeHost } from './hosts.ts';
import { inFolder, type Measure, type Taking } from './measure.ts';
import { addParcels, openPlace } from './place.ts';
import { openGate, startSandboxProcess } from './service.ts';

/** How the lease is lost. */
interface LeaseOptions {
  /** Path of the built program. */
  readonly cli: string;
  /** The ways in which it is lost, one after the other, in a loop. */
  readonly ways?: readonly Loss[];
  /** Whether the hosts believe that they are on different machines, and so cannot see that a process has died. */
  readonly areOwnMachines?: boolean;
}

const hourMs = 60 * 60_000;
/** Maximum time without queries after a loss, in milliseconds. */
const longestTakeoverMs = 15_000;
const parcelsAtStart = 30;
const parcelsARound = 3;
/** Intervals of 14 to 27 seconds. */
const speed = 400;

/** The machine's clock, which the server and the sandbox use, regardless of this process's clock. */
const machineNow = (): number => Date.now() - Number(process.env[clockShiftVariable] ?? 0);

async function condition(isReached: () => boolean, what: () => string, longestMs = 60_000): Promise<void> {
  const from = performance.now();
  while (!isReached()) {
    if (performance.now() - from > longestMs) throw new Error(what());
    await delay(20);
  }
}

/**
 * A board and two watchers poll one watchlist, each with its own home, key and connection to the database, and with
 * clocks an hour apart. The poller is lost, and comes back after another one has taken over. The calls show
 * whether a number was queried twice, too early or too late.
 */
export async function losingTheLease(
  { goesOn, random, tell }: Taking,
  { areOwnMachines = true, cli: built, ways = ['silenced', 'stopped', 'killed', 'refused'] }: LeaseOptions,
): Promise<Measure> {
  return await inFolder(async (folder) => {
    const cli = await copyProgram(built, join(folder, 'program'));
    const server = await startPostgresServer();
    const place = await openPlace(server.address());
    const sandbox = await startSandboxProcess(
      cli,
      { PATH: process.env['PATH'] ?? '', HOME: folder },
      { speed, seed: 1 },
    );
    const asked = new AskedNumbers(longestTakeoverMs);
    const gate = await openGate({
      sandboxUrl: sandbox.baseUrl,
      sandboxKey: sandbox.key,
      log: asked,
      now: machineNow,
      isSpoilt: () => false,
      complain: tell,
    });
    const hosts = await Promise.all(
      (['watch', 'board', 'watch'] as const).map((kind, index) =>
        makeHost({
          ...{ cli, folder, kind, database: server.address(), serviceUrl: gate.baseUrl },
          name: `host-${index}`,
          clockAheadMs: (index - 1) * hourMs,
          isOwnMachine: areOwnMachines,
        }),
      ),
    );
    const allSaid = (): string => hosts.map((host) => `${host.name}: ${host.said()}`).join('\n');
    const freshNumber = numberMaker(random);
    const add = (count: number): Promise<void> =>
      addParcels(place.store, Array.from({ length: count }, freshNumber), machineNow());
    const takeovers: number[] = [];
    try {
      await add(parcelsAtStart);
      for (const host of hosts) host.start();
      await condition(
        () => asked.figures().queries >= parcelsAtStart,
        () => `Nobody has asked.\n${allSaid()}`,
      );
      do {
        const way = ways[takeovers.length % ways.length] ?? 'killed';
        await add(parcelsARound);
        const lost = await loseTheCaller(way, hosts, asked, random);
        const lostAt = performance.now();
        await condition(
          () => asked.caller !== lost.name,
          () => `Nobody goes on after ${lost.name} was ${way}.\n${allSaid()}`,
          3 * longestTakeoverMs,
        );
        takeovers.push(Math.round(performance.now() - lostAt));
        tell(`${lost.name} was ${way}, ${asked.caller} goes on after ${takeovers.at(-1)} ms`);
        await delay(random() * 4_000);
        await lost.comeBack(way);
        // It may still be coming back when the next one is lost. The third one is there.
        await delay(random() * 6_000);
      } while (goesOn(takeovers.length));
      // The remaining hosts query all due numbers once more.
      await delay(areOwnMachines ? 45_000 : 3_000);
      const { parcels } = await until(() => place.store.read());
      const waiting = new Set(
        parcels
          .filter((parcel) => !hasLeftQueue(parcel) && parcelStage(parcel) !== 'delivered')
          .map(({ trackNo }) => trackNo),
      );
      const leftOver = asked.leftOver(machineNow(), (trackNo) => !waiting.has(trackNo));
      if (leftOver.length > 0) tell(`${leftOver.join(', ')} were left over.\n${allSaid()}`);
      const figures = asked.figures();
      const tooSlow = takeovers.filter((taken) => taken >= longestTakeoverMs).length;
      return {
        measure: 'the host that asks is lost, and another goes on',
        lost: figures.too_late + leftOver.length + tooSlow,
        doubled: figures.by_two_hosts + figures.too_early + figures.registered_twice + figures.out_of_turn,
        ...{ damaged: 0, broken: 0, losses: takeovers.length, left_over: leftOver.length },
        ...{ takeovers_too_slow: tooSlow, longest_takeover_ms: Math.max(...takeovers) },
        ...figures,
      };
    } finally {
      await Promise.all(hosts.map((host) => host.close()));
      await gate.close();
      await sandbox.close();
      await place.close();
      await server.stop();
    }
  });
}

/** Loses the poller, as often in the middle of a call as between two. */
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
  if (random() < 0.5) await delay(random() * 2_500);
  const holder = hosts.find(({ name }) => name === asked.caller);
  if (holder === undefined) throw new Error('Nobody asks.');
  asked.lost(holder.name, machineNow());
  await holder.lose(way);
  return holder;
}
