import { join } from 'node:path';
import type { EpochMs } from '../../service/clock/clock.ts';
import { assumedServiceClock, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { createFileNotifyCursor } from '../../watchlist/state/notify-cursor.ts';
import { createFilePollLease } from '../../watchlist/state/poll-lease.ts';
import { createFilePollingMemory, measuredClock } from '../../watchlist/state/polling-memory.ts';
import { createFileUsageMeter } from '../../watchlist/state/usage-meter.ts';
import { createFileViewMemory, createListViewMemory, type ViewMemory } from '../../watchlist/state/view-memory.ts';
import { createFileStore } from '../../watchlist/store/file-store.ts';
import { ofWatchlistPath } from './of-watchlist-path.ts';
import type { StorePurpose, Stores } from './opened-stores.ts';
import { type Session, sayNotices } from './session.ts';

/** What is needed to find and open the files; no configuration is. */
export type Places = Pick<Session, 'context' | 'paths'>;

/** What the store alone says. */
export interface WatchlistView {
  readonly parcels: readonly Parcel[];
  readonly serviceClock: ServiceClock;
  /** True while automatic checks are paused because the user said so. */
  readonly isPaused: boolean;
  /** On the clock that all who share the watchlist go by. */
  readonly now: EpochMs;
}

/**
 * Reads the watchlist and the service clock, for what prints no more of a parcel than a row of the board shows: of a long list in a
 * database, light ones. Rejects with a `StoreError`.
 */
export async function readRows(session: Session): Promise<WatchlistView> {
  const { store } = await session.stores('read');
  const [{ parcels }, circumstances] = await Promise.all([store.read(), readCircumstances(session)]);
  sayNotices(session, store);
  return { parcels, ...circumstances };
}

/** What is to be known beside the parcels to print them. Rejects with a `StoreError`. */
export async function readCircumstances(session: Session): Promise<Omit<WatchlistView, 'parcels'>> {
  const { clock, memory: pollingMemory } = await session.stores('read');
  const memory = await pollingMemory.load();
  const serviceClock = session.configuration.serviceClock ?? measuredClock(memory) ?? assumedServiceClock;
  return { serviceClock, isPaused: memory.paused, now: clock.now() };
}

/** The watched parcels with the numbers of these; more of them where the store holds all anyway. Rejects with a `StoreError`. */
export async function readNumbers(
  session: Session,
  named: readonly Pick<Parcel, 'trackNo'>[],
): Promise<readonly Parcel[]> {
  const numbers = named.map(({ trackNo }) => trackNo);
  const { store } = await session.stores('read');
  return await (store.withNumbers?.(numbers) ?? store.read().then(({ parcels }) => parcels));
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

/** What the board remembers of how it was looked at last: this host's own, and each watchlist's own as far as it concerns that alone. */
export function openViewMemory({
  configuration,
  context,
  paths,
}: Pick<Session, 'configuration' | keyof Places>): ViewMemory {
  const shared = createFileViewMemory(join(paths.state, 'view.json'), context);
  const { baseUrl, store } = configuration;
  if (store.kind === 'file') return shared;
  const watchlist = `${store.address.place} ${store.account ?? ''} ${baseUrl?.href ?? ''}`;
  return createListViewMemory(shared, createFileViewMemory(ofWatchlistPath(paths, 'view', watchlist), context));
}
