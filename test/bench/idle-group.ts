import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions } from './bench-options.ts';
import { compare, type Spread, spreadOf } from './figures.ts';
import { besideFinding, type Finding, missingFinding, plainFinding } from './finding.ts';
import { measureInTurn } from './in-turn.ts';
import { findPeers, type Peer } from './peers.ts';
import { processorMs } from './processor-time.ts';
import { bareInk, board, quietMs, start } from './programs.ts';
import type { TerminalProgram } from './terminal-program.ts';
import type { Workshop } from './workshop.ts';

const group = 'Beside others, and idle';
const ownName = 'ours';
/** No output of a start is followed by more later than this; Ink is loaded behind the first frame. */
const startQuietMs = 700;

/** What a program did while nobody touched it. */
interface Idle {
  /** Share of one core, in percent; null where the system does not tell. */
  readonly percent: number | null;
  readonly bytesPerMinute: number;
}

/** What a program came to that was measured as others are. */
interface Life {
  readonly startMs: number;
  readonly keyMs: number;
  readonly keyBytes: number;
}

/**
 * The board beside programs of others, all measured alike: to the last byte before the program is quiet for the first
 * time, from a key to the last byte that it brings, its bytes, and what each costs that nobody touches.
 */
export async function measureBesideOthers(workshop: Workshop, options: BenchOptions): Promise<readonly Finding[]> {
  const user = await workshop.user(1000, 'nothing to do');
  const { installed, missing } = await findPeers(workshop);
  const ours: Peer = { name: ownName, program: board(user), down: 'j', up: 'k' };
  const bare: Peer = { name: 'bare Ink, 48 rows', program: bareInk(workshop, '48 rows'), down: 'j', up: 'k' };
  const others = [bare, ...installed];
  const all = [ours, ...others];
  // Those that are left alone come to rest while others are measured. Boards of one watchlist would take turns in asking.
  const untouched = board(await workshop.user(1000, 'nothing to do', 'idle'));
  const idlers = startTogether([{ name: ours.name, program: untouched }, ...others]);
  try {
    await waitForAll(idlers);
    const readyAt = performance.now() + options.settleSeconds * 1000;
    const lives = await measureInTurn(
      options.peerRounds,
      Object.fromEntries(
        all.map((peer) => [
          peer.name,
          async () => {
            user.forgetKeptScreen();
            return await liveOnce(peer);
          },
        ]),
      ),
    );
    await delay(Math.max(0, readyAt - performance.now()));
    const idle = await watchIdle(idlers, options);
    return [
      ...besideFindings(
        lives,
        others.map(({ name }) => name),
      ),
      ...idleFindings(
        idle,
        others.map(({ name }) => name),
      ),
      ...missing.map((name) =>
        missingFinding({ ...about(`beside ${name}`), note: `${name} is not installed` }, 'times'),
      ),
    ];
  } finally {
    await Promise.all(idlers.map(({ run }) => run.end()));
  }
}

function about(name: string, aim?: number) {
  return { group, name, ...(aim === undefined ? {} : { aim }) };
}

/** How ours compares with each of the others. */
function besideFindings(
  lives: Readonly<Record<string, readonly Life[]>>,
  others: readonly string[],
): readonly Finding[] {
  const figuresOf = (name: string, figure: keyof Life): readonly number[] =>
    (lives[name] ?? []).map((life) => life[figure]);
  const beside = (name: string, figure: keyof Life, unit: 'ms' | 'bytes'): readonly Finding[] =>
    others.map((other) =>
      besideFinding(about(name), other, compare(figuresOf(ownName, figure), figuresOf(other, figure)), unit),
    );
  return [
    ...beside('start to quiet', 'startMs', 'ms'),
    ...beside('key to quiet', 'keyMs', 'ms'),
    ...beside('bytes of a key', 'keyBytes', 'bytes'),
  ];
}

/** What each did while nobody touched it. */
function idleFindings(idle: ReadonlyMap<string, Idle>, others: readonly string[]): readonly Finding[] {
  const ownIdle = idle.get(ownName);
  const written = (name: string): Spread => spreadOf([idle.get(name)?.bytesPerMinute ?? 0]);
  return [
    ownIdle === undefined || ownIdle.percent === null
      ? missingFinding({ ...about('idle board', 0.1), note: 'this system does not tell' }, '% of a core')
      : plainFinding(about('idle board', 0.1), '% of a core', spreadOf([ownIdle.percent])),
    ...others.flatMap((name) => {
      const percent = idle.get(name)?.percent ?? null;
      return percent === null ? [] : [plainFinding(about(`idle ${name}`), '% of a core', spreadOf([percent]))];
    }),
    plainFinding(about('idle board, bytes a minute', 0), 'bytes', written(ownName)),
    ...others.map((name) => plainFinding(about(`idle ${name}, bytes a minute`), 'bytes', written(name))),
  ];
}

/** Starts a program, presses a key after the first one has been drawn, and ends it. */
async function liveOnce({ program, down, up }: Peer): Promise<Life> {
  const run = start(program);
  try {
    await run.waitFor(program.marker);
    await run.waitUntilQuiet(startQuietMs);
    const startMs = run.lastOutputAt - run.startedAt;
    await pressOnce(run, down);
    const { ms: keyMs, bytes: keyBytes } = await pressOnce(run, up);
    return { startMs, keyMs, keyBytes };
  } finally {
    await run.end();
  }
}

async function pressOnce(run: TerminalProgram, key: string): Promise<{ readonly ms: number; readonly bytes: number }> {
  await run.draw();
  const { position } = run;
  const pressedAt = performance.now();
  run.press(key);
  await run.waitForMore();
  await run.waitUntilQuiet(quietMs);
  return { ms: run.lastOutputAt - pressedAt, bytes: run.bytesSince(position) };
}

/** A program that nobody touches. */
interface Idler {
  readonly name: string;
  readonly marker: string;
  readonly run: TerminalProgram;
}

function startTogether(peers: readonly Pick<Peer, 'name' | 'program'>[]): readonly Idler[] {
  return peers.map(({ name, program }) => ({ name, marker: program.marker, run: start(program) }));
}

/** Waits until all have drawn their first frame and are still, so that no start takes time from what is measured next. */
async function waitForAll(idlers: readonly Idler[]): Promise<void> {
  await Promise.all(idlers.map(async ({ marker, run }) => await run.waitFor(marker)));
  await delay(1000);
}

/** Watches programs that are at rest, all at the same time. */
async function watchIdle(idlers: readonly Idler[], { idleSeconds }: BenchOptions): Promise<ReadonlyMap<string, Idle>> {
  const before = idlers.map(({ run }) => ({ position: run.position, ms: processorMs(run.processId) }));
  const since = performance.now();
  await delay(idleSeconds * 1000);
  const passedMs = performance.now() - since;
  return new Map(
    idlers.map(({ name, run }, index) => {
      const [startedWith, endedWith] = [before[index]?.ms ?? null, processorMs(run.processId)];
      const percent = startedWith === null || endedWith === null ? null : ((endedWith - startedWith) / passedMs) * 100;
      return [name, { percent, bytesPerMinute: (run.bytesSince(before[index]?.position ?? 0) * 60_000) / passedMs }];
    }),
  );
}
