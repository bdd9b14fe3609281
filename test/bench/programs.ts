import { type Screen, TerminalProgram, type TerminalProgramOptions } from './terminal-program.ts';
import { boardScript, type User, type Workshop } from './workshop.ts';

export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Stands at the very end of its first frame. */
  readonly marker: string;
}

export const size = { columns: 160, rows: 50 } satisfies Partial<TerminalProgramOptions>;

/** Ink ends every frame with the end of a synchronised update. */
export const endOfFrame = '\u001b[?2026l';

/** Longer than the pause that Ink keeps between two frames, so that no frame waits for the one before. */
export const quietMs = 120;

/** The board, whose footer ends with the hint how to leave it. */
export function board({ environment }: User): Program {
  return { command: process.execPath, arguments: [boardScript], environment, marker: 'quit' };
}

/** What the bare programs show last, as in `bare-ink.tsx`. */
const bareMarker = 'All of this is drawn.';

/** Node that writes one line and does nothing else. */
export function bareNode({ environment }: Workshop): Program {
  const script = `require('node:fs').writeSync(1, '${bareMarker}')`;
  return { command: process.execPath, arguments: ['-e', script], environment, marker: bareMarker };
}

/** What any Ink program costs that shows as many rows as a board has. */
export function bareInk({ bareScript, environment }: Workshop): Program {
  return { command: process.execPath, arguments: [bareScript], environment, marker: bareMarker };
}

export function start(program: Program): TerminalProgram {
  return new TerminalProgram({ ...program, ...size });
}

/** Waits until a program has drawn its first frame and has long been still. */
export async function settle(run: TerminalProgram, marker: string): Promise<void> {
  await run.waitFor(marker);
  await run.waitUntilQuiet(700);
  await run.draw();
}

/** The row of the screen that is selected, of the list where there are two panes; null for none. */
export function selectedRow(screen: Screen): number | null {
  for (let row = 0; row < size.rows; row += 1) if (/^│?▌/.test(screen.row(row))) return row;
  return null;
}
