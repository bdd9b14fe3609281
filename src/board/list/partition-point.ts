/** How many items at the beginning of a list something holds for; it holds for all before the last of them, and for none behind. */
export function partitionPoint<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
