import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/lib/clock.ts';
import { between, pickWeighted } from '../../src/sandbox/seeded-random.ts';
import { listenTo, type RunningCli } from '../support/running-cli.ts';
import type { Circumstances } from './circumstances.ts';
import type { Tally } from './tally.ts';

/** How a script follows the change log. */
interface Following {
  readonly soak: Circumstances;
  readonly isOver: (tally: Tally) => boolean;
  readonly paceMs: number;
  readonly random: Random;
}

const endings: readonly { readonly signal: NodeJS.Signals; readonly weight: number }[] = [
  { signal: 'SIGKILL', weight: 6 },
  { signal: 'SIGTERM', weight: 2 },
  { signal: 'SIGINT', weight: 2 },
];
/** Codes with which `watch` may end: by a signal, or because the service wants nothing to do with us. */
const fineCodes: ReadonlySet<number | null> = new Set([null, 130, 143, 3]);
const spoiltService = /The service has no operation|The answer of .* is larger|The service refused/;
/** How long the last lines may take to be printed, in milliseconds. */
const patienceMs = 30_000;

/**
 * A script that follows the change log with `watch --json` and is ended again and again, mostly in the middle of its work:
 * it goes on with `--since` behind the last line that it has read whole. In the end it must have read each line once.
 */
export class LogFollower {
  readonly #following: Following;
  readonly #lines: string[] = [];

  constructor(following: Following) {
    this.#following = following;
  }

  /** Follows until it is over. */
  async follow(): Promise<void> {
    const { isOver, paceMs, random, soak } = this.#following;
    while (!isOver(soak.tally)) {
      const running = this.#start();
      const until = Date.now() + between(random, 0.5, 60) * paceMs;
      while (Date.now() < until && !isOver(soak.tally)) await Promise.race([delay(100), running.ended]);
      await this.#end(running, pickWeighted(random, endings).signal);
    }
  }

  /** When nothing else runs any more: reads the rest, and compares all of it with the log. */
  async compare(): Promise<void> {
    const { tally } = this.#following.soak;
    const log = await this.#logAsPrinted();
    const running = this.#start();
    const isComplete = ({ stdout }: { readonly stdout: string }): boolean =>
      this.#lines.length + wholeLines(stdout).length >= log.length;
    await Promise.race([running.until(isComplete).catch(() => undefined), delay(patienceMs)]);
    await this.#end(running, 'SIGTERM');
    // What the last one found out itself is in neither.
    for (const [index, line] of log.entries()) {
      const { seq } = JSON.parse(line) as { readonly seq: number };
      if (seq !== index + 1) tally.fail('lines of the log lost', `line ${index + 1} of the log has number ${seq}`);
      const printed = this.#lines[index];
      if (printed === undefined) tally.fail('lines of the log lost', `line ${seq} was never printed`);
      else if (printed !== line) tally.fail('lines of the log wrong', `${printed} was printed for ${line}`);
    }
  }

  #start(): RunningCli {
    const { soak } = this.#following;
    soak.tally.count('watches started');
    const args = ['watch', '--json', '--since', `${this.#lines.length}`];
    const environment = soak.environment(`watch-${soak.tally.of('watches started')}`);
    return listenTo(spawn(process.execPath, [soak.cli, ...args], { env: { ...environment } }));
  }

  async #end(running: RunningCli, signal: NodeJS.Signals): Promise<void> {
    const { log, tally } = this.#following.soak;
    const code = await running.end(signal);
    log.forgetSince(Date.now() - 3000);
    const isFine = fineCodes.has(code) || (code === 1 && spoiltService.test(running.stderr()));
    if (!isFine || /This is a bug|\n\s+at /.test(running.stderr())) {
      tally.fail('commands that failed', `watch --json ended with ${code}: ${running.stderr().trim()}`);
    }
    for (const line of wholeLines(running.stdout())) this.#take(line);
  }

  #take(line: string): void {
    const { tally } = this.#following.soak;
    const { parcel: _parcel, ...change } = JSON.parse(line) as { readonly parcel: unknown; readonly seq: number };
    const expected = this.#lines.length + 1;
    if (change.seq < expected) {
      tally.fail('lines of the log doubled', `line ${change.seq} was printed again after ${expected - 1}`);
      return;
    }
    // The numbers go on behind it, so that one gap is found once.
    for (let seq = expected; seq < change.seq; seq += 1) {
      tally.fail('lines of the log lost', `line ${seq} was not printed before ${change.seq}`);
      this.#lines.push('');
    }
    tally.count('lines of the log printed');
    this.#lines.push(JSON.stringify(change));
  }

  async #logAsPrinted(): Promise<readonly string[]> {
    const { soak } = this.#following;
    const environment = soak.environment('changes');
    const running = listenTo(spawn(process.execPath, [soak.cli, 'changes', '--json'], { env: { ...environment } }));
    const code = await running.ended;
    if (code !== 0) soak.tally.fail('commands that failed', `changes --json ended with ${code}: ${running.stderr()}`);
    return wholeLines(running.stdout());
  }
}

/** A process that is killed may leave a part of a line. */
const wholeLines = (text: string): readonly string[] => text.split('\n').slice(0, -1);
