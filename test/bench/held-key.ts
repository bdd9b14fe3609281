import { execFile } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BenchOptions } from './bench-options.ts';
import { spreadOf } from './figures.ts';
import { type Finding, plainFinding } from './finding.ts';
import { quietMs, selectedRow } from './programs.ts';
import type { Screen } from './screen.ts';
import type { TerminalProgram } from './terminal-program.ts';
import { boardScript, type User } from './workshop.ts';

/** How often a held key repeats. */
const keysPerSecond = 30;
/** The time of one frame at thirty a second, in milliseconds. */
export const frameMs = 1000 / 30;

/** A board whose key is held. */
export interface HeldBoard {
  readonly run: TerminalProgram;
  readonly user: User;
  readonly parcels: number;
}

/**
 * Holds a key from the top of the list: how long after the release the screen still changes in the list, and how far from
 * the right parcel the selection stands then. Which one is right says `list`, which knows the same order.
 */
export async function measureHeldKey(
  { run, user, parcels }: HeldBoard,
  { heldSeconds }: BenchOptions,
): Promise<readonly Finding[]> {
  const names = await namesInOrder(user);
  run.press('g');
  await run.waitUntilQuiet(500);
  await run.draw();
  const presses = keysPerSecond * heldSeconds;
  const startedAt = performance.now();
  for (let press = 0; press < presses; press += 1) {
    await delay(Math.max(0, startedAt + (press * 1000) / keysPerSecond - performance.now()));
    run.press('j');
  }
  const releasedAt = performance.now();
  await run.waitUntilQuiet(4 * quietMs);
  const lastMoveAt = await run.lastChangeOf((screen) => selectedName(screen, names) ?? '');
  const quietAt = run.lastOutputAt;
  const reached = names.indexOf(selectedName(run.screen, names) ?? '');
  const count = parcels.toLocaleString('en');
  const name = `held ${heldSeconds} s, ${count}`;
  return [
    plainFinding(
      { group: 'Keys', name: `${name}: release to last row`, aim: frameMs },
      'ms',
      spreadOf([Math.max(0, (lastMoveAt ?? releasedAt) - releasedAt)]),
    ),
    plainFinding(
      { group: 'Keys', name: `${name}: release to quiet` },
      'ms',
      spreadOf([Math.max(0, quietAt - releasedAt)]),
    ),
    plainFinding(
      { group: 'Keys', name: `${name}: rows off its place`, aim: 0 },
      'rows',
      spreadOf([Math.abs(reached - presses)]),
    ),
  ];
}

/** Labels or numbers as the list shows them, in its order. */
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

/** The selected parcel's name as the list shows it; null for none. */
function selectedName(screen: Screen, names: readonly string[]): string | null {
  const row = selectedRow(screen);
  if (row === null) return null;
  // Behind the mark of the selection and the sign of the stage, and before the courier.
  const name = /▌\s*\S\s+(.*?)\s+China Post/.exec(screen.row(row))?.[1] ?? null;
  return name !== null && names.includes(name) ? name : null;
}
