import type { ChildProcess } from 'node:child_process';
import { createOutputCollector, type ProgramOutput } from './output-collector.ts';

/** The output of a running program. */
export interface RunningCli {
  stdout(): string;
  stderr(): string;
  /** Resolves once `reached` returns true for the output. Rejects if the program ends first. */
  until(reached: (said: ProgramOutput) => boolean): Promise<void>;
  /** Sends a signal and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves with the exit code when it ends by itself. */
  readonly ended: Promise<number | null>;
}

export function listenTo(child: ChildProcess): RunningCli {
  const collector = createOutputCollector();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (piece: string) => collector.add(name, piece));
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code);
      collector.end();
    });
  });
  return {
    stdout: () => collector.output.stdout,
    stderr: () => collector.output.stderr,
    until: collector.until,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}
