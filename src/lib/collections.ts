/**
 * Makes what tells whether a key is met for the first time, and takes note of it.
 * @param met keys that count as met already; those that follow are added to it
 */
export function createIsFirst(met: Set<string> = new Set()): (key: string) => boolean {
  return (key) => {
    const isFirst = !met.has(key);
    met.add(key);
    return isFirst;
  };
}

/** A map of what was set last; of more than so many, what was set longest ago is forgotten. */
export class LatestMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  /** @param most how many are kept */
  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    super.delete(key);
    super.set(key, value);
    const [oldest] = super.keys();
    if (this.size > this.#most && oldest !== undefined) super.delete(oldest);
    return this;
  }
}
