/** Cuts a list into pieces of at most `limit`. */
export function inBatches<Item>(items: readonly Item[], limit: number): readonly (readonly Item[])[] {
  const size = Math.max(1, Math.floor(limit));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
