import Fuse from 'fuse.js';

/** No known name is near to a longer one. */
const longestName = 80;

/** The known setting that an unknown name is nearest to; null when none is near. */
export function nearestSetting(name: string, known: readonly string[]): string | null {
  if (name.length > longestName) return null;
  const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
  const above = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const search = (candidates: readonly string[], text: string): string | undefined =>
    new Fuse(
      candidates.map((path) => ({ path, name: last(path) })),
      { keys: ['name'], threshold: 0.3, distance: 12 },
    ).search(text)[0]?.item.path;
  // Beside the one that was meant, before elsewhere.
  const beside = known.filter((path) => path.slice(0, Math.max(0, path.lastIndexOf('.'))) === above);
  return search(beside, last(name)) ?? search(known, last(name)) ?? null;
}
