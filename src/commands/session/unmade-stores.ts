import type { Clock } from '../../service/clock/clock.ts';
import { StoreError } from '../../watchlist/errors.ts';
import { shownName } from '../../watchlist/postgres/accounts.ts';
import type { Database } from '../../watchlist/postgres/database.ts';
import type { SchemaState } from '../../watchlist/postgres/migrations.ts';
import { createFileNotifyCursor } from '../../watchlist/state/notify-cursor.ts';
import { emptyPollingMemory } from '../../watchlist/state/polling-memory.ts';
import { createMemoryUsageMeter } from '../../watchlist/state/usage-meter.ts';
import { createMemoryStore } from '../../watchlist/store/memory-store.ts';
import { ofWatchlistPath } from './of-watchlist-path.ts';
import type { Stores, Unmade } from './opened-stores.ts';
import type { Session } from './session.ts';

/**
 * What stands for a watchlist that is not in its database yet: an empty one, to which nothing can be written, and which says
 * once why. Of tables of an older version nothing can be read, either.
 * @param missing the tables that there are, or the account that is wanted by name; null for that of the key
 */
export function unmadeStores(
  { context, paths }: Pick<Session, 'context' | 'paths'>,
  { clock, database }: { readonly clock: Clock; readonly database: Database },
  missing: SchemaState | string | null,
): Stores {
  const { place } = database;
  const unmade = unmadeOf(database, missing);
  const refuse = async (): Promise<never> => {
    throw new StoreError('failed', unmade.sentence, place);
  };
  const isOlder = typeof missing === 'object' && missing !== null && missing.version > 0;
  const empty = createMemoryStore();
  const notices = isOlder ? [] : [unmade.sentence];
  return {
    store: {
      ...empty,
      readOnly: unmade.sentence,
      write: refuse,
      updateHistory: refuse,
      ...(isOlder ? { read: refuse, changeLogAfter: refuse, changeLogFrom: refuse } : {}),
      takeNotices: () => notices.splice(0),
    },
    recovery: { backups: async () => [], trashed: async () => [], restoreBackup: refuse, restoreParcel: refuse },
    lease: { hold: async () => false, isHeld: () => false, fence: () => null, release: async () => undefined },
    memory: { load: async () => emptyPollingMemory, update: refuse },
    meter: { ...createMemoryUsageMeter(clock), days: async () => ({}), countNoLess: refuse },
    notifyCursor: createFileNotifyCursor(ofWatchlistPath(paths, 'notify', place), context),
    presence: null,
    couriers: null,
    clock,
    files: null,
    database: null,
    unmade,
    place,
    // It is nobody's yet.
    admitKey: async () => undefined,
    close: async () => {
      await database.close();
    },
  };
}

function unmadeOf(database: Database, missing: SchemaState | string | null): Unmade {
  const { place } = database;
  if (missing === null || typeof missing === 'string') {
    const found =
      missing === null
        ? `${place} does not hold your watchlist yet.`
        : `There is no watchlist ${shownName({ name: missing })} in ${place} yet.`;
    const sentence = `${found} The first command that writes makes it, such as "parcel-monitor add".`;
    return { what: 'account', found: 'none yet', database, sentence };
  }
  const { version, wanted } = missing;
  const sentence =
    version === 0
      ? `${place} does not hold the tables of parcel-monitor yet. "parcel-monitor store" makes them, and so does the first command that writes.`
      : `The tables in ${place} are of an older version (${version}; this program wants ${wanted}). Run "parcel-monitor store" once with a role that may change them.`;
  return { what: 'tables', found: version === 0 ? 'none yet' : 'of an older version', database, sentence };
}
