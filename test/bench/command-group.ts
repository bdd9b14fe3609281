import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import { compare, measureAlternately, type Rounds } from './figures.ts';
import { comparedFinding, type Finding } from './findings.ts';
import { boardScript, type User, type Workshop } from './workshop.ts';

const aims = { '--version': 1.2, status: 2.5, list: 4, 'list --json': 4, add: 5 } as const;

/**
 * Runs commands from start to exit with 1,000 parcels and output to a pipe, alternating with an empty Node program.
 * `add` uses the sandbox and adds a new number each time. It is measured until it prints its result, minus the time
 * that the service needs to respond. After that, the program waits two seconds for the first record.
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
    const { result, responseMs } = await withResponseTime(
      async () => await runToResult([boardScript, 'add', nextNumber(), '--courier', 'china-post'], adder),
    );
    return result - responseMs;
  };
  // A user's first command fetches the courier list.
  await add();
  const run = (line: string) => () => runToEnd([boardScript, ...line.split(' ')], user);
  const times = await measureAlternately(rounds, {
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

/** Runs a command until it exits. Returns how long that took, in milliseconds. */
async function runToEnd(nodeArguments: readonly string[], user: Pick<User, 'environment'>): Promise<number> {
  const { child, startedAt, ended } = startCommand(nodeArguments, user);
  child.stdout.resume();
  const { code, stderr, at } = await ended;
  if (code !== 0) throw new Error(`${nodeArguments.join(' ')} ended with ${code}: ${stderr}`);
  return at - startedAt;
}

/** Runs a command until it has printed a line, then interrupts it. Returns how long the line took, in milliseconds. */
async function runToResult(nodeArguments: readonly string[], user: Pick<User, 'environment'>): Promise<number> {
  const { child, startedAt, ended } = startCommand(nodeArguments, user);
  let resultAt: number | null = null;
  child.stdout.on('data', (chunk: Buffer) => {
    if (resultAt !== null || !chunk.includes('\n')) return;
    resultAt = performance.now();
    child.kill('SIGINT');
  });
  const { stderr } = await ended;
  if (resultAt === null) throw new Error(`${nodeArguments.join(' ')} printed nothing: ${stderr}`);
  return resultAt - startedAt;
}

function startCommand(nodeArguments: readonly string[], { environment }: Pick<User, 'environment'>) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, nodeArguments, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<{ code: number | null; stderr: string; at: number }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stderr, at: performance.now() }));
  });
  return { child, startedAt, ended };
}

/**
 * Runs `act`, which calls a server in this process. Also returns how long the server needed for its first response, in
 * milliseconds.
 */
async function withResponseTime<Result>(
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
