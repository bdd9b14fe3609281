/** The output of a program so far, which tests can wait for. */
export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Collects a program's output, chunk by chunk. */
export interface OutputCollector {
  readonly output: ProgramOutput;
  add(stream: keyof ProgramOutput, piece: string): void;
  /** Resolves once `reached` returns true for the output. Rejects if the program ends first, or after a timeout. */
  until(reached: (output: ProgramOutput) => boolean): Promise<void>;
  /** Must be called when the program has ended: there is no more output. */
  end(): void;
}

/** Long enough for a busy machine, but shorter than a test's timeout, so that the error shows the output. */
const timeoutMs = 90_000;

export function createOutputCollector(): OutputCollector {
  const output = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  let hasEnded = false;
  const checkWaiting = (): void => {
    for (const check of waiting) check();
  };
  return {
    output,
    add(stream, piece) {
      output[stream] += piece;
      checkWaiting();
    },
    until: (reached) =>
      new Promise((resolve, reject) => {
        const fail = (reason: string): void => {
          waiting.delete(check);
          reject(new Error(`${reason} Its output:\n${output.stdout}\n${output.stderr}`));
        };
        const timeout = setTimeout(fail, timeoutMs, 'The program did not get there in time.');
        const check = (): void => {
          if (!reached(output) && !hasEnded) return;
          clearTimeout(timeout);
          waiting.delete(check);
          if (reached(output)) resolve();
          else fail('The program ended.');
        };
        waiting.add(check);
        check();
      }),
    end() {
      hasEnded = true;
      checkWaiting();
    },
  };
}
