/** What a program has said so far, to be waited for. */
export interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** Keeps what a program says, piece by piece. */
export interface Listening {
  readonly said: Said;
  add(stream: keyof Said, piece: string): void;
  /** Resolves when `reached` is true of what was said; rejects when the program ends before. */
  until(reached: (said: Said) => boolean): Promise<void>;
  /** The program has ended: nothing more is said. */
  end(): void;
}

/** Begins to listen. */
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
        const check = (): void => {
          if (!reached(said) && !hasEnded) return;
          waiting.delete(check);
          if (reached(said)) resolve();
          else reject(new Error(`The program ended. It said:\n${said.stdout}\n${said.stderr}`));
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
