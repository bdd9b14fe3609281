import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A running writer. */
export interface Writer {
  readonly child: ChildProcess;
  /** All lines so far; the first says that it is ready. */
  readonly lines: readonly string[];
  /** Waits until it has printed that many lines. */
  readonly printed: (count: number) => Promise<void>;
  /** Its exit code; null when it was killed. */
  readonly ended: Promise<number | null>;
}

/** Starts a program of this folder that prints a line when it is ready and one after each change. */
export function startWriter(program: string, ...writerArguments: readonly string[]): Writer {
  const child = spawn(process.execPath, [program, ...writerArguments], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const printed = async (count: number): Promise<void> => {
    while (lines.length < count) {
      const line = await Promise.race([once(reader, 'line'), ended.then(() => null)]);
      if (line === null && lines.length < count)
        throw new Error(`The writer ended before it had printed ${count} lines.`);
    }
  };
  return { child, lines, printed, ended };
}
