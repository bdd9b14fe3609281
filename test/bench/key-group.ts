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
  const programs = [board(users.few), board(users.some), board(users.many), bareInk(workshop)];
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
      ...(await measureHeldKey({ run: many, user: users.many, parcels: 10_000 }, options)),
      await measureFilterKeys(many, 10_000, options),
    ];
  } finally {
    await Promise.all(runs.map((run) => run.end()));
  }
}

/** Moves the selection down some rows, then up again, so that the shortest list has room for it. */
const turnAfter = 15;

/**
 * Presses a key in a board once, when it has been quiet, and answers how long the frame took that it brought, in
 * milliseconds; the selection goes down some rows and up again.
 */
export function presser(run: TerminalProgram): () => Promise<number> {
  let counter = 0;
  return async () => {
    // Meanwhile it is the others' turn.
    await run.waitUntilQuiet(quietMs);
    const { position } = run;
    const key = Math.floor(counter / turnAfter) % 2 === 0 ? 'j' : 'k';
    counter += 1;
    const pressedAt = performance.now();
    run.press(key);
    return (await run.waitFor(endOfFrame, position)) - pressedAt;
  };
}

function movingFindings(
  presses: Readonly<Record<'bare' | 'few' | 'some' | 'many', readonly number[]>>,
  { isQuick }: BenchOptions,
): readonly Finding[] {
  const { bare, few, many, some } = presses;
  const [usual, slow] = [quantile(some, 0.5), quantile(some, 0.95)];
  const about = (name: string, aim: number) => ({ group, name, aim });
  const beside = (parcels: string, ours: readonly number[]): Finding =>
    besideFinding(about(`key to frame, ${parcels}`, 1.25), 'bare Ink, 48 rows', compare(ours, bare));
  return [
    beside('20 parcels', few),
    beside('1,000', some),
    beside('10,000', many),
    // Of few keys it would be the slowest one.
    isQuick
      ? missingFinding({ ...about('95th percentile, 1,000', 2), note: 'in a whole run' }, 'times')
      : {
          ...plainFinding(about('95th percentile, 1,000', 2), 'times', spreadOf([slow / usual])),
          beside: 'median',
          pair: { ours: slow, other: usual, unit: 'ms' },
        },
  ];
}
