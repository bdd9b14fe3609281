import { type PollingMemory, readPollingMemory } from '../state/polling-memory.ts';
import { DatabaseDocument } from './database-document.ts';
import type { StatePlace } from './state-place.ts';

/** What polling remembers, for all hosts of an account. */
export function createDatabasePollingMemory(place: StatePlace): PollingMemory {
  const document = new DatabaseDocument(place, 'polling', readPollingMemory);
  return {
    isBinding: true,
    load: () => document.read(),
    update: (changes) => document.update((data) => ({ ...data, ...changes })),
  };
}
