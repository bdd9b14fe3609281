import type { Parcel } from '../model/parcel.ts';
import type { StoredParcels } from '../store/store.ts';
import type { Account } from './accounts.ts';
import { changedRows } from './changed-rows.ts';
import type { Database } from './database.ts';
import type { PostgresStore } from './postgres-store.ts';
import { ParcelRows } from './read-rows.ts';

/** Of a long list what can be asked before all of it is read. Rows that cannot be used are left out: the whole reading says so. */
export interface LightList {
  /** All light parcels as they were last seen; null before they were read, and of a short list. */
  newest(): StoredParcels | null;
  /** The light parcels that have changed since a revision; null where those are too many, or not all are known any more. */
  changedSince(revision: number): Promise<Omit<LightChanges, 'isAll'> | null>;
  /** The light parcels of some ids, in any order. */
  of(ids: readonly string[]): Promise<readonly Parcel[]>;
  /** The parcels that are due first. */
  soonest(most: number): Promise<readonly Parcel[]>;
}

/** What has become of a list. */
interface LightChanges {
  readonly revision: number;
  readonly changed: readonly Parcel[];
  readonly removed: readonly string[];
}

/** Where more pages have changed, to read all of the list takes hardly longer. */
const mostPages = 16;

/** Asks of the list of an account. */
export function createLightList(
  database: Database,
  account: Account,
  store: Pick<PostgresStore, 'newestLight'>,
): LightList {
  const rows = new ParcelRows(account, () => undefined);
  return {
    newest: () => store.newestLight(),
    async changedSince(revision) {
      const {
        changed,
        isForgotten,
        removed,
        revision: now,
      } = await changedRows(database, account, rows, revision, 'light', mostPages);
      return isForgotten ? null : { revision: now, changed, removed };
    },
    of: async (ids) => await rows.light(database, ids),
    soonest: async (most) => await rows.soonest(database, most),
  };
}
