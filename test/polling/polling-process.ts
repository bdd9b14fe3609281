import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { createMonitor } from '../../src/polling/monitor.ts';
import type { TrackingService } from '../../src/service/port.ts';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { createFilePollLease } from '../../src/store/shared-state.ts';
import { realClock } from '../support/real-clock.ts';

/**
 * A process with a monitor that polls endlessly, as fast as possible: five parcels, one call each. Every call appends
 * the process id and its start time to a file. Prints whenever it begins to follow or to lead.
 */

const [directory = '', staleMs = ''] = process.argv.slice(2);
const context = { clock: realClock, random: Math.random, processes: createProcesses(process) };
const service: TrackingService = {
  batchLimits: { register: 100, query: 1 },
  couriers: async () => [],
  register: async () => ({ accepted: [], known: [], rejected: [], traceId: null }),
  async query() {
    // Taken first, because the process may be suspended before the line is written.
    const beganAt = Date.now();
    appendFileSync(join(directory, 'calls'), `${process.pid} ${beganAt}\n`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { records: [], unregistered: [], rejected: [], traceId: null };
  },
};
const monitor = createMonitor({
  ...context,
  store: createFileStore({ ...context, directory }),
  service,
  gate: new CallGate({
    ...context,
    lease: createFilePollLease(join(directory, 'lease'), context, Number(staleMs)),
    policy: {
      ladderMs: [],
      waitingMs: 20,
      fruitlessMaxMs: 20,
      paceMs: 1,
      coalesceMs: 0,
      jitterMs: 0,
      followMs: 50,
    },
  }),
});
let printed: boolean | null = null;
monitor.subscribe(() => {
  const { callsSent, isFollowing } = monitor.getState().polling;
  const follows = isFollowing ? true : callsSent > 0 ? false : printed;
  if (follows !== null && follows !== printed) process.stdout.write(follows ? 'follows\n' : 'polls\n');
  printed = follows;
});
await monitor.load();
monitor.start();
