/** A value that can be watched; immutable, so that the same object means that nothing changed. */
export class Observable<Value> {
  #current: Value;
  readonly #listeners = new Set<() => void>();

  constructor(initial: Value) {
    this.#current = initial;
  }

  /** The newest value. */
  get(): Value {
    return this.#current;
  }

  /** Replaces the value and calls the listeners, unless it is the very same. */
  set(value: Value): void {
    if (Object.is(value, this.#current)) return;
    this.#current = value;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls the listener after each change; answers how to stop. */
  subscribe(listener: () => void): () => void {
    // A wrapper of its own, so that one function can be subscribed twice.
    const entry = (): void => listener();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }
}

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
