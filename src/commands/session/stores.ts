import { join } from 'node:path';
import { assumedServiceClock, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { createFileNotifyCursor } from '../../watchlist/state/notify-cursor.ts';
import { createFilePollLease } from '../../watchlist/state/poll-lease.ts';
import { createFilePollingMemory, measuredClock } from '../../watchlist/state/polling-memory.ts';
import { createFileUsageMeter } from '../../watchlist/state/usage-meter.ts';
import { createFileViewMemory, type ViewMemory } from '../../watchlist/state/view-memory.ts';
import { createFileStore } from '../../watchlist/store/file-store.ts';
import { wholeList } from '../../watchlist/store/whole-list.ts';
import type { StorePurpose, Stores } from './opened-stores.ts';
import { type Session, say } from './session.ts';

/** What is needed to find and open the files; no configuration is. */
export type Places = Pick<Session, 'context' | 'paths'>;

/** What the store alone says. */
export interface WatchlistView {
  readonly parcels: readonly Parcel[];
  readonly serviceClock: ServiceClock;
  /** True while automatic checks are paused because the user said so. */
  readonly isPaused: boolean;
}

/** Reads the watchlist and the service clock from the store. Rejects with a `StoreError`. */
export async function readWatchlist(session: Session): Promise<WatchlistView> {
  const { store, memory: pollingMemory } = await session.stores('read');
  const [{ parcels: listed }, memory] = await Promise.all([store.read(), pollingMemory.load()]);
  // Commands print all of a parcel.
  const parcels = await wholeList(store, listed);
  for (const notice of store.takeNotices()) say(session.context, notice.message);
  const serviceClock = session.configuration.serviceClock ?? measuredClock(memory) ?? assumedServiceClock;
  return { parcels, serviceClock, isPaused: memory.paused };
}

/** Opens the user's watchlist and what is kept beside it. Rejects as `Session.stores`. */
export async function openStores(session: Session, purpose: StorePurpose): Promise<Stores> {
  const choice = session.configuration.store;
  if (choice.kind === 'file') return openFileStores(session);
  // The driver and all that speaks to a database: who has none starts without it.
  const { openDatabaseStores } = await import('./database-stores.ts');
  return await openDatabaseStores(session, choice, purpose);
}

/** The watchlist in files, with what is kept beside it. */
export function openFileStores({ context, paths }: Places): Stores {
  const { clock, random, processes } = context;
  const files = createFileStore({ directory: paths.data, clock, random, processes });
  return {
    store: files,
    recovery: files.recovery,
    lease: createFilePollLease(join(paths.state, 'polling-lease'), context),
    memory: createFilePollingMemory(join(paths.state, 'polling.json'), context),
    meter: createFileUsageMeter(join(paths.state, 'meter.json'), context),
    notifyCursor: createFileNotifyCursor(join(paths.state, 'notify.json'), context),
    presence: null,
    couriers: null,
    clock,
    files,
    database: null,
    unmade: null,
    place: paths.watchlist,
    admitKey: async () => undefined,
    close: async () => undefined,
  };
}

/** What the board remembers of how it was looked at last; this host's own, wherever the watchlist is. */
export function openViewMemory({ context, paths }: Places): ViewMemory {
  return createFileViewMemory(join(paths.state, 'view.json'), context);
}
