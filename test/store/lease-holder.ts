import { createProcesses } from '../../src/store/file/processes.ts';
import { createFilePollLease } from '../../src/store/poll-lease.ts';
import { realClock } from '../support/real-clock.ts';

/** Asks for the named poll lease like a board in another process, and prints when it gains or loses it. */

const [path = '', staleMs = ''] = process.argv.slice(2);
const context = { clock: realClock, random: Math.random, processes: createProcesses(process) };
const lease = createFilePollLease(path, context, Number(staleMs));
let printed: boolean | null = null;
const look = async (): Promise<void> => {
  const holds = await lease.hold();
  if (holds !== printed) process.stdout.write(holds ? 'holds\n' : 'follows\n');
  printed = holds;
};
setInterval(() => void look(), 50);
