export function createIsFirst(seen: Set<string> = new Set()): (key: string) => boolean {
  return (key) => {
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  };
}

export class LatestMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: Key, value: Value): this {
    super.delete(key);
    super.set(key, value);
    const [oldest] = super.keys();
    if (this.size > this.#maxSize && oldest !== undefined) super.delete(oldest);
    return this;
  }
}
