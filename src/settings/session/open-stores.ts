import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { printableText } from '../../lib/clean-text.ts';
import type { EpochMs } from '../../lib/clock.ts';
import { historyIdOf } from '../../parcels/identity.ts';
import type { Parcel, ParcelHistory } from '../../parcels/parcel.ts';
import { CallGate } from '../../polling/gate/call-gate.ts';
import type { TrackingService } from '../../service/port.ts';
import { assumedServiceClock, type ServiceClock } from '../../service/service-clock.ts';
import {
  type CourierDirectory,
  createCourierDirectory,
  readSavedCouriers,
  type SavedCouriers,
} from '../../store/courier-directory.ts';
import { createFileStore } from '../../store/file/file-store.ts';
import { createViewMemory, readView, type SavedView, type ViewMemory } from '../../store/saved-view.ts';
import {
  createFileDocument,
  createFilePollLease,
  createNotifyCursor,
  measuredClock,
  readCursor,
  readPollingMemory,
} from '../../store/shared-state.ts';
import { type Document, splitIntoBatches } from '../../store/store.ts';
import { createUsageMeter, readSavedUsage } from '../../store/usage-meter.ts';
import type { ProgramPaths } from '../config-file.ts';
import { printNote, printNotices } from './output.ts';
import { type Session, type StorePurpose, type Stores, watchlistStatePath } from './session.ts';

type SessionFiles = Pick<Session, 'context' | 'paths'>;

export interface WatchlistView {
  readonly parcels: readonly Parcel[];
  readonly serviceClock: ServiceClock;
  readonly isPaused: boolean;
  /** The current time on the clock that all users of the watchlist share. */
  readonly now: EpochMs;
}

/** Reads the watchlist and the service clock. Rejects with a `StoreError`. */
export async function readWatchlistView(session: Session): Promise<WatchlistView> {
  const { store } = await session.stores('read');
  const [{ parcels }, circumstances] = await Promise.all([store.read(), readPrintContext(session)]);
  printNotices(session, store);
  return { parcels, ...circumstances };
}

/** Reads what is needed to print parcels, apart from the parcels. Rejects with a `StoreError`. */
export async function readPrintContext(session: Session): Promise<Omit<WatchlistView, 'parcels'>> {
  const { clock, memory: pollingMemory } = await session.stores('read');
  const memory = await pollingMemory.read();
  const serviceClock = session.configuration.serviceClock ?? measuredClock(memory) ?? assumedServiceClock;
  return { serviceClock, isPaused: memory.paused, now: clock.now() };
}

/**
 * Returns the parcels with these numbers, or more if the store loads all parcels anyway. Rejects with a `StoreError`.
 */
export async function readNumbers(
  session: Session,
  named: readonly Pick<Parcel, 'trackNo'>[],
): Promise<readonly Parcel[]> {
  const numbers = named.map(({ trackNo }) => trackNo);
  const { store } = await session.stores('read');
  return (await store.read(numbers)).parcels;
}

/** Number of histories to read at the same time. A process can open only a limited number of files. */
const historyBatchSize = 50;

/** Yields parcels with their histories, in order. Rejects with a `StoreError`. */
export async function* withHistories(
  session: Session,
  parcels: readonly Parcel[],
): AsyncGenerator<readonly [Parcel, ParcelHistory]> {
  const { store } = await session.stores('read');
  for (const batch of splitIntoBatches(parcels, historyBatchSize))
    yield* await Promise.all(
      batch.map(async (parcel) => [parcel, await store.readHistory(historyIdOf(parcel))] as const),
    );
}

/** Opens the user's watchlist and its other data. Rejects like `Session.stores`. */
export async function openStores(session: Session, purpose: StorePurpose): Promise<Stores> {
  const choice = session.configuration.store;
  if (choice.kind === 'file') return openFileStores(session);
  // Loads the database driver only if it is needed.
  const { openDatabaseStores } = await import('./database-stores.ts');
  return await openDatabaseStores(session, choice, purpose);
}

export function openFileStores({ context, paths }: SessionFiles): Stores {
  const { clock, random, processes } = context;
  const files = createFileStore({ directory: paths.data, clock, random, processes });
  const open = <Data extends object>(name: string, read: (value: unknown) => Data): Document<Data> =>
    createFileDocument(join(paths.state, `${name}.json`), read, context);
  return {
    store: files,
    recovery: files.recovery,
    lease: createFilePollLease(join(paths.state, 'polling-lease'), context),
    memory: open('polling', readPollingMemory),
    meter: createUsageMeter(clock, open('meter', readSavedUsage)),
    notifyCursor: createNotifyCursor(open('notify', readCursor), processes),
    presence: null,
    couriers: null,
    clock,
    files,
    database: null,
    place: paths.watchlist,
    close: async () => undefined,
  };
}

/** Opens the board's saved view: one part is shared by all watchlists of this host, the other belongs to this one. */
export function openViewMemory({
  configuration,
  context,
  paths,
}: Pick<Session, 'configuration' | keyof SessionFiles>): ViewMemory {
  const open = (path: string): Document<SavedView> => createFileDocument(path, readView, context);
  const shared = open(join(paths.state, 'view.json'));
  const { baseUrl, store } = configuration;
  if (store.kind === 'file') return createViewMemory(shared);
  const watchlist = `${store.address.place} ${store.account ?? ''} ${baseUrl?.href ?? ''}`;
  return createViewMemory(shared, open(watchlistStatePath(paths, 'view', watchlist)));
}

/**
 * Opens the gate for all requests of the process. Reports long waits of a command on standard error. Rejects like
 * `Session.stores`.
 */
export async function openGate(session: Session, purpose?: StorePurpose): Promise<CallGate> {
  const { context } = session;
  const { random, signal } = context;
  const { clock, lease, memory, meter } = await session.stores(purpose);
  return new CallGate({
    clock,
    random,
    signal,
    memory,
    meter,
    budget: {
      get queriesPerDay() {
        return session.configuration.budget.queriesPerDay;
      },
      get registrationsPerMonth() {
        return session.configuration.budget.registrationsPerMonth;
      },
    },
    lease,
    policy: { minPauseMs: session.configuration.minPauseMs },
    onLongWait: (waitMs) =>
      printNote(context, `The service received too many requests; trying again in ${Math.ceil(waitMs / 1_000)} s.`),
  });
}

/**
 * Returns the courier list, which is cached on this machine.
 * @param service null if there is none, or to use only the saved list
 * @param shared the list that hosts share, or null if there are no other hosts
 */
export function courierDirectory(
  { context, paths }: SessionFiles,
  service: Pick<TrackingService, 'couriers'> | null = null,
  shared: Document<SavedCouriers | null> | null = null,
): CourierDirectory {
  const cache = createFileDocument(paths.couriers, readSavedCouriers, context);
  return createCourierDirectory({ cache, service, clock: context.clock, shared });
}

/**
 * Returns a sentence about the newest damaged watchlist that was moved aside, and what to do, or null.
 */
export async function damagedWatchlist({ data }: Pick<ProgramPaths, 'data'>): Promise<string | null> {
  // Ignores a missing or unreadable folder, which other checks report.
  const names = await readdir(data).catch(() => []);
  const newest = names
    .filter((name) => name.startsWith('watchlist.json.damaged-'))
    .sort()
    .at(-1);
  if (newest === undefined) return null;
  const path = printableText(join(data, newest));
  return `An earlier watchlist was damaged and moved to ${path}. "parcel-monitor add --scan FILE --dry-run" still finds its numbers.`;
}
