/** The output of a program so far, which tests can wait for. */
export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Collects a program's output, chunk by chunk. */
export interface OutputCollector {
  readonly output: ProgramOutput;
  add(stream: keyof ProgramOutput, piece: string): void;
  /** Resolves when `reached` is true of the output. Rejects if the program ends before, or after a timeout. */
  until(reached: (said: ProgramOutput) => boolean): Promise<void>;
  /** The program has ended, so there is no more output. */
  end(): void;
}

/** For a busy machine. Less than the timeout of a test, so that the error shows the output. */
const patienceMs = 90_000;

export function createOutputCollector(): OutputCollector {
  const said = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  let hasEnded = false;
  const look = (): void => {
    for (const check of waiting) check();
  };
  return {
    output: said,
    add(stream, piece) {
      said[stream] += piece;
      look();
    },
    until: (reached) =>
      new Promise((resolve, reject) => {
        const fail = (reason: string): void => {
          waiting.delete(check);
          reject(new Error(`${reason} It said:\n${said.stdout}\n${said.stderr}`));
        };
        const impatience = setTimeout(fail, patienceMs, 'The program did not get there.');
        const check = (): void => {
          if (!reached(said) && !hasEnded) return;
          clearTimeout(impatience);
          waiting.delete(check);
          if (reached(said)) resolve();
          else fail('The program ended.');
        };
        waiting.add(check);
        check();
      }),
    end() {
      hasEnded = true;
      look();
    },
  };
}
