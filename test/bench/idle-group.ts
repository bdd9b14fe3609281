import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions } from './bench-options.ts';
import { compare, spreadOf } from './figures.ts';
import { besideFinding, type Finding, missingFinding, plainFinding } from './finding.ts';
import { measureInTurn } from './in-turn.ts';
import { findPeers, type Peer } from './peers.ts';
import { processorMs } from './processor-time.ts';
import { bareInk, board, quietMs, start } from './programs.ts';
import type { TerminalProgram } from './terminal-program.ts';
import type { Workshop } from './workshop.ts';

const group = 'Beside others, and idle';
/** No frame of a start is followed by another one later than this. */
const startQuietMs = 300;

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
  const ours: Peer = { name: 'ours', program: board(user), down: 'j', up: 'k' };
  const bare: Peer = { name: 'bare Ink, 48 rows', program: bareInk(workshop, '48 rows'), down: 'j', up: 'k' };
  const others = [bare, ...installed];
  const all = [ours, ...others];
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
  const idle = await idleTogether(all, options);
  const ownIdle = idle.get(ours.name);
  const about = (name: string, aim?: number) => ({ group, name, ...(aim === undefined ? {} : { aim }) });
  const figuresOf = (name: string, figure: keyof Life): readonly number[] =>
    (lives[name] ?? []).map((life) => life[figure]);
  const beside = (name: string, figure: keyof Life, unit: 'ms' | 'bytes'): readonly Finding[] =>
    others.map((other) =>
      besideFinding(
        about(name),
        other.name,
        compare(figuresOf(ours.name, figure), figuresOf(other.name, figure)),
        unit,
      ),
    );
  return [
    ...beside('start to quiet', 'startMs', 'ms'),
    ...beside('key to quiet', 'keyMs', 'ms'),
    ...beside('bytes of a key', 'keyBytes', 'bytes'),
    ownIdle === undefined || ownIdle.percent === null
      ? missingFinding({ ...about('idle board', 0.1), note: 'this system does not tell' }, '% of a core')
      : plainFinding(about('idle board', 0.1), '% of a core', spreadOf([ownIdle.percent])),
    ...others.flatMap(({ name }) => {
      const percent = idle.get(name)?.percent ?? null;
      return percent === null ? [] : [plainFinding(about(`idle ${name}`), '% of a core', spreadOf([percent]))];
    }),
    plainFinding(about('idle board, bytes a minute', 0), 'bytes', spreadOf([ownIdle?.bytesPerMinute ?? 0])),
    ...installed.map(({ name }) =>
      plainFinding(about(`idle ${name}, bytes a minute`), 'bytes', spreadOf([idle.get(name)?.bytesPerMinute ?? 0])),
    ),
    ...missing.map((name) => missingFinding({ ...about(`beside ${name}`), note: `${name} is not installed` }, 'times')),
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

/** Leaves programs alone, all at the same time. */
async function idleTogether(
  peers: readonly Peer[],
  { idleSeconds, settleSeconds }: BenchOptions,
): Promise<ReadonlyMap<string, Idle>> {
  const runs = peers.map(({ name, program }) => ({ name, program, run: start(program) }));
  try {
    await Promise.all(runs.map(({ program, run }) => run.waitFor(program.marker)));
    await delay(settleSeconds * 1000);
    const before = runs.map(({ run }) => ({ position: run.position, ms: processorMs(run.processId) }));
    const since = performance.now();
    await delay(idleSeconds * 1000);
    const passedMs = performance.now() - since;
    return new Map(
      runs.map(({ name, run }, index) => {
        const [startedWith, endedWith] = [before[index]?.ms ?? null, processorMs(run.processId)];
        const percent =
          startedWith === null || endedWith === null ? null : ((endedWith - startedWith) / passedMs) * 100;
        return [name, { percent, bytesPerMinute: (run.bytesSince(before[index]?.position ?? 0) * 60_000) / passedMs }];
      }),
    );
  } finally {
    await Promise.all(runs.map(({ run }) => run.end()));
  }
}
