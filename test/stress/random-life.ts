import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/lib/clock.ts';
import { historyIdOf } from '../../src/parcels/identity.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { pick, randomBetween } from '../../src/sandbox/seeded-random.ts';
import { testClockEnvironment } from '../clock/clock-shift.ts';
import { copyProgram } from '../support/home.ts';
import { retryUntilWritten as until } from '../support/postgres/open-store.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import { operateBoards } from './boards.ts';
import { CallLog } from './calls.ts';
import { addNumbers, LogFollower, runRandomCommand } from './commands.ts';
import { createHome, createNumberGenerator } from './homes.ts';
import { Ledger } from './ledger.ts';
import { type ScenarioOptions, type ScenarioResult, withTempFolder } from './measure.ts';
import { account, type OpenWatchlist, openWatchlist } from './place.ts';
import { type Gate, keyOf, openGate, type SandboxProcess, startSandboxProcess } from './service.ts';
import { sample, Tally, type World } from './world.ts';

interface LifeOptions {
  /** Path of the built program. */
  readonly cli: string;
  /** How many times faster than in reality the sandbox's parcels move. */
  readonly speed?: number;
  readonly paceMs?: number;
  /** Whether to end, given the counts so far. By default, each board and each command counts as a round. */
  readonly isOver?: (tally: Tally) => boolean;
}

/** The number of hosts that share the database. */
const hostCount = 4;
const parcelsAtStart = 24;
/** Files and rows are read one after the other, so an inconsistency between them is checked again after this time. */
const recheckAfterMs = 1_500;

/**
 * Runs boards in terminals, commands, a script that follows the change log, and service errors on one store. Many of
 * them are killed. At the end, everything is compared once more.
 */
export async function runRandomPrograms(
  { shouldContinue, random, store, report }: ScenarioOptions,
  { cli: built, isOver: isDone, paceMs = 1_500, speed = 120 }: LifeOptions,
): Promise<ScenarioResult> {
  return await withTempFolder(async (folder) => {
    const cli = await copyProgram(built, join(folder, 'program'));
    const server = store === 'postgres' ? await startPostgresServer() : null;
    const environments = await Promise.all(
      Array.from({ length: server === null ? 1 : hostCount }, async (_, index) => {
        const home = join(folder, `host-${index}`);
        await mkdir(home);
        return {
          ...testClockEnvironment(),
          ...(await createHome(home)),
          // Each process has its own key here, by which the gate identifies it.
          ...(server === null ? {} : { PARCEL_MONITOR_STORE: server.address(), PARCEL_MONITOR_STORE_ACCOUNT: account }),
        };
      }),
    );
    const [first] = environments;
    const place = await openWatchlist(server?.address() ?? join(folder, 'host-0', 'data', 'parcel-monitor'));
    const tally = new Tally(report);
    const log = new CallLog();
    const ledger = new Ledger(() => Date.now());
    const sandbox = await startSandboxProcess(cli, first ?? {}, { speed, seed: 1 });
    const faults = new Faults(random, sandbox, tally);
    const gate = await openGate({
      sandboxUrl: sandbox.baseUrl,
      sandboxKey: sandbox.key,
      log,
      isCorrupting: () => faults.affectResponses(),
      onViolation: (message) => tally.fail('broken', message),
    });
    let labels = 0;
    const world: World = {
      ...{ cli, ledger, log, tally, paceMs },
      isOver: () => isDone?.(tally) ?? !shouldContinue(tally.of('boards_started') + tally.of('commands_run')),
      environment: (who) => ({
        ...environments[Number(/\d+$/.exec(who)?.[0] ?? 0) % environments.length],
        PARCEL_MONITOR_BASE_URL: gate.baseUrl,
        PARCEL_MONITOR_API_KEY: keyOf(who),
      }),
      freshNumber: createNumberGenerator(random),
      freshLabel: () => {
        labels += 1;
        return `L${labels}`;
      },
      checkStore: async () => void (await compare(place, world, false)),
    };
    const follower = new LogFollower(world, random);
    try {
      await addNumbers(world, () => 1, parcelsAtStart);
      await Promise.all([
        operateBoards(world, random, false),
        operateBoards(world, random, true),
        repeat(world, async () => {
          await runRandomCommand(world, random);
          return randomBetween(random, 1, 5) * paceMs;
        }),
        follower.follow(),
        repeat(world, async () => (await faults.toggle(gate)) * Math.min(1, paceMs / 1000)),
      ]);
      await faults.end(gate);
      await follower.compare();
      const parcels = await compare(place, world, true);
      const { calls, ...figures } = log.figures();
      const [received, counted] = [
        await sandbox.calls(),
        await place.countedCalls(join(folder, 'host-0', 'state', 'parcel-monitor')),
      ];
      // The call of a process that was killed may not have reached the sandbox.
      if (received > calls) tally.fail('broken', `the sandbox counted ${received} calls, but only ${calls} were sent`);
      if (counted < calls) tally.fail('lost', `the budget counted only ${counted} of ${calls} calls`);
      return {
        ...tally.measure('random boards, commands and faults'),
        ...{ parcels_at_end: parcels.length, calls, calls_answered: received, calls_in_budget: counted, ...figures },
      };
    } finally {
      await gate.close();
      await sandbox.close();
      await place.close();
      await server?.stop();
    }
  });
}

