import type { Clock, EpochMs } from '../../lib/clock.ts';
import { isJsonObject } from '../../lib/json.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { SharedCouriers } from '../courier-directory.ts';
import type { PollLease } from '../poll-lease.ts';
import { type PollingMemory, readPollingMemory } from '../polling-memory.ts';
import type { Presence } from '../polling-state.ts';
import {
  addUsage,
  largerUsage,
  noUsage,
  readUsageDays,
  type Usage,
  type UsageDays,
  usageBy,
  usageTotals,
} from '../usage.ts';
import type { MovableUsageMeter } from '../usage-meter.ts';
import type { StatePlace } from './database.ts';
import { DatabaseDocument } from './document.ts';
import { createDatabaseLease, type DatabaseLeaseOptions } from './lease.ts';
import { createDatabasePresence, type DatabasePresenceOptions } from './presence.ts';

/** The list of couriers that the hosts of an account share, so that one of them asks the service for it. */
function createDatabaseCouriers(place: StatePlace): SharedCouriers {
  const document = new DatabaseDocument<object>(place, 'couriers', (kept) => (isJsonObject(kept) ? kept : {}));
  return {
    read: () => document.read(),
    async write(kept) {
      if (place.database.readOnly === null) await document.update(() => kept);
    },
  };
}

/** What polling remembers, for all hosts of an account. */
export function createDatabasePollingMemory(place: StatePlace): PollingMemory {
  const document = new DatabaseDocument(place, 'polling', readPollingMemory);
  return {
    isBinding: true,
    load: () => document.read(),
    update: (changes) => document.update((data) => ({ ...data, ...changes })),
  };
}

/** The newest count of a process that is in the totals. */
interface Writer {
  /** Counts of this process, numbered from 1. */
  readonly count: number;
  readonly at: EpochMs;
}

interface Metered {
  readonly days: UsageDays;
  readonly writers: Readonly<Record<string, Writer>>;
}

/** What was sent to the database, and of which nobody heard whether it came. */
interface Doubt {
  readonly usage: Usage;
  readonly at: EpochMs;
}

/** Whoever has counted nothing for so long is not remembered, in milliseconds. */
const forgottenAfterMs = 60 * 60_000;
const mostWriters = 200;

/**
 * A meter that all hosts of an account share. A count of which nobody knows whether it came, because the connection broke
 * meanwhile, is taken back with the next one if it did.
 * @param writer differs for each process
 * @param clock shows the same time on all hosts
 */
function createDatabaseUsageMeter(place: StatePlace, writer: string, clock: Pick<Clock, 'now'>): MovableUsageMeter {
  const document = new DatabaseDocument(place, 'meter', readMetered);
  const doubts = new Map<number, Doubt>();
  let count = 0;
  return {
    isBinding: true,
    read: async () => usageTotals(settled(await document.read(), writer, doubts).days, clock.now()),
    async add(decide, fence = null) {
      count += 1;
      const number = count;
      let usage: Usage = noUsage;
      const change = (kept: Metered): Metered => {
        const now = clock.now();
        const before = settled(kept, writer, doubts);
        usage = decide(usageTotals(before.days, now));
        if (usage === noUsage) return before;
        const writers = { ...before.writers, [writer]: { count: number, at: now } };
        return { days: addUsage(before.days, usage, now), writers: newest(writers, now) };
      };
      try {
        const { days } = await document.update(change, fence);
        doubts.clear();
        return usageTotals(days, clock.now());
      } catch (error) {
        const isDoubted = error instanceof StoreError && error.kind === 'cut-off' && usage !== noUsage;
        if (isDoubted) doubts.set(number, { usage, at: clock.now() });
        throw error;
      }
    },
    days: async () => settled(await document.read(), writer, doubts).days,
    async countNoLess(others) {
      // To do so twice is to do so once: nobody need know whether it came.
      await document.update((kept) => {
        const days = largerUsage(kept.days, others);
        return days === kept.days ? kept : { ...kept, days };
      });
    },
  };
}

/** Without the count of ours that came although nobody heard of it; the same when none did. */
function settled(kept: Metered, writer: string, doubts: ReadonlyMap<number, Doubt>): Metered {
  const own = kept.writers[writer];
  const doubt = own === undefined ? undefined : doubts.get(own.count);
  if (own === undefined || doubt === undefined) return kept;
  const { at, usage } = doubt;
  return {
    days: addUsage(
      kept.days,
      usageBy((name) => -usage[name]),
      at,
    ),
    // It must not be taken back once more.
    writers: { ...kept.writers, [writer]: { count: 0, at: own.at } },
  };
}

function newest(writers: Metered['writers'], now: EpochMs): Metered['writers'] {
  const alive = Object.entries(writers).filter(([, { at }]) => Math.abs(now - at) < forgottenAfterMs);
  return Object.fromEntries(alive.sort(([, a], [, b]) => b.at - a.at).slice(0, mostWriters));
}

function readMetered(value: unknown): Metered {
  const writers = isJsonObject(value) && isJsonObject(value['writers']) ? Object.entries(value['writers']) : [];
  return {
    days: readUsageDays(value),
    writers: Object.fromEntries(
      writers.flatMap(([name, writer]): [string, Writer][] => {
        if (!isJsonObject(writer)) return [];
        const { at, count } = writer;
        return typeof at === 'number' && typeof count === 'number' ? [[name, { at, count }]] : [];
      }),
    ),
  };
}

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
