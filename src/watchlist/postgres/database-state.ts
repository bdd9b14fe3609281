import type { Clock } from '../../service/clock/clock.ts';
import type { Processes } from '../lock/lock-owner.ts';
import type { SharedCouriers } from '../state/courier-directory.ts';
import type { PollLease } from '../state/poll-lease.ts';
import type { PollingMemory } from '../state/polling-memory.ts';
import type { Presence } from '../state/presence.ts';
import type { MovableUsageMeter } from '../state/usage-meter.ts';
import { createDatabaseCouriers } from './database-couriers.ts';
import { createDatabaseLease, type DatabaseLeaseOptions } from './database-lease.ts';
import { createDatabasePollingMemory } from './database-polling-memory.ts';
import { createDatabasePresence } from './database-presence.ts';
import { createDatabaseUsageMeter } from './database-usage-meter.ts';
import type { StatePlace } from './state-place.ts';

/** What is kept beside the parcels for all hosts of an account. */
export interface DatabaseState {
  readonly lease: PollLease;
  readonly memory: PollingMemory;
  readonly meter: MovableUsageMeter;
  readonly presence: Presence;
  readonly couriers: SharedCouriers;
}

/** Who uses it. */
export interface DatabaseStateOptions extends StatePlace {
  /** Shows the database's time. */
  readonly clock: Clock;
  /** Differs for each process: a random text without blanks. */
  readonly holder: string;
  /** The name of this machine, for people. */
  readonly host: string;
  /** What kind of program this is, `board`, `watch` or the name of a command. */
  readonly kind: string;
  readonly version: string;
  readonly processes: Processes | null;
  readonly leaseTimings?: DatabaseLeaseOptions['timings'];
}

/** Opens all that is kept beside the parcels; nothing is asked yet. */
export function createDatabaseState(options: DatabaseStateOptions): DatabaseState {
  const { accountId, clock, database, holder, leaseTimings: timings } = options;
  const place = { accountId, database };
  return {
    lease: createDatabaseLease({ ...options, ...(timings === undefined ? {} : { timings }) }),
    memory: createDatabasePollingMemory(place),
    meter: createDatabaseUsageMeter(place, holder, clock),
    presence: createDatabasePresence(options),
    couriers: createDatabaseCouriers(place),
  };
}
