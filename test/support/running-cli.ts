import type { ChildProcess } from 'node:child_process';

/** A program that runs on, as a test hears it. */
export interface RunningCli {
  stdout(): string;
  stderr(): string;
  /** Resolves with what was said when `reached` is true of it; rejects when the program ends before. */
  until(reached: (said: { readonly stdout: string; readonly stderr: string }) => boolean): Promise<void>;
  /** Sends a signal and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves with the exit code when it ends by itself. */
  readonly ended: Promise<number | null>;
}

/** Listens to a program that was started. */
export function listenTo(child: ChildProcess): RunningCli {
  const said = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const check of waiting) check();
  };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (piece: string) => {
      said[name] += piece;
      look();
    });
  }
  let hasEnded = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      hasEnded = true;
      resolve(code);
      look();
    });
  });
  return {
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    until: (reached) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!reached(said) && !hasEnded) return;
          waiting.delete(check);
          if (reached(said)) resolve();
          else reject(new Error(`The program ended. It said:\n${said.stdout}\n${said.stderr}`));
        };
        waiting.add(check);
        check();
      }),
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}
