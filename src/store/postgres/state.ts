import { type Kept, readKept } from '../courier-directory.ts';
import type { Document } from '../document.ts';
import type { PollLease } from '../poll-lease.ts';
import { createPollingMemory, type PollingMemory, readPollingMemory } from '../polling-memory.ts';
import type { Presence } from '../polling-state.ts';
import { createUsageMeter, type MovableUsageMeter, readMetered } from '../usage-meter.ts';
import { createDatabaseDocument } from './document.ts';
import { createDatabaseLease, type DatabaseLeaseOptions } from './lease.ts';
import { createDatabasePresence, type DatabasePresenceOptions } from './presence.ts';

/** The data that an account shares between hosts, besides the parcels. */
export interface DatabaseState {
  readonly lease: PollLease;
  readonly memory: PollingMemory;
  readonly meter: MovableUsageMeter;
  readonly presence: Presence;
  readonly couriers: Document<Kept | null>;
}

/** Opens the shared state; sends no query yet. */
export function createDatabaseState(options: DatabaseLeaseOptions & DatabasePresenceOptions): DatabaseState {
  return {
    lease: createDatabaseLease(options),
    memory: createPollingMemory(createDatabaseDocument(options, 'polling', readPollingMemory)),
    meter: createUsageMeter(options.clock, createDatabaseDocument(options, 'meter', readMetered), options.holder),
    presence: createDatabasePresence(options),
    couriers: createDatabaseDocument(options, 'couriers', readKept),
  };
}
