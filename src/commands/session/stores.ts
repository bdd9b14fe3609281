import { join } from 'node:path';
import { assumedServiceClock, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { createFilePollLease, type PollLease } from '../../watchlist/state/poll-lease.ts';
import { createFilePollingMemory, measuredClock, type PollingMemory } from '../../watchlist/state/polling-memory.ts';
import { createFileUsageMeter, type UsageMeter } from '../../watchlist/state/usage-meter.ts';
import { createFileViewMemory, type ViewMemory } from '../../watchlist/state/view-memory.ts';
import { createFileStore, type FileStore } from '../../watchlist/store/file-store.ts';
import { type Session, say } from './session.ts';

/** What is needed to find and open the files; no configuration is. */
type Places = Pick<Session, 'context' | 'paths'>;

/** What the files alone say. */
export interface WatchlistView {
  readonly parcels: readonly Parcel[];
  readonly serviceClock: ServiceClock;
  /** True while automatic checks are paused because the user said so. */
  readonly isPaused: boolean;
}

/** Reads the watchlist and the service clock from the files. Rejects with a `StoreError`. */
export async function readWatchlist(session: Session): Promise<WatchlistView> {
  const store = openStore(session);
  const [{ parcels }, memory] = await Promise.all([store.read(), openMemory(session).load()]);
  for (const notice of store.takeNotices()) say(session.context, notice.message);
  const serviceClock = session.configuration.serviceClock ?? measuredClock(memory) ?? assumedServiceClock;
  return { parcels, serviceClock, isPaused: memory.paused };
}

/** The user's watchlist. */
export function openStore({ context, paths }: Places): FileStore {
  const { clock, random, processes } = context;
  return createFileStore({ directory: paths.data, clock, random, processes });
}

/** Decides which of several processes polls. */
export function openLease({ context, paths }: Places): PollLease {
  return createFilePollLease(join(paths.state, 'polling-lease'), context);
}

/** What polling remembers of earlier runs. */
export function openMemory({ context, paths }: Places): PollingMemory {
  return createFilePollingMemory(join(paths.state, 'polling.json'), context);
}

/** What the board remembers of how it was looked at last. */
export function openViewMemory({ context, paths }: Places): ViewMemory {
  return createFileViewMemory(join(paths.state, 'view.json'), context);
}

/** Counts the calls of the service, for all processes together. */
export function openMeter({ context, paths }: Places): UsageMeter {
  return createFileUsageMeter(join(paths.state, 'meter.json'), context);
}
