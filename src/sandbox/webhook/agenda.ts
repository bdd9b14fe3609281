import type { EpochMs } from '../../service/clock/clock.ts';

/** Keys with the instants at which they come up, in the order of time. */
export interface Agenda {
  /** When the next key comes up; null when there is none. */
  nextAt(): EpochMs | null;
  /** Puts a key at an instant, instead of where it was; null takes it off. */
  set(key: string, at: EpochMs | null): void;
  /** Takes off the first key that has come up by `now`; null for none. */
  takeDue(now: EpochMs): string | null;
  clear(): void;
}

interface Entry {
  readonly at: EpochMs;
  readonly key: string;
}

/**
 * An empty agenda. It is a binary heap; an entry that no longer holds stays in it until it surfaces, so every step takes
 * the logarithm of the number of entries.
 */
export function createAgenda(): Agenda {
  const heap: Entry[] = [];
  const instants = new Map<string, EpochMs>();

  const at = (index: number): EpochMs => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (left: number, right: number): void => {
    const [first, second] = [heap[left], heap[right]];
    if (first === undefined || second === undefined) return;
    heap[left] = second;
    heap[right] = first;
  };
  const rise = (start: number): void => {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (at(parent) <= at(index)) return;
      swap(parent, index);
      index = parent;
    }
  };
  const sink = (): void => {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const least = at(left + 1) < at(left) ? left + 1 : left;
      if (at(least) >= at(index)) return;
      swap(least, index);
      index = least;
    }
  };
  const removeFirst = (): void => {
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return;
    heap[0] = last;
    sink();
  };
  const first = (): Entry | undefined => {
    for (;;) {
      const [entry] = heap;
      if (entry === undefined || instants.get(entry.key) === entry.at) return entry;
      removeFirst();
    }
  };

  return {
    nextAt: () => first()?.at ?? null,
    set: (key, instant) => {
      if (instants.get(key) === instant) return;
      if (instant === null) {
        instants.delete(key);
        return;
      }
      instants.set(key, instant);
      heap.push({ at: instant, key });
      rise(heap.length - 1);
    },
    takeDue: (now) => {
      const entry = first();
      if (entry === undefined || entry.at > now) return null;
      removeFirst();
      instants.delete(entry.key);
      return entry.key;
    },
    clear: () => {
      heap.length = 0;
      instants.clear();
    },
  };
}