/** Repeats `work` until the run is over. It returns how long to wait, in milliseconds. */
async function repeat({ isOver }: World, work: () => Promise<number>): Promise<void> {
  while (!isOver()) {
    const until = Date.now() + (await work());
    while (Date.now() < until && !isOver()) await delay(Math.min(250, Math.max(1, until - Date.now())));
  }
}

/** Reads the store, and reports differences from the acknowledged state. */
async function compare(place: OpenWatchlist, { ledger, tally }: World, isQuiet: boolean): Promise<readonly Parcel[]> {
  tally.count('store_looks');
  const before = ledger.snapshot();
  const { parcels } = await until(() => place.store.read());
  const trashed = new Set((await until(() => place.recovery.trashed())).map(({ parcel }) => parcel.trackNo));
  for (const { kind, message } of ledger.compare(before, parcels, isQuiet)) {
    tally.fail(kind === 'doubled' || kind === 'came back' ? 'doubled' : 'lost', message);
  }
  const after = ledger.snapshot();
  for (const [trackNo, { isRemoved, revision }] of before) {
    if (!isRemoved || after.get(trackNo)?.revision !== revision || trashed.has(trackNo)) continue;
    tally.fail('lost', `${trackNo} was removed and is not in the trash`);
  }
  for (const message of [...place.store.takeNotices(), ...(await place.findDamage())]) tally.fail('damaged', message);
  const shorter = await findShortHistories(place, parcels);
  if (shorter.length > 0) {
    await delay(recheckAfterMs);
    const again = await findShortHistories(place, (await until(() => place.store.read())).parcels);
    for (const message of shorter.filter((short) => again.includes(short))) tally.fail('damaged', message);
  }
  return parcels;
}

/** A history is written before its parcel, so it never has fewer checkpoints than the parcel says. */
async function findShortHistories({ store }: OpenWatchlist, parcels: readonly Parcel[]): Promise<readonly string[]> {
  const damages: string[] = [];
  for (const parcel of parcels) {
    const { checkpoints } = await until(() => store.readHistory(historyIdOf(parcel)));
    if (checkpoints.length < parcel.checkpointCount)
      damages.push(
        `the history of ${parcel.trackNo} has ${checkpoints.length} of ${parcel.checkpointCount} checkpoints`,
      );
  }
  return damages;
}

/** Faults after which only a user can resume polling. They affect one call only, so that parcels move in between. */
const blockingFaults = new Set(['key-revoked', 'out-of-credit', 'missing-operation', 'forbidden-403', 'not-found-404']);
/** Faults in the service's planning, which are not temporary. `simulate` measures their effect. */
const planFaults = new Set(['lag', 'interval', 'never-looked-up', 'skew']);
/** How long responses may still be in transit when a fault ends, in milliseconds. */
const inTransitMs = 4_000;

/** Faults in the service and the network that come and go. */
class Faults {
  readonly #random: Random;
  readonly #sandbox: SandboxProcess;
  readonly #tally: Tally;
  #areActive = false;
  #endedAt = 0;

  constructor(random: Random, sandbox: SandboxProcess, tally: Tally) {
    this.#random = random;
    this.#sandbox = sandbox;
    this.#tally = tally;
  }

  affectResponses(): boolean {
    return this.#areActive || Date.now() < this.#endedAt + inTransitMs;
  }

  /** Starts faults, or ends them all. Returns how long to leave it at that, in milliseconds. */
  async toggle(gate: Gate): Promise<number> {
    const random = this.#random;
    this.#tally.count('faults_switched');
    if (this.#areActive) {
      await this.end(gate);
      return randomBetween(random, 15_000, 60_000);
    }
    this.#areActive = true;
    if (random() < 0.2) gate.setFault(pick(random, ['network-gone', 'date-ahead', 'date-behind'] as const));
    else {
      const names = (await this.#sandbox.faultNames()).filter((name) => !planFaults.has(name));
      const faultOf = (name: string): object => ({
        name,
        probability: pick(random, [1, 1, 0.5, 0.2]),
        ...(name === 'slow' ? { delayMs: randomBetween(random, 200, 4000) } : {}),
        ...(name === 'rate-limit-429' ? { delayMs: randomBetween(random, 1000, 10_000) } : {}),
        ...(blockingFaults.has(name) ? { count: 1 } : {}),
      });
      await this.#sandbox.setFaults(sample(random, names, 2).map(faultOf));
    }
    return randomBetween(random, 4_000, 20_000);
  }

  async end(gate: Gate): Promise<void> {
    if (!this.#areActive) return;
    await this.#sandbox.setFaults([]);
    gate.setFault(null);
    this.#areActive = false;
    this.#endedAt = Date.now();
  }
}
