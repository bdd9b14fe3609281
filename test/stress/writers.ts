import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundledScript } from '../support/bundled-script.ts';

/** A running writer. */
export interface Writer {
  readonly child: ChildProcess;
  /** All lines so far. The first one says that it is ready. */
  readonly lines: readonly string[];
  /** Waits until it has printed that many lines. */
  readonly printed: (count: number) => Promise<void>;
  /** Its exit code, or null if it was killed. */
  readonly ended: Promise<number | null>;
}

/** Starts writers: a task of `writer.ts`, a place, and the arguments of the task. */
export type StartWriter = (task: 'add' | 'count' | 'edit', at: string, ...rest: readonly string[]) => Writer;

export function writerProgram(): StartWriter {
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
      async printed(count) {
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

/** Counters in one place. In a database, each is on a host whose clock differs by an hour from the next one's. */
export class CountingWriters {
  readonly names: readonly string[];
  readonly #at: string;
  readonly #startWriter: StartWriter = writerProgram();
  readonly #running = new Map<string, Writer>();
  /** The confirmed writes of each counter, over all its lives. */
  readonly acknowledged = new Map<string, number>();
  /** Counts that a new life found lower than acknowledged. */
  lost = 0;

  constructor(at: string, names: readonly string[]) {
    this.#at = at;
    this.names = names;
    for (const name of names) this.start(name);
  }

  start(name: string): void {
    const wrongByMs = this.#at.startsWith('postgres://') ? (this.names.indexOf(name) - 1) * hourMs : 0;
    this.#running.set(name, this.#startWriter('count', this.#at, name, `${wrongByMs}`));
  }

  /** Waits until one has written this many more in its current life, after it has printed its start. */
  async written(name: string, more: number): Promise<void> {
    await this.#of(name).printed(1 + more);
    this.#note(name);
  }

  /** Like {@link written} for all of them, from their current counts. */
  async allWrite(more: number): Promise<void> {
    await Promise.all(
      this.names.map((name) => this.written(name, Math.max(0, this.#of(name).lines.length - 1) + more)),
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

  /** How many lines all have printed in their current lives. */
  printed(): number {
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
    if (first !== undefined && Number(first) < known && lines.length === 1) this.lost += known - Number(first);
    this.acknowledged.set(name, Math.max(known, Number(lines.at(-1) ?? 0)));
  }
}
