import type { OperationName } from '../../service/operations.ts';

/** How often each operation was called, whatever became of the calls. */
export interface CallCounts {
  add(operation: OperationName): void;
  /** Operations that were never called are absent. */
  all(): Readonly<Partial<Record<OperationName, number>>>;
}

/** Counts from nothing. */
export function createCallCounts(): CallCounts {
  const counts = new Map<OperationName, number>();
  return {
    add: (operation) => {
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
    },
    all: () => Object.fromEntries(counts),
  };
}
