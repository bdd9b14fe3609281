import type { Clock } from '../service/clock/clock.ts';
import { type ChildEnd, type StartChild, startFailure } from './child.ts';
import type { Launch, LaunchCommand } from './open-page.ts';

/** A program that runs for so long has started well, in milliseconds. */
const patienceMs = 3_000;

/** Makes what starts a program that lives on by itself, apart from the terminal, its output dropped. */
export function createLaunch(startChild: StartChild, clock: Clock): (command: LaunchCommand) => Promise<Launch> {
  return async (command) => {
    const child = startChild({ command, input: '', onOutput: 'dropped', usesTerminal: false });
    const started = Promise.withResolvers<Launch>();
    const cancelPatience = clock.setTimer(patienceMs, () => started.resolve({ kind: 'launched' }));
    const launch = await Promise.race([started.promise, child.ended.then(launchOf)]);
    cancelPatience();
    return launch;
  };
}

function launchOf(end: ChildEnd): Launch {
  switch (end.kind) {
    case 'not-started':
      return { kind: end.error.code === 'ENOENT' ? 'missing' : 'failed', reason: startFailure(end.error) };
    case 'killed':
      return { kind: 'failed', reason: `was ended by ${end.signal}` };
    case 'exited':
      return end.code === 0 ? { kind: 'launched' } : { kind: 'failed', reason: `ended with code ${end.code}` };
  }
}
