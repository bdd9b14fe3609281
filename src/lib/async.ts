export function once<Value>(compute: () => Value): () => Value {
  let cached: { readonly value: Value } | null = null;
  return () => {
    cached ??= { value: compute() };
    return cached.value;
  };
}

export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  return {
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      pending += 1;
      const before = last;
      const result = (async () => {
        await before;
        return await work();
      })();
      // The next task waits for this one but ignores its failure, which is the caller's to handle.
      last = result.then(
        () => undefined,
        () => undefined,
      );
      try {
        return await result;
      } finally {
        pending -= 1;
      }
    },
    isEmpty: (): boolean => pending === 0,
  };
}

export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Resolves with the result of `work`, or rejects with the signal's reason when it is aborted. The work itself
 * continues.
 */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}

/** A value with listeners. The value must be immutable: setting the same object again does not notify anyone. */
export class Observable<Value> {
  #current: Value;
  readonly #listeners = new Set<() => void>();

  constructor(initial: Value) {
    this.#current = initial;
  }

  get(): Value {
    return this.#current;
  }

  set(value: Value): void {
    if (Object.is(value, this.#current)) return;
    this.#current = value;
    for (const listener of [...this.#listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    // Wrapped, so that the same function can be subscribed twice.
    const entry = (): void => listener();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }
}

export class BusyCounter {
  #active = 0;
  #idle = Promise.withResolvers<void>();

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#active += 1;
    try {
      return await work();
    } finally {
      this.#active -= 1;
      if (this.#active === 0) {
        this.#idle.resolve();
        this.#idle = Promise.withResolvers();
      }
    }
  }

  async whenIdle(): Promise<void> {
    while (this.#active > 0) await this.#idle.promise;
  }
}
