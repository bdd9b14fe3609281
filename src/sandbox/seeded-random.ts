import type { Random } from '../lib/clock.ts';

/** 32-bit FNV-1a, mixed so that similar strings get very different hashes. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Mulberry32. The same seed and text produce the same numbers on every machine. */
export function seededRandom(seed: number, text: string): Random {
  let state = hashText(`${seed}:${text}`);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomBetween(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}

/** Throws a RangeError for an empty list. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to pick from.');
  return item;
}

/** Throws a RangeError for an empty list. */
export function pickWeighted<Item extends { readonly weight: number }>(random: Random, items: readonly Item[]): Item {
  const total = items.reduce((sum, item) => sum + item.weight, 0);
  let remaining = random() * total;
  for (const item of items) {
    remaining -= item.weight;
    if (remaining < 0) return item;
  }
  return pick(random, items);
}
