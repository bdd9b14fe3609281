import { BusyCounter } from '../../src/lib/async.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { openStore } from '../support/postgres/open-store.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import type { SimulatedStore } from './simulated-store.ts';

const parcelsAtOnce = 5_000;

/** Parcels in a database on its own server. */
export async function simulateInDatabase(parcels: readonly Parcel[]): Promise<SimulatedStore> {
  const server = await startPostgresServer();
  const { database, store } = await openStore({ address: server.address(), account: 'simulation' });
  for (let from = 0; from < parcels.length; from += parcelsAtOnce) {
    const writes = parcels.slice(from, from + parcelsAtOnce).map((parcel) => ({ id: parcel.id, parcel }));
    const known = await store.read();
    const { isWritten } = await store.write(writes, known, Date.parse(parcels[0]?.addedAt ?? ''));
    if (!isWritten) throw new Error('Somebody else writes the database of the simulation.');
  }
  let open = 0;
  const busy = new BusyCounter();
  const counted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    open += 1;
    try {
      return await busy.during(work);
    } finally {
      open -= 1;
    }
  };
  return {
    answered: () => (open === 0 ? null : busy.whenIdle()),
    async close() {
      await database.close();
      await server.stop();
    },
    // No other process writes to it, so there are no notifications.
    store: {
      read: (numbers) => counted(() => store.read(numbers)),
      write: (writes, basedOn, now, options) => counted(() => store.write(writes, basedOn, now, options)),
      newer: (known) => counted(() => store.newer(known)),
      changeLogAfter: (seq) => counted(() => store.changeLogAfter(seq)),
      logEdits: (now, mayWrite) => counted(() => store.logEdits(now, mayWrite)),
      readHistory: (historyId) => counted(() => store.readHistory(historyId)),
      updateHistory: (historyId, change) => counted(() => store.updateHistory(historyId, change)),
      removeHistory: (historyId) => counted(() => store.removeHistory(historyId)),
      takeNotices: () => store.takeNotices(),
    },
  };
}
