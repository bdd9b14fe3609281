/** A value that can be watched; immutable, so that the same object means that nothing changed. */
export interface Observable<Value> {
  get(): Value;
  /** Replaces the value and calls the listeners, unless it is the very same. */
  set(value: Value): void;
  /** Calls the listener after each change; answers how to stop. */
  subscribe(listener: () => void): () => void;
}

/** Makes an {@link Observable}. */
export function createObservable<Value>(initial: Value): Observable<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      // A wrapper of its own, so that one function can be subscribed twice.
      const entry = (): void => listener();
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
  };
}
