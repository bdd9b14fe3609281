import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Rounds, spreadOf } from './figures.ts';
import { absoluteFinding, type Finding, missingFinding } from './findings.ts';
import { board, end, settle, start } from './programs.ts';
import type { Workshop } from './workshop.ts';

/** Measures what an idle board costs: processor time and bytes. */
export async function measureIdle(workshop: Workshop, { isQuick }: Rounds): Promise<readonly Finding[]> {
  // In the first seconds after its start, a program still has work to do, such as compiling hot code.
  const [settleSeconds, idleSeconds] = isQuick ? [5, 4] : [20, 40];
  const about = (name: string, aim: number) => ({ group: 'Idle', name, aim });
  const program = board(await workshop.user(1000, 'nothing to do'));
  const run = start(program);
  try {
    await settle(run, program.marker);
    await delay(Math.max(0, run.startedAt + settleSeconds * 1000 - performance.now()));
    const writtenBefore = run.written();
    const since = performance.now();
    const before = processorMs(run.pid);
    await delay(idleSeconds * 1000);
    const after = processorMs(run.pid);
    const passedMs = performance.now() - since;
    return [
      absoluteFinding(
        about('bytes a minute', 0),
        'bytes',
        spreadOf([((run.written() - writtenBefore) * 60_000) / passedMs]),
      ),
      before === null || after === null
        ? missingFinding({ ...about('processor', 0.1), note: 'this system does not report it' }, '% of a core')
        : absoluteFinding(about('processor', 0.1), '% of a core', spreadOf([((after - before) / passedMs) * 100])),
    ];
  } finally {
    await end(run);
  }
}

/**
 * Returns how long a process's threads have been on a processor so far, user and system, in milliseconds. Returns null
 * if the system does not report it exactly; only Linux does.
 */
function processorMs(processId: number): number | null {
  try {
    const tasks = join('/proc', String(processId), 'task');
    const nanoseconds = readdirSync(tasks).map((task) =>
      Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ', 1)[0]),
    );
    return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
  } catch {
    return null;
  }
}
