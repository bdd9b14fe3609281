import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { hasLeftQueue, parcelStage } from '../../src/parcels/parcel-state.ts';
import { clockShiftVariable } from '../clock/clock-shift.ts';
import { copyProgram } from '../support/home.ts';
import { retryUntilWritten as until } from '../support/postgres/open-store.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import { QueryChecker } from './calls.ts';
import { createNumberGenerator } from './homes.ts';
import { createHost, type Host, type Loss } from './hosts.ts';
import { type ScenarioOptions, type ScenarioResult, withTempFolder } from './measure.ts';
import { addParcels, openWatchlist } from './place.ts';
import { openGate, startSandboxProcess } from './service.ts';

interface LeaseOptions {
  /** Path of the built program. */
  readonly cli: string;
  /** The ways in which the lease is lost, in turn. */
  readonly ways?: readonly Loss[];
  /** Whether the hosts believe that they are on different machines, so that they cannot see that a process has died. */
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

async function waitUntil(isReached: () => boolean, what: () => string, longestMs = 60_000): Promise<void> {
  const from = performance.now();
  while (!isReached()) {
    if (performance.now() - from > longestMs) throw new Error(what());
    await delay(20);
  }
}

/**
 * Runs a board and two watchers on one watchlist, each with its own home, key and connection to the database, and with
 * clocks an hour apart. Disables the poller, and lets it recover after a different host has taken over. The calls show
 * whether a number was queried twice, too early or too late.
 */
export async function loseTheLease(
  { shouldContinue, random, report }: ScenarioOptions,
  { areOwnMachines = true, cli: built, ways = ['silenced', 'stopped', 'killed', 'refused'] }: LeaseOptions,
): Promise<ScenarioResult> {
  return await withTempFolder(async (folder) => {
    const cli = await copyProgram(built, join(folder, 'program'));
    const server = await startPostgresServer();
    const place = await openWatchlist(server.address());
    const sandbox = await startSandboxProcess(
      cli,
      { PATH: process.env['PATH'] ?? '', HOME: folder },
      { speed, seed: 1 },
    );
    const checker = new QueryChecker(longestTakeoverMs);
    const gate = await openGate({
      sandboxUrl: sandbox.baseUrl,
      sandboxKey: sandbox.key,
      log: checker,
      now: machineNow,
      isCorrupting: () => false,
      onViolation: report,
    });
    const hosts = await Promise.all(
      (['watch', 'board', 'watch'] as const).map((kind, index) =>
        createHost({
          ...{ cli, folder, kind, database: server.address(), serviceUrl: gate.baseUrl },
          name: `host-${index}`,
          clockAheadMs: (index - 1) * hourMs,
          hasOwnMachine: areOwnMachines,
        }),
      ),
    );
    const allOutput = (): string => hosts.map((host) => `${host.name}: ${host.output()}`).join('\n');
    const freshNumber = createNumberGenerator(random);
    const add = (count: number): Promise<void> =>
      addParcels(place.store, Array.from({ length: count }, freshNumber), machineNow());
    const takeovers: number[] = [];
    try {
      await add(parcelsAtStart);
      for (const host of hosts) host.start();
      await waitUntil(
        () => checker.figures().queries >= parcelsAtStart,
        () => `No host is polling.\n${allOutput()}`,
      );
      do {
        const way = ways[takeovers.length % ways.length] ?? 'killed';
        await add(parcelsARound);
        const lost = await disablePoller(way, hosts, checker, random);
        const lostAt = performance.now();
        await waitUntil(
          () => checker.caller !== lost.name,
          () => `No host took over after ${lost.name} was ${way}.\n${allOutput()}`,
          3 * longestTakeoverMs,
        );
        takeovers.push(Math.round(performance.now() - lostAt));
        report(`${lost.name} was ${way}, ${checker.caller} took over after ${takeovers.at(-1)} ms`);
        await delay(random() * 4_000);
        await lost.recover(way);
        // It may still be recovering when the next one is lost, but the third is running.
        await delay(random() * 6_000);
      } while (shouldContinue(takeovers.length));
      // The remaining hosts query all due numbers once more.
      await delay(areOwnMachines ? 45_000 : 3_000);
      const { parcels } = await until(() => place.store.read());
      const waiting = new Set(
        parcels
          .filter((parcel) => !hasLeftQueue(parcel) && parcelStage(parcel) !== 'delivered')
          .map(({ trackNo }) => trackNo),
      );
      const leftOver = checker.leftOver(machineNow(), (trackNo) => !waiting.has(trackNo));
      if (leftOver.length > 0) report(`${leftOver.join(', ')} were not queried again.\n${allOutput()}`);
      const figures = checker.figures();
      const tooSlow = takeovers.filter((taken) => taken >= longestTakeoverMs).length;
      return {
        measure: 'the polling host is lost, and a different one takes over',
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

/** Disables the poller, as often in the middle of a call as between two. */
async function disablePoller(
  way: Loss,
  hosts: readonly Host[],
  checker: QueryChecker,
  random: () => number,
): Promise<Host> {
  const before = checker.figures().queries;
  await waitUntil(
    () => checker.figures().queries > before,
    () => 'No host is polling any more.',
  );
  if (random() < 0.5) await delay(random() * 2_500);
  const holder = hosts.find(({ name }) => name === checker.caller);
  if (holder === undefined) throw new Error('No host is polling.');
  checker.lost(holder.name, machineNow());
  await holder.disable(way);
  return holder;
}
