import { createProcesses } from '../../src/store/file/processes.ts';
import { createFilePollLease } from '../../src/store/poll-lease.ts';
import { realClock } from '../support/real-clock.ts';

/** Takes the named poll lease, and prints every change of it, like a board in another process. */

const [path = '', staleMs = ''] = process.argv.slice(2);
const context = { clock: realClock, random: Math.random, processes: createProcesses(process) };
const lease = createFilePollLease(path, context, Number(staleMs));
let told: boolean | null = null;
const look = async (): Promise<void> => {
  const holds = await lease.hold();
  if (holds !== told) process.stdout.write(holds ? 'holds\n' : 'follows\n');
  told = holds;
};
setInterval(() => void look(), 50);
