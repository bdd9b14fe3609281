import { BusyCounter } from '../../src/lib/async.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { openStore } from '../support/postgres/open-store.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import type { SimulatedStore } from './simulated-store.ts';

const batchSize = 5_000;

/** Puts the parcels into a database on a server of its own. */
export async function simulateInDatabase(parcels: readonly Parcel[]): Promise<SimulatedStore> {
  const server = await startPostgresServer();
  const { database, store } = await openStore({ address: server.address(), account: 'simulation' });
  for (let from = 0; from < parcels.length; from += batchSize) {
    const writes = parcels.slice(from, from + batchSize).map((parcel) => ({ id: parcel.id, parcel }));
    const known = await store.read();
    const { isWritten } = await store.write(writes, known, Date.parse(parcels[0]?.addedAt ?? ''));
    if (!isWritten) throw new Error('Another process is writing to the database of the simulation.');
  }
  let open = 0;
  const busy = new BusyCounter();
  const tracked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    open += 1;
    try {
      return await busy.during(work);
    } finally {
      open -= 1;
    }
  };
  return {
    whenIdle: () => (open === 0 ? null : busy.whenIdle()),
    async close() {
      await database.close();
      await server.stop();
    },
    // No other process writes to it, so notifications are left out.
    store: {
      read: (numbers) => tracked(() => store.read(numbers)),
      write: (writes, basedOn, now, options) => tracked(() => store.write(writes, basedOn, now, options)),
      newer: (known) => tracked(() => store.newer(known)),
      changeLogAfter: (seq) => tracked(() => store.changeLogAfter(seq)),
      logEdits: (now, mayWrite) => tracked(() => store.logEdits(now, mayWrite)),
      readHistory: (historyId) => tracked(() => store.readHistory(historyId)),
      updateHistory: (historyId, change) => tracked(() => store.updateHistory(historyId, change)),
      removeHistory: (historyId) => tracked(() => store.removeHistory(historyId)),
      takeNotices: () => store.takeNotices(),
    },
  };
}
