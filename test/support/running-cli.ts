import type { ChildProcess } from 'node:child_process';
import { createOutputCollector, type ProgramOutput } from './output-collector.ts';

/** The output of a running program. */
export interface RunningCli {
  stdout(): string;
  stderr(): string;
  /** Resolves with the output when `reached` is true of it. Rejects if the program ends before. */
  until(reached: (said: ProgramOutput) => boolean): Promise<void>;
  /** Sends a signal and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves with the exit code when it ends by itself. */
  readonly ended: Promise<number | null>;
}

export function listenTo(child: ChildProcess): RunningCli {
  const listening = createOutputCollector();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (piece: string) => listening.add(name, piece));
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code);
      listening.end();
    });
  });
  return {
    stdout: () => listening.output.stdout,
    stderr: () => listening.output.stderr,
    until: listening.until,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}
