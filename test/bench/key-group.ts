import { execFile } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { OpenTerminal } from '../support/pseudo-terminal.ts';
import { compare, measureAlternately, quantile, type Rounds, spreadOf } from './figures.ts';
import { absoluteFinding, comparedFinding, type Finding, missingFinding } from './findings.ts';
import { bareInk, board, end, endOfFrame, quietMs, selectedRow, settle, start } from './programs.ts';
import { drawAll, lastChangeTime, waitForOutput, waitUntilQuiet } from './timing.ts';
import { boardScript, type User, type Workshop } from './workshop.ts';

const group = 'Keys';

/**
 * Measures single keys in boards with 20, 1,000 and 10,000 parcels and in a bare Ink program with 48 rows, which are
 * all open and get keys alternately. Then measures a key that is held down.
 */
export async function measureKeys(workshop: Workshop, rounds: Rounds): Promise<readonly Finding[]> {
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
    const presses = await measureAlternately(rounds, {
      bare: createKeyPresser(bare),
      few: createKeyPresser(few),
      some: createKeyPresser(some),
      many: createKeyPresser(many),
    });
    return [...moveFindings(presses, rounds), ...(await measureHeldKey(many, users.many, rounds))];
  } finally {
    await Promise.all(runs.map(end));
  }
}

/** The selection moves down this many rows, then up again, so that the shortest list has enough rows. */
const turnAfter = 15;

/**
 * Returns a function that waits until a board is quiet, presses a key, and returns how long the resulting frame took,
 * in milliseconds. The selection moves down some rows and up again.
 */
export function createKeyPresser(run: OpenTerminal): () => Promise<number> {
  let counter = 0;
  return async () => {
    // The other programs are measured in between.
    await waitUntilQuiet(run, quietMs);
    const { length } = run.output;
    const key = Math.floor(counter / turnAfter) % 2 === 0 ? 'j' : 'k';
    counter += 1;
    const pressedAt = performance.now();
    run.type(key);
    return (await waitForOutput(run, endOfFrame, length)) - pressedAt;
  };
}

function moveFindings(
  presses: Readonly<Record<'bare' | 'few' | 'some' | 'many', readonly number[]>>,
  { isQuick }: Rounds,
): readonly Finding[] {
  const { bare, few, many, some } = presses;
  const [usual, slow] = [quantile(some, 0.5), quantile(some, 0.95)];
  const about = (name: string, aim: number) => ({ group, name, aim });
  const comparison = (parcels: string, ours: readonly number[]): Finding =>
    comparedFinding(about(`key to frame, ${parcels}`, 1.25), 'bare Ink, 48 rows', compare(ours, bare));
  return [
    comparison('20 parcels', few),
    comparison('1,000', some),
    comparison('10,000', many),
    // With few keys, this would just be the slowest one.
    isQuick
      ? missingFinding({ ...about('95th percentile, 1,000', 2), note: 'only in full runs' }, 'times')
      : {
          ...absoluteFinding(about('95th percentile, 1,000', 2), 'times', spreadOf([slow / usual])),
          comparedWith: 'median',
          pair: { ours: slow, other: usual, unit: 'ms' },
        },
  ];
}

/** How often a held key repeats. */
const keysPerSecond = 30;
/** The time of one frame at thirty a second, in milliseconds. */
const frameMs = 1000 / 30;

/**
 * Keeps a key pressed from the top of the list: how long after the release the list still changes, and how far the
 * selection is from the right parcel then. `list`, which has the same order, tells which one is right.
 */
async function measureHeldKey(run: OpenTerminal, user: User, { isQuick }: Rounds): Promise<readonly Finding[]> {
  const heldSeconds = isQuick ? 2 : 10;
  const names = await namesInOrder(user);
  run.type('g');
  await waitUntilQuiet(run, 500);
  await drawAll(run);
  const presses = keysPerSecond * heldSeconds;
  const startedAt = performance.now();
  for (let press = 0; press < presses; press += 1) {
    await delay(Math.max(0, startedAt + (press * 1000) / keysPerSecond - performance.now()));
    run.type('j');
  }
  const releasedAt = performance.now();
  await waitUntilQuiet(run, 4 * quietMs);
  const lastMoveAt = await lastChangeTime(run, (rows) => selectedName(rows, names) ?? '');
  const reached = names.indexOf(selectedName(run.rows(), names) ?? '');
  const name = `held ${heldSeconds} s, 10,000`;
  return [
    absoluteFinding(
      { group: 'Keys', name: `${name}: release to last row`, aim: frameMs },
      'ms',
      spreadOf([Math.max(0, (lastMoveAt ?? releasedAt) - releasedAt)]),
    ),
    absoluteFinding(
      { group: 'Keys', name: `${name}: rows off its place`, aim: 0 },
      'rows',
      spreadOf([Math.abs(reached - presses)]),
    ),
  ];
}

async function namesInOrder({ environment }: User): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [boardScript, 'list', '--json'], {
    env: environment,
    maxBuffer: 1 << 30,
  });
  const { parcels } = JSON.parse(stdout) as {
    readonly parcels: readonly { readonly label: string | null; readonly trackNo: string }[];
  };
  return parcels.map(({ label, trackNo }) => label ?? trackNo);
}

/** Returns the selected parcel's name as the list shows it, or null. */
function selectedName(rows: readonly string[], names: readonly string[]): string | null {
  const row = selectedRow(rows);
  if (row === null) return null;
  // The name is between the symbols for the selection and the stage, and the courier.
  const name = /▌\s*\S\s+(.*?)\s+China Post/.exec(rows[row] ?? '')?.[1] ?? null;
  return name !== null && names.includes(name) ? name : null;
}
