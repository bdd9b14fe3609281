import { type OpenTerminal, openTerminal } from '../support/pseudo-terminal.ts';
import { drawAll, waitForOutput, waitUntilQuiet } from './timing.ts';
import { boardScript, type User, type Workshop } from './workshop.ts';

export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The text with which its first frame ends. */
  readonly marker: string;
}

export const size = { columns: 160, rows: 50 } as const;

/** Ink ends every frame with the end of a synchronised update. */
export const endOfFrame = '\u001b[?2026l';

/** Longer than Ink's pause between two frames, so that no frame waits for the previous one. */
export const quietMs = 120;

/** The board. Its footer ends with the hint on how to quit. */
export function board({ environment }: User): Program {
  return { command: process.execPath, arguments: [boardScript], environment, marker: 'quit' };
}

/** The last text of the bare programs, as in `bare-ink.tsx`. */
const bareMarker = 'All of this is drawn.';

/** A Node program that writes one line and does nothing else. */
export function bareNode({ environment }: Workshop): Program {
  const script = `require('node:fs').writeSync(1, '${bareMarker}')`;
  return { command: process.execPath, arguments: ['-e', script], environment, marker: bareMarker };
}

/** A minimal Ink program with as many rows as a board. */
export function bareInk({ bareScript, environment }: Workshop): Program {
  return { command: process.execPath, arguments: [bareScript], environment, marker: bareMarker };
}

export function start(program: Program): OpenTerminal {
  return openTerminal(program.command, program.arguments, {
    size: [size.columns, size.rows],
    environment: program.environment,
    drawsOnDemand: true,
  });
}

/** Ends a program with SIGTERM, so that a board can save its state and release its lease. */
export async function end(run: OpenTerminal): Promise<void> {
  await run.close('SIGTERM');
}

/** Waits until a program has drawn its first frame and has been quiet for a while. */
export async function settle(run: OpenTerminal, marker: string): Promise<void> {
  await waitForOutput(run, marker);
  await waitUntilQuiet(run, 700);
  await drawAll(run);
}

/** Returns the selected row on the screen (in the list, if there are two panes), or null. */
export function selectedRow(rows: readonly string[]): number | null {
  const row = rows.findIndex((text) => /^│?▌/.test(text));
  return row === -1 ? null : row;
}
