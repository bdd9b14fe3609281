import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/lib/clock.ts';
import { pick, randomBetween } from '../../src/sandbox/seeded-random.ts';
import { listenTo, type RunningCli } from '../support/running-cli.ts';
import type { Change } from './ledger.ts';
import { pickByWeight, sample, serviceErrorPattern, typicalParcelCount, type World } from './world.ts';

/** A command's result. The code is null if it was killed. */
interface Run {
  readonly stdout: string;
  readonly code: number | null;
}

/** Exit codes of a correct program: success; key rejected or service unreachable; number rejected or gone; killed. */
const allowedCodes: readonly (number | null)[] = [0, 3, 4, 5, null];
const killedShare = 0.12;
const maxLifeMs = 900;
/** In milliseconds. A process that is killed may not have saved responses from this long before. */
export const unsavedMs = 3_000;

/** Runs a command, and occasionally kills it. */
async function run(world: World, random: Random, args: readonly string[], input = ''): Promise<Run> {
  const { cli, log, tally } = world;
  tally.count('commands_run');
  const environment = world.environment(`command-${tally.of('commands_run')}`);
  const child = spawn(process.execPath, [cli, ...args], { env: { ...environment } });
  const running = listenTo(child);
  child.stdin.on('error', () => {
    // It ended without reading.
  });
  child.stdin.end(input);
  if (random() < killedShare) void delay(random() * maxLifeMs).then(() => child.kill('SIGKILL'));
  const code = await running.ended;
  const stderr = running.stderr();
  if (code === null) {
    tally.count('commands_killed');
    log.forgetSince(Date.now() - unsavedMs);
  }
  const isAllowed = allowedCodes.includes(code) || (code === 1 && serviceErrorPattern.test(stderr));
  if (!isAllowed || /This is a bug|\n\s+at /.test(stderr)) {
    tally.fail('broken', `${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  }
  return { stdout: running.stdout(), code };
}

/** Begins a change of numbers that ends with the work. */
async function withChange(
  { ledger }: World,
  what: string,
  trackNos: readonly string[],
  work: (change: Change) => Promise<void>,
): Promise<void> {
  const change = ledger.begin(trackNos, what);
  try {
    await work(change);
  } finally {
    change.end();
  }
}

/**
 * Whether a command has reported a number's result. A printed line counts, regardless of what happened after it.
 */
const reportsResult = ({ stdout }: Run, trackNo: string, words = /.*/): boolean =>
  stdout.split('\n').some((line) => new RegExp(`^${trackNo}(?:@\\S+)?  `).test(line) && words.test(line));

/** Adds this many new numbers with one command. A random number that is always 1 never kills it. */
export async function addNumbers(world: World, random: Random, count: number): Promise<void> {
  const trackNos = Array.from({ length: count }, world.freshNumber);
  const label = count === 1 && random() < 0.5 ? world.freshLabel() : null;
  await withChange(world, 'add', trackNos, async (change) => {
    world.log.expect(Date.now(), 4);
    const args = count === 1 ? ['add', ...trackNos] : ['add', '-'];
    const input = count === 1 ? '' : `${trackNos.join('\n')}\n`;
    const outcome = await run(world, random, label === null ? args : [...args, '--label', label], input);
    for (const trackNo of trackNos) {
      if (outcome.code !== 0 && !reportsResult(outcome, trackNo)) continue;
      change.isThere(trackNo, label);
      world.tally.count('adds_acknowledged');
    }
  });
}

async function remove(world: World, random: Random): Promise<void> {
  const there = world.ledger.numbers('there');
  if (there.length < typicalParcelCount / 2) return;
  const trackNos = sample(random, there, there.length > typicalParcelCount ? 6 : 2);
  const isRemote = random() < 0.25;
  world.log.forget(trackNos);
  await withChange(world, 'remove', trackNos, async (change) => {
    const outcome = await run(world, random, ['remove', ...trackNos, ...(isRemote ? ['--remote'] : [])]);
    for (const trackNo of trackNos) {
      if (!reportsResult(outcome, trackNo, /removed|deleted/)) continue;
      change.isGone(trackNo);
      world.tally.count('removals_acknowledged');
    }
  });
}

async function restore(world: World, random: Random): Promise<void> {
  const gone = world.ledger.numbers('gone');
  if (gone.length === 0) return;
  const trackNo = pick(random, gone);
  world.log.forget([trackNo]);
  await withChange(world, 'restore', [trackNo], async (change) => {
    const outcome = await run(world, random, ['restore', '--parcel', trackNo]);
    if (reportsResult(outcome, trackNo, /restored/)) change.isThere(trackNo);
  });
}

async function label(world: World, random: Random): Promise<void> {
  const trackNo = pick(random, world.ledger.numbers('there'));
  const words = world.freshLabel();
  world.ledger.noteLabel(words, trackNo);
  await withChange(world, 'edit --label', [trackNo], async (change) => {
    const outcome = await run(world, random, ['edit', trackNo, '--label', words]);
    if (!reportsResult(outcome, trackNo, /changed/)) return;
    change.isThere(trackNo, words);
    world.tally.count('labels_acknowledged');
  });
}

async function runQueryingCommand(world: World, random: Random, args: readonly string[]): Promise<void> {
  world.log.expect(Date.now() + 3000, 4);
  await run(world, random, args);
}

async function listJson(world: World, random: Random): Promise<void> {
  const { code, stdout } = await run(world, random, ['list', '--json', '--all']);
  if (code !== 0) return;
  try {
    const { parcels, version } = JSON.parse(stdout) as { readonly parcels: unknown; readonly version: unknown };
    if (version === 1 && Array.isArray(parcels)) return;
  } catch {
    // Reported below.
  }
  world.tally.fail('broken', `list --json printed ${stdout.slice(0, 200)}`);
}

/** Runs a random command to its end, or until it is killed. */
export async function runRandomCommand(world: World, random: Random): Promise<void> {
  const randomNumber = (): string => pick(random, world.ledger.numbers('there'));
  const readOnlyCommands = [
    ['status'],
    ['show', randomNumber()],
    ['paths'],
    ['export', '--format', 'ics'],
    ['doctor', '--offline'],
  ];
  const what = pickByWeight(random, {
    ...{ add: 12, 'add three': 3, remove: 8, restore: 3, label: 8, archive: 4 },
    ...{ watch: 4, refresh: 2, 'refresh all': 1, json: 4, look: 5 },
  });
  if (what === 'add') await addNumbers(world, random, 1);
  else if (what === 'add three') await addNumbers(world, random, 3);
  else if (what === 'remove') await remove(world, random);
  else if (what === 'restore') await restore(world, random);
  else if (what === 'label') await label(world, random);
  else if (what === 'watch') await runQueryingCommand(world, random, ['watch', '--once']);
  else if (what === 'refresh') await runQueryingCommand(world, random, ['refresh', randomNumber()]);
  else if (what === 'refresh all') await runQueryingCommand(world, random, ['refresh']);
  else if (what === 'json') await listJson(world, random);
  else if (what === 'look') await run(world, random, pick(random, readOnlyCommands));
  else {
    const trackNo = randomNumber();
    world.log.forget([trackNo]);
    await run(world, random, ['edit', trackNo, random() < 0.4 ? '--archive' : '--restore']);
  }
}

/** How long the last lines may take to be printed, in milliseconds. */
const patienceMs = 30_000;

/**
 * A script that follows the change log with `watch --json` and is ended again and again, usually in the middle of its
 * work. It continues with `--since` after the last line that it has read completely. In the end it must have read each
 * line once.
 */
export class LogFollower {
  readonly #world: World;
  readonly #random: Random;
  readonly #lines: string[] = [];

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** Follows until the end. */
  async follow(): Promise<void> {
    const { paceMs } = this.#world;
    while (!this.#world.isOver()) {
      const running = this.#start();
      const until = Date.now() + randomBetween(this.#random, 0.5, 60) * paceMs;
      while (Date.now() < until && !this.#world.isOver()) await Promise.race([delay(100), running.ended]);
      await this.#end(running, pickByWeight(this.#random, { SIGKILL: 6, SIGTERM: 2, SIGINT: 2 }));
    }
  }

  /** When nothing else runs any more: reads the rest, and compares everything with the log. */
  async compare(): Promise<void> {
    const { tally } = this.#world;
    const log = wholeLines((await run(this.#world, () => 1, ['changes', '--json'])).stdout);
    const running = this.#start();
    const isComplete = ({ stdout }: { readonly stdout: string }): boolean =>
      this.#lines.length + wholeLines(stdout).length >= log.length;
    await Promise.race([running.until(isComplete).catch(() => undefined), delay(patienceMs)]);
    await this.#end(running, 'SIGTERM');
    // Changes that the last one found itself are in neither.
    for (const [index, line] of log.entries()) {
      const { seq } = JSON.parse(line) as { readonly seq: number };
      if (seq !== index + 1) tally.fail('lost', `line ${index + 1} of the log has number ${seq}`);
      const printed = this.#lines[index];
      if (printed === undefined) tally.fail('lost', `line ${seq} of the log was never printed`);
      else if (printed !== line) tally.fail('damaged', `${printed} was printed for ${line}`);
    }
  }

  #start(): RunningCli {
    const { cli, environment, tally } = this.#world;
    tally.count('watches_started');
    const args = [cli, 'watch', '--json', '--since', `${this.#lines.length}`];
    const env = { ...environment(`watch-${tally.of('watches_started')}`) };
    return listenTo(spawn(process.execPath, args, { env }));
  }

  async #end(running: RunningCli, signal: NodeJS.Signals): Promise<void> {
    const { log, tally } = this.#world;
    const code = await running.end(signal);
    log.forgetSince(Date.now() - unsavedMs);
    const stderr = running.stderr();
    const isAllowed = [null, 130, 143, 3].includes(code) || (code === 1 && serviceErrorPattern.test(stderr));
    if (!isAllowed || /This is a bug|\n\s+at /.test(stderr)) {
      tally.fail('broken', `watch --json ended with ${code}: ${stderr.trim()}`);
    }
    for (const line of wholeLines(running.stdout())) this.#record(line);
  }

  #record(line: string): void {
    const { tally } = this.#world;
    const { parcel: _parcel, ...change } = JSON.parse(line) as { readonly parcel: unknown; readonly seq: number };
    const expected = this.#lines.length + 1;
    if (change.seq < expected) {
      tally.fail('doubled', `line ${change.seq} of the log was printed again after ${expected - 1}`);
      return;
    }
    // Continues after the gap, so that each gap is found once.
    for (let seq = expected; seq < change.seq; seq += 1) {
      tally.fail('lost', `line ${seq} of the log was not printed before ${change.seq}`);
      this.#lines.push('');
    }
    tally.count('log_lines_printed');
    this.#lines.push(JSON.stringify(change));
  }
}

/** A process that is killed may leave a part of a line. */
const wholeLines = (text: string): readonly string[] => text.split('\n').slice(0, -1);
