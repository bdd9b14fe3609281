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
