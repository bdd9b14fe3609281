import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemCode } from '../../src/lib/store-errors.ts';
import { systemClock } from '../../src/system/clock.ts';
import { bundledScript } from '../support/bundled-script.ts';
import { type Fate, startCuttingProxy } from '../support/postgres/cutting-proxy.ts';
import {
  type PostgresServer,
  type PostgresServerOptions,
  startPostgresServer,
} from '../support/postgres/postgres-server.ts';
import { openStore, startCounting } from './counting.ts';
import { type Audit, type Finding, startAudit } from './database-audit.ts';
import type { Measure } from './measure.ts';
import { startWriter, type Writer } from './writer-process.ts';

const run = promisify(execFile);
const hourMs = 60 * 60_000;

/** Those who count at once, each on a host whose clock is an hour off the next one's. */
class Writers {
  readonly #program: string;
  readonly #address: string;
  readonly #running = new Map<string, Writer>();
  /** What each has said was written, over all its lives. */
  readonly acknowledged = new Map<string, number>();
  /** Counts that somebody found lower than they had been acknowledged, and more than one higher. */
  found: Finding = { lost: 0, doubled: 0, damaged: 0 };

  constructor(program: string, address: string, names: readonly string[]) {
    this.#program = program;
    this.#address = address;
    for (const name of names) this.start(name);
  }

  get names(): readonly string[] {
    return [...this.#running.keys()];
  }

  start(name: string): void {
    const index = this.#running.has(name) ? this.names.indexOf(name) : this.#running.size;
    this.#running.set(name, startWriter(this.#program, this.#address, name, `${(index - 1) * hourMs}`));
  }

  /** Waits until one has written so many more in this life, after it has said where it found the counting. */
  async written(name: string, more: number): Promise<void> {
    const writer = this.#of(name);
    await writer.printed(1 + more);
    this.#note(name);
  }

  /** As {@link written}, of all, from where they are now. */
  async allWrite(more: number): Promise<void> {
    await Promise.all(
      this.names.map(async (name) => {
        const { lines } = this.#of(name);
        await this.written(name, Math.max(0, lines.length - 1) + more);
      }),
    );
  }

  async kill(name: string): Promise<void> {
    const writer = this.#of(name);
    writer.child.kill('SIGKILL');
    await writer.ended;
    this.#note(name);
  }

  async killAll(): Promise<void> {
    await Promise.all(this.names.map((name) => this.kill(name)));
  }

  /** How much all have printed in their lives of now. */
  total(): number {
    return this.names.reduce((sum, name) => sum + this.#of(name).lines.length, 0);
  }

  #of(name: string): Writer {
    const writer = this.#running.get(name);
    if (writer === undefined) throw new Error(`Nobody is called ${name}.`);
    return writer;
  }

  #note(name: string): void {
    const { lines } = this.#of(name);
    const [first] = lines;
    const known = this.acknowledged.get(name) ?? 0;
    // The line of a killed process may lack its end.
    if (first !== undefined && Number(first) < known && lines.length === 1)
      this.found = { ...this.found, lost: this.found.lost + known - Number(first) };
    this.acknowledged.set(name, Math.max(known, Number(lines.at(-1) ?? 0)));
  }
}

interface Scene {
  readonly server: PostgresServer;
  readonly writers: Writers;
  readonly audit: Audit;
}

/** Plays a scene on a server of its own and looks at what it leaves. */
async function play(
  measure: string,
  options: PostgresServerOptions,
  act: (scene: Scene) => Promise<Readonly<Record<string, number>>>,
): Promise<Measure> {
  const startedAt = performance.now();
  const program = bundledScript(fileURLToPath(new URL('database-writer.ts', import.meta.url)));
  const server = await startPostgresServer(options);
  try {
    const opened = await openStore({ address: server.address() });
    const writers = new Writers(program, server.address(), ['a', 'b', 'c', 'd']);
    const audit = startAudit(opened);
    try {
      const details = await act({ server, writers, audit });
      await writers.killAll();
      const { damaged, doubled, lost } = await audit.check(writers.acknowledged);
      const changes = [...writers.acknowledged.values()].reduce((sum, count) => sum + count, 0);
      return {
        measure,
        lost: lost + writers.found.lost,
        doubled,
        damaged,
        changes,
        ...details,
        seconds: Math.round((performance.now() - startedAt) / 100) / 10,
      };
    } finally {
      await writers.killAll();
      await opened.database.close();
    }
  } finally {
    await server.stop();
  }
}

