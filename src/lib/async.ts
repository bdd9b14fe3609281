/** What is found when it is first asked for, and kept then. */
export function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** Runs pieces of work one after the other, in the order in which they came. */
interface SerialQueue {
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

/** Lets other work have its turn. Node's own promise of it takes longer to load than a turn lasts. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The work's result, or a rejection with the signal's reason as soon as it is aborted; the work itself goes on. */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}
