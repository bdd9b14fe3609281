import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import { compare, measureInTurn, type Rounds } from './figures.ts';
import { comparedFinding, type Finding } from './findings.ts';
import { boardScript, type User, type Workshop } from './workshop.ts';

const aims = { '--version': 1.2, status: 2.5, list: 4, 'list --json': 4, add: 5 } as const;

/**
 * Runs commands from start to end with 1,000 parcels, into a pipe, alternating with an empty Node program. `add` uses
 * the sandbox, adds another number each time and is measured until its result, without the time that the service needs
 * for its response. After that, the program waits two seconds for the first record.
 */
export async function measureCommands(workshop: Workshop, rounds: Rounds): Promise<readonly Finding[]> {
  const user = await workshop.user(1000, 'nothing to do');
  const adder = await workshop.user(1000, 'is answered');
  let added = 0;
  const nextNumber = (): string => {
    added += 1;
    return `NR${String(200_000_000 + added)}`;
  };
  const add = async (): Promise<number> => {
    const { result, responseMs } = await withAnswerTime(
      async () => await runToResult([boardScript, 'add', nextNumber(), '--courier', 'china-post'], adder),
    );
    return result - responseMs;
  };
  // A user's first command fetches the courier list.
  await add();
  const run = (line: string) => () => runToEnd([boardScript, ...line.split(' ')], user);
  const times = await measureInTurn(rounds, {
    node: () => runToEnd(['-e', '0'], workshop),
    '--version': run('--version'),
    status: run('status'),
    list: run('list'),
    'list --json': run('list --json'),
    add,
  });
  return (Object.keys(aims) as (keyof typeof aims)[]).map((line) =>
    comparedFinding(
      { group: 'Commands', name: `${line}, 1,000 parcels`, aim: aims[line] },
      'bare Node',
      compare(times[line], times.node),
    ),
  );
}

/** Runs a command to its end. Returns how long that took, in milliseconds. */
async function runToEnd(nodeArguments: readonly string[], user: Pick<User, 'environment'>): Promise<number> {
  const { child, startedAt, ended } = startCommand(nodeArguments, user);
  child.stdout.resume();
  const { code, complaint, at } = await ended;
  if (code !== 0) throw new Error(`${nodeArguments.join(' ')} ended with ${code}: ${complaint}`);
  return at - startedAt;
}

/** Runs a command until it has printed a line, and ends it. Returns how long that took, in milliseconds. */
async function runToResult(nodeArguments: readonly string[], user: Pick<User, 'environment'>): Promise<number> {
  const { child, startedAt, ended } = startCommand(nodeArguments, user);
  let resultAt: number | null = null;
  child.stdout.on('data', (chunk: Buffer) => {
    if (resultAt !== null || !chunk.includes('\n')) return;
    resultAt = performance.now();
    child.kill('SIGINT');
  });
  const { complaint } = await ended;
  if (resultAt === null) throw new Error(`${nodeArguments.join(' ')} printed nothing: ${complaint}`);
  return resultAt - startedAt;
}

function startCommand(nodeArguments: readonly string[], { environment }: Pick<User, 'environment'>) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, nodeArguments, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const ended = new Promise<{ code: number | null; complaint: string; at: number }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, complaint, at: performance.now() }));
  });
  return { child, startedAt, ended };
}

/**
 * Runs work that calls a server in this process. Returns how long the server needed for its first response, in
 * milliseconds.
 */
async function withAnswerTime<Result>(
  act: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly responseMs: number }> {
  const [startEvent, finishEvent] = ['http.server.request.start', 'http.server.response.finish'];
  let startedAt: number | null = null;
  let responseMs: number | null = null;
  const onStart = (): void => {
    startedAt ??= performance.now();
  };
  const onFinish = (): void => {
    if (startedAt !== null) responseMs ??= performance.now() - startedAt;
  };
  subscribe(startEvent, onStart);
  subscribe(finishEvent, onFinish);
  try {
    const result = await act();
    return { result, responseMs: responseMs ?? 0 };
  } finally {
    unsubscribe(startEvent, onStart);
    unsubscribe(finishEvent, onFinish);
  }
}