/** Four hosts write at once; one after the other is killed at a random moment and starts again. */
export async function killingClients(kills: number): Promise<Measure> {
  return await play('kill -9 of clients while four write', {}, async ({ audit, writers }) => {
    for (let kill = 0; kill < kills; kill += 1) {
      const name = writers.names[kill % writers.names.length] ?? '';
      await writers.written(name, 1 + Math.floor(Math.random() * 4));
      await pause(Math.random() * 20);
      await writers.kill(name);
      writers.start(name);
      if (kill % 50 === 49) await audit.follow();
    }
    await writers.allWrite(1);
    return { kills };
  });
}

/** The server is killed and restarted again and again while four hosts write, none of which ends for that. */
export async function killingServer(kills: number): Promise<Measure> {
  return await play('kill -9 and restart of the server while four write', {}, async ({ audit, server, writers }) => {
    for (let kill = 0; kill < kills; kill += 1) {
      await writers.allWrite(2);
      await pause(Math.random() * 50);
      await server.end('kill');
      await pause(Math.random() * 200);
      await server.start();
      await audit.follow();
    }
    await writers.allWrite(2);
    return { kills };
  });
}

/** The disk of the server is filled while four hosts write, and freed again. Null where no small disk can be made. */
export async function fillingDisk(times: number): Promise<Measure | null> {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-small-disk-'));
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  try {
    if (!isMounted) return null;
    const settings = { wal_recycle: 'off', min_wal_size: '4MB', max_wal_size: '8MB', full_page_writes: 'on' };
    return await play('full disk of the server', { folder, settings, walSegmentMb: 1 }, async ({ server, writers }) => {
      let crashes = 0;
      for (let time = 0; time < times; time += 1) {
        await writers.allWrite(2);
        const ballast = join(folder, 'ballast');
        await fill(ballast);
        await standstill(writers);
        crashes += Number(server.pid() === null);
        await rm(ballast);
        await server.start();
        await writers.allWrite(2);
      }
      const refusals = (await server.log()).split('No space left on device').length - 1;
      return { times, refusals_for_lack_of_space: refusals, crashes_of_the_server: crashes };
    });
  } finally {
    if (isMounted) await run('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Takes all space of a disk. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const size of [1_048_576, 4096]) {
      for (;;) await file.write(Buffer.alloc(size));
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

/** Waits until nobody has written anything for a while. */
async function standstill(writers: Writers): Promise<void> {
  const stillMs = 2_000;
  for (let last = -1; ; ) {
    const written = writers.total();
    if (written === last) return;
    last = written;
    await pause(stillMs);
  }
}

/** One host's connection is cut before and after each of its statements, one at a time, and falls silent at each. */
export async function cuttingStatements(fates: readonly Fate[] = ['before', 'after', 'silence']): Promise<Measure> {
  const startedAt = performance.now();
  const server = await startPostgresServer();
  const proxy = await startCuttingProxy(server.address());
  const totals = { lost: 0, doubled: 0, damaged: 0, cuts: 0, statements: 0 };
  const opened = await openStore({ address: server.address() });
  const torn = await openStore({
    address: proxy.through(server.address()),
    timings: { answerMs: 1_500, connectMs: 1_500, heartbeatAnswerMs: 1_500 },
  });
  try {
    const audit = startAudit(opened);
    const counting = await startCounting(torn, 'a', systemClock);
    for (const fate of fates) {
      // The mover goes, then it comes back: two changes with statements of their own.
      for (let at = 1, cuts = 2; cuts > 0; at += 1) {
        cuts = 0;
        for (let half = 0; half < 2; half += 1) {
          const first = proxy.statements.length;
          proxy.decide(({ number }) => {
            if (number !== first + at) return 'pass';
            cuts += 1;
            return fate;
          });
          await counting.next();
          proxy.decide(() => 'pass');
          const found = await audit.check(new Map([['a', counting.count]]));
          totals.lost += found.lost;
          totals.doubled += found.doubled;
          totals.damaged += found.damaged;
          totals.statements = Math.max(totals.statements, at);
        }
        totals.cuts += cuts;
      }
    }
    counting.close();
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    return { measure: 'connection cut before, after and in silence at every statement', ...totals, seconds };
  } finally {
    await torn.database.close();
    await opened.database.close();
    await proxy.close();
    await server.stop();
  }
}
