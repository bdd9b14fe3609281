/** What a program has said so far, to be waited for. */
export interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** Keeps what a program says, piece by piece. */
export interface Listening {
  readonly said: Said;
  add(stream: keyof Said, piece: string): void;
  /** Resolves when `reached` is true of what was said; rejects when the program ends before, or says nothing of it for long. */
  until(reached: (said: Said) => boolean): Promise<void>;
  /** The program has ended: nothing more is said. */
  end(): void;
}

/** For a machine that is busy with something else; less than what a test may take, so that it tells what was said. */
const patienceMs = 90_000;

export function createListening(): Listening {
  const said = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  let hasEnded = false;
  const look = (): void => {
    for (const check of waiting) check();
  };
  return {
    said,
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
