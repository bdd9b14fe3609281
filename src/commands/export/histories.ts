import { historyIdOf } from '../../watchlist/model/identity.ts';
import type { Parcel, ParcelHistory } from '../../watchlist/model/parcel.ts';
import { type Session, say } from '../session/session.ts';
import { openStore } from '../session/stores.ts';

/** Files that are open at a time; a process may hold open only so many. */
const readTogether = 50;

/** Reads the histories of parcels, by their ids; standard error reports damaged ones. Rejects with a `StoreError`. */
export async function readHistories(
  session: Session,
  parcels: readonly Parcel[],
): Promise<ReadonlyMap<string, ParcelHistory>> {
  const store = openStore(session);
  const histories = new Map<string, ParcelHistory>();
  for (let from = 0; from < parcels.length; from += readTogether) {
    const batch = parcels.slice(from, from + readTogether);
    const read = await Promise.all(
      batch.map(async (parcel) => [parcel.id, await store.readHistory(historyIdOf(parcel))] as const),
    );
    for (const [id, history] of read) histories.set(id, history);
  }
  for (const { message } of store.takeNotices()) say(session.context, message);
  return histories;
}
