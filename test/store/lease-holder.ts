import { createProcesses } from '../../src/store/file/processes.ts';
import { createFilePollLease } from '../../src/store/shared-state.ts';
import { realClock } from '../support/real-clock.ts';

/** Competes for the poll lease at a path, as a board in another process would, and prints when it gains or loses it. */

const [path = '', staleMs = ''] = process.argv.slice(2);
const context = { clock: realClock, random: Math.random, processes: createProcesses(process) };
const lease = createFilePollLease(path, context, Number(staleMs));
let lastPrinted: boolean | null = null;
const heartbeat = async (): Promise<void> => {
  const holds = await lease.hold();
  if (holds !== lastPrinted) process.stdout.write(holds ? 'holds\n' : 'follows\n');
  lastPrinted = holds;
};
setInterval(() => void heartbeat(), 50);
