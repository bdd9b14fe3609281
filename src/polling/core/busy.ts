/** Knows whether anything is under way, so that nothing has to wait for a fixed time. */
export interface BusyCounter {
  /** Counts `work` as under way until it ends; answers what it answers. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when nothing is under way, at once if that is so already. */
  whenIdle(): Promise<void>;
}

/** Makes a {@link BusyCounter}. */
export function createBusyCounter(): BusyCounter {
  let open = 0;
  let waiting: (() => void)[] = [];
  return {
    async during(work) {
      open += 1;
      try {
        return await work();
      } finally {
        open -= 1;
        if (open === 0) {
          const resolved = waiting;
          waiting = [];
          for (const resolve of resolved) resolve();
        }
      }
    },
    async whenIdle() {
      while (open > 0) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
  };
}
