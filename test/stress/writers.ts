import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundledScript } from '../support/bundled-script.ts';

/** A running writer. */
export interface Writer {
  readonly child: ChildProcess;
  /** All lines so far. The first one means that it is ready. */
  readonly lines: readonly string[];
  /** Waits until it has printed that many lines. */
  readonly waitForLines: (count: number) => Promise<void>;
  /** Its exit code, or null if it was killed. */
  readonly ended: Promise<number | null>;
}

/** Starts a task of `writer.ts`, with a watchlist and the arguments of the task. */
export type StartWriter = (task: 'add' | 'count' | 'edit', at: string, ...rest: readonly string[]) => Writer;

export function createWriterStarter(): StartWriter {
  const program = bundledScript(fileURLToPath(new URL('writer.ts', import.meta.url)));
  return (...args) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout });
    reader.on('line', (line) => lines.push(line));
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return {
      child,
      lines,
      ended,
      async waitForLines(count) {
        while (lines.length < count) {
          const line = await Promise.race([once(reader, 'line'), ended.then(() => null)]);
          if (line === null && lines.length < count)
            throw new Error(`The writer ended before it had printed ${count} lines.`);
        }
      },
    };
  };
}

const hourMs = 60 * 60_000;

/** Counters that share one watchlist. In a database, their hosts' clocks are an hour apart. */
export class CountingWriters {
  readonly names: readonly string[];
  readonly #at: string;
  readonly #startWriter: StartWriter = createWriterStarter();
  readonly #running = new Map<string, Writer>();
  /** The confirmed count of each counter, across restarts. */
  readonly acknowledged = new Map<string, number>();
  /** Confirmed writes that were missing after a restart. */
  lost = 0;

  constructor(at: string, names: readonly string[]) {
    this.#at = at;
    this.names = names;
    for (const name of names) this.start(name);
  }

  start(name: string): void {
    const clockErrorMs = this.#at.startsWith('postgres://') ? (this.names.indexOf(name) - 1) * hourMs : 0;
    this.#running.set(name, this.#startWriter('count', this.#at, name, `${clockErrorMs}`));
  }

  /** Waits until a counter has written this many times since it was last started. */
  async waitForWrites(name: string, more: number): Promise<void> {
    await this.#writer(name).waitForLines(1 + more);
    this.#recordProgress(name);
  }

  /** Waits until every counter has written this many more times from now on. */
  async waitForAllWrites(more: number): Promise<void> {
    await Promise.all(
      this.names.map((name) => this.waitForWrites(name, Math.max(0, this.#writer(name).lines.length - 1) + more)),
    );
  }

  async kill(name: string): Promise<void> {
    const writer = this.#writer(name);
    writer.child.kill('SIGKILL');
    await writer.ended;
    this.#recordProgress(name);
  }

  async killAll(): Promise<void> {
    await Promise.all(this.names.map((name) => this.kill(name)));
  }

  /** The number of lines that all of them have printed since they were last started. */
  lineCount(): number {
    return this.names.reduce((sum, name) => sum + this.#writer(name).lines.length, 0);
  }

  #writer(name: string): Writer {
    const writer = this.#running.get(name);
    if (writer === undefined) throw new Error(`There is no writer "${name}".`);
    return writer;
  }

  #recordProgress(name: string): void {
    const { lines } = this.#writer(name);
    const [first] = lines;
    const known = this.acknowledged.get(name) ?? 0;
    if (first !== undefined && Number(first) < known && lines.length === 1) this.lost += known - Number(first);
    this.acknowledged.set(name, Math.max(known, Number(lines.at(-1) ?? 0)));
  }
}
