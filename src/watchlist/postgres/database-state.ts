import type { SharedCouriers } from '../state/courier-directory.ts';
import type { PollLease } from '../state/poll-lease.ts';
import type { PollingMemory } from '../state/polling-memory.ts';
import type { Presence } from '../state/presence.ts';
import type { MovableUsageMeter } from '../state/usage-meter.ts';
import { createDatabaseCouriers } from './database-couriers.ts';
import { createDatabaseLease, type DatabaseLeaseOptions } from './database-lease.ts';
import { createDatabasePollingMemory } from './database-polling-memory.ts';
import { createDatabasePresence, type DatabasePresenceOptions } from './database-presence.ts';
import { createDatabaseUsageMeter } from './database-usage-meter.ts';

/** What is kept beside the parcels for all hosts of an account. */
export interface DatabaseState {
  readonly lease: PollLease;
  readonly memory: PollingMemory;
  readonly meter: MovableUsageMeter;
  readonly presence: Presence;
  readonly couriers: SharedCouriers;
}

/** Opens all that is kept beside the parcels; nothing is asked yet. */
export function createDatabaseState(options: DatabaseLeaseOptions & DatabasePresenceOptions): DatabaseState {
  return {
    lease: createDatabaseLease(options),
    memory: createDatabasePollingMemory(options),
    meter: createDatabaseUsageMeter(options, options.holder, options.clock),
    presence: createDatabasePresence(options),
    couriers: createDatabaseCouriers(options),
  };
}
