import type { EpochMs } from '../../service/clock/clock.ts';

/** Keys with the instants at which they come up. */
export interface Agenda {
  /** When the next key comes up; null when there is none. */
  nextAt(): EpochMs | null;
  /** Puts a key at an instant, instead of where it was; null takes it off. */
  set(key: string, at: EpochMs | null): void;
  /** Takes off the keys that have come up by `now`, in the order of time. */
  takeDue(now: EpochMs): readonly string[];
  clear(): void;
}

/**
 * An empty agenda. It looks through all keys when some come up, which takes less than a millisecond for ten thousand;
 * the next instant is kept in between, so that adding many keys in a row looks through nothing.
 */
export function createAgenda(): Agenda {
  const instants = new Map<string, EpochMs>();
  /** Null when it has to be looked for. */
  let earliest: EpochMs | null = null;

  const findEarliest = (): EpochMs => {
    let found = Number.POSITIVE_INFINITY;
    for (const at of instants.values()) found = Math.min(found, at);
    return found;
  };
  const nextAt = (): EpochMs | null => {
    earliest ??= findEarliest();
    return Number.isFinite(earliest) ? earliest : null;
  };

  return {
    nextAt,
    set: (key, instant) => {
      const before = instants.get(key) ?? null;
      if (before === instant) return;
      if (before === earliest) earliest = null;
      if (instant === null) {
        instants.delete(key);
        return;
      }
      instants.set(key, instant);
      if (earliest !== null) earliest = Math.min(earliest, instant);
    },
    takeDue: (now) => {
      const next = nextAt();
      if (next === null || next > now) return [];
      const due = [...instants].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b);
      for (const [key] of due) instants.delete(key);
      earliest = null;
      return due.map(([key]) => key);
    },
    clear: () => {
      instants.clear();
      earliest = null;
    },
  };
}
