import { createFileStore } from '../../src/store/file/file-store.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { realClock } from '../support/real-clock.ts';
import { addParcels } from './store-folder.ts';

/** Adds a number to the given store, and sends itself a signal halfway through, while it has the lock. */

const [directory = '', trackNo = '', signal = ''] = process.argv.slice(2);
const processes = createProcesses(process);
const store = createFileStore({ directory, clock: realClock, random: Math.random, processes });
let isFirst = true;
await store.update((current) => {
  if (isFirst) process.kill(process.pid, signal);
  isFirst = false;
  return addParcels(parcelOf(trackNo))(current);
});
