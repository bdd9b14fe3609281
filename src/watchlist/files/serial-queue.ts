/** Runs pieces of work one after the other, in the order in which they came. */
export interface SerialQueue {
  /** Runs `work` when everything that came before has ended, however it ended; answers what `work` answers. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether nothing runs and nothing waits. */
  isEmpty(): boolean;
}

/** Makes an empty {@link SerialQueue}. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;
  return {
    async run(work) {
      open += 1;
      const before = last;
      const result = (async () => {
        await before;
        return await work();
      })();
      // The next one waits for the end only; a failure is the caller's to see.
      last = result.then(
        () => undefined,
        () => undefined,
      );
      try {
        return await result;
      } finally {
        open -= 1;
      }
    },
    isEmpty: () => open === 0,
  };
}
