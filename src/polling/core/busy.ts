/** Knows whether anything is under way, so that nothing has to wait for a fixed time. */
export class BusyCounter {
  #open = 0;
  #idle = Promise.withResolvers<void>();

  /** Counts `work` as under way until it ends; answers what it answers. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#open += 1;
    try {
      return await work();
    } finally {
      this.#open -= 1;
      if (this.#open === 0) {
        this.#idle.resolve();
        this.#idle = Promise.withResolvers();
      }
    }
  }

  /** Resolves when nothing is under way, at once if that is so already. */
  async whenIdle(): Promise<void> {
    while (this.#open > 0) await this.#idle.promise;
  }
}
