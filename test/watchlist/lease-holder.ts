/** Holds the poll lease that is named, and tells every change of that, as a board in another process does. */
import { createFilePollLease } from '../../src/watchlist/poll-lease.ts';

const [path = '', staleMs = ''] = process.argv.slice(2);
const lease = createFilePollLease(path, Number(staleMs));
let told: boolean | null = null;
const look = async (): Promise<void> => {
  const holds = await lease.hold();
  if (holds !== told) process.stdout.write(holds ? 'holds\n' : 'follows\n');
  told = holds;
};
setInterval(() => void look(), 50);
