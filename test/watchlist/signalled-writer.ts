/** Adds a number to the store that is named, and sends itself a signal in the middle of it, while it holds the lock. */
import { createProcesses } from '../../src/process/processes.ts';
import { createFileStore } from '../../src/watchlist/store/file-store.ts';
import { realClock } from '../support/real-clock.ts';
import { parcelOf } from './parcels.ts';
import { adding } from './store-folder.ts';

const [directory = '', trackNo = '', signal = ''] = process.argv.slice(2);
const processes = createProcesses(process);
const store = createFileStore({ directory, clock: realClock, random: Math.random, processes });
let isFirst = true;
await store.update((current) => {
  if (isFirst) process.kill(process.pid, signal);
  isFirst = false;
  return adding(parcelOf(trackNo))(current);
});
