import { historyIdOf } from '../../src/parcels/identity.ts';
import { type OpenStore, openStore, until } from '../torture/counting.ts';
import type { StoreLook } from './store-look.ts';

/** Name of the account that all hosts of a soak share. */
export const soakAccount = 'soak';

/** A watchlist in a database, to be looked at beside those who work on it. */
export interface DatabaseLook {
  look(): Promise<StoreLook>;
  close(): Promise<void>;
}

/** Makes the tables and the account, and looks at them from then on. */
export async function openDatabaseLook(address: string): Promise<DatabaseLook> {
  const opened = await openStore({ address, account: soakAccount });
  return { look: () => until(() => lookAt(opened)), close: () => opened.database.close() };
}

async function lookAt({ recovery, store }: OpenStore): Promise<StoreLook> {
  const { parcels } = await store.read();
  const trashed = await recovery.trashed();
  const damages: string[] = [];
  for (const parcel of parcels) {
    const { checkpoints } = await store.readHistory(historyIdOf(parcel));
    // A history is written before its parcel, so it never knows less.
    if (checkpoints.length < parcel.checkpointCount)
      damages.push(
        `the history of ${parcel.trackNo} has ${checkpoints.length} of ${parcel.checkpointCount} checkpoints`,
      );
  }
  return {
    parcels,
    damages: [...damages, ...store.takeNotices()],
    temps: [],
    trashed: new Set(trashed.map(({ parcel }) => parcel.trackNo)),
    lostFields: [],
  };
}
