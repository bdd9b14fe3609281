import { performance } from 'node:perf_hooks';
import type { BenchOptions } from './bench-options.ts';
import { compare, quantile, spreadOf } from './figures.ts';
import { measureFilterKeys } from './filter-keys.ts';
import { besideFinding, type Finding, missingFinding, plainFinding } from './finding.ts';
import { measureHeldKey } from './held-key.ts';
import { measureInTurn } from './in-turn.ts';
import { bareInk, board, endOfFrame, quietMs, settle, start } from './programs.ts';
import type { TerminalProgram } from './terminal-program.ts';
import type { Workshop } from './workshop.ts';

const group = 'Keys';
/** Behind a frame: longer than the one takes that Ink may draw next, so that what is read from the disk has come. */
const restMs = 70;

/** What a key press came to. */
export interface Press {
  /** To the last byte of the frame that it brought. */
  readonly frameMs: number;
  /** To the last byte of all that it brought, as the timeline that is read from the disk. */
  readonly settledMs: number;
}

/**
 * Keys in boards of 20, 1,000 and 10,000 parcels and in a bare Ink program of 48 rows, all open at once and pressed in
 * turn; then a key that is held, and a filter that is typed.
 */
export async function measureKeys(workshop: Workshop, options: BenchOptions): Promise<readonly Finding[]> {
  const users = {
    few: await workshop.user(20, 'nothing to do'),
    some: await workshop.user(1000, 'nothing to do'),
    many: await workshop.user(10_000, 'nothing to do'),
  };
  const programs = [board(users.few), board(users.some), board(users.many), bareInk(workshop, '48 rows')];
  const runs = programs.map(start);
  try {
    await Promise.all(runs.map((run, index) => settle(run, programs[index]?.marker ?? '')));
    const [few, some, many, bare] = runs;
    if (few === undefined || some === undefined || many === undefined || bare === undefined) return [];
    const presses = await measureInTurn(options.keyRounds, {
      bare: presser(bare),
      few: presser(few),
      some: presser(some),
      many: presser(many),
    });
    return [
      ...movingFindings(presses, options),
      ...(await measureHeldKey({ run: some, user: users.some, parcels: 1000 }, options)),
      ...(options.isQuick ? [] : await measureHeldKey({ run: many, user: users.many, parcels: 10_000 }, options)),
      await measureFilterKeys(many, 10_000, options),
    ];
  } finally {
    await Promise.all(runs.map((run) => run.end()));
  }
}

/** Moves the selection down some rows, then up again, so that the shortest list has room for it. */
const turnAfter = 15;

/** Presses a key in a board once, when it has been quiet; the selection goes down some rows and up again. */
export function presser(run: TerminalProgram): () => Promise<Press> {
  let counter = 0;
  return async () => {
    // Meanwhile it is the others' turn.
    await run.waitUntilQuiet(quietMs);
    const { position } = run;
    const key = Math.floor(counter / turnAfter) % 2 === 0 ? 'j' : 'k';
    counter += 1;
    const pressedAt = performance.now();
    run.press(key);
    const frameAt = await run.waitFor(endOfFrame, position);
    await run.waitUntilQuiet(restMs);
    return { frameMs: frameAt - pressedAt, settledMs: run.lastOutputAt - pressedAt };
  };
}

function movingFindings(
  presses: Readonly<Record<'bare' | 'few' | 'some' | 'many', readonly Press[]>>,
  { isQuick }: BenchOptions,
): readonly Finding[] {
  const frames = (name: keyof typeof presses): readonly number[] => presses[name].map(({ frameMs }) => frameMs);
  const settled = presses.some.map(({ settledMs }) => settledMs);
  const slowest = quantile(frames('some'), 0.95) / quantile(frames('some'), 0.5);
  const about = (name: string, aim?: number) => ({ group, name, ...(aim === undefined ? {} : { aim }) });
  return [
    besideFinding(about('key to frame, 20 parcels', 1.2), 'bare Ink, 48 rows', compare(frames('few'), frames('bare'))),
    besideFinding(about('key to frame, 1,000', 1.2), 'bare Ink, 48 rows', compare(frames('some'), frames('bare'))),
    besideFinding(about('key to frame, 10,000', 1.2), 'bare Ink, 48 rows', compare(frames('many'), frames('bare'))),
    besideFinding(about('key to frame, 10,000', 1.1), 'with 20', compare(frames('many'), frames('few'))),
    // Of few keys it would be the slowest one.
    isQuick
      ? missingFinding({ ...about('95th percentile, 1,000', 2), note: 'in a whole run' }, 'times')
      : {
          ...plainFinding(about('95th percentile, 1,000', 2), 'times', spreadOf([slowest])),
          beside: 'median',
          pair: { ours: quantile(frames('some'), 0.95), other: quantile(frames('some'), 0.5), unit: 'ms' },
        },
    plainFinding(about('key until the timeline stands, 1,000'), 'ms', spreadOf(settled)),
  ];
}
