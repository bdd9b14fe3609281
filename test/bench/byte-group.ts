import type { BenchOptions } from './bench-options.ts';
import { bytesOfChange } from './changed-cells.ts';
import { compare } from './figures.ts';
import { besideFinding, type Finding, missingFinding } from './finding.ts';
import { measureInTurn } from './in-turn.ts';
import { withinTmux } from './peers.ts';
import { board, quietMs, settle, start } from './programs.ts';
import type { TerminalProgram } from './terminal-program.ts';
import type { Workshop } from './workshop.ts';

const group = 'Bytes';
const parcels = 1000;

/**
 * What a key press costs on the wire: a board in a terminal, and one in tmux, of which the bytes count that tmux writes to
 * draw the same change; and the cells that have changed. The selection goes up and down between the same rows.
 */
export async function measureBytes(workshop: Workshop, { byteRounds }: BenchOptions): Promise<readonly Finding[]> {
  const program = board(await workshop.user(parcels, 'nothing to do'));
  const tmux = await withinTmux(program, workshop);
  const own = start(program);
  const inTmux = tmux === null ? null : start(tmux);
  const about = { group, name: `bytes of a key, ${parcels.toLocaleString('en')} parcels` };
  try {
    await Promise.all([own, inTmux].map((run) => run && settle(run, program.marker)));
    const presses = await measureInTurn(byteRounds, {
      own: presser(own),
      inTmux: presser(inTmux),
    });
    const written = presses.own.flatMap((press) => press?.written ?? []);
    const byTmux = presses.inTmux.flatMap((press) => press?.written ?? []);
    const cells = presses.own.flatMap((press) => press?.cells ?? []);
    return [
      inTmux === null
        ? missingFinding({ ...about, aim: 2, note: 'tmux is not installed' }, 'times')
        : besideFinding({ ...about, aim: 2 }, 'drawn by tmux', compare(written, byTmux), 'bytes'),
      besideFinding(about, 'changed cells alone', compare(written, cells), 'bytes'),
    ];
  } finally {
    await own.end();
    if (inTmux !== null) {
      inTmux.press('q');
      await inTmux.waitForEnd();
    }
  }
}

/** What a key press cost, in bytes. */
interface Bytes {
  readonly written: number;
  /** The least that the cells cost that it has changed. */
  readonly cells: number;
}

/** Null where there is nothing to press a key in. */
function presser(run: TerminalProgram | null): () => Promise<Bytes | null> {
  let counter = 0;
  return async () => {
    if (run === null) return null;
    const { position } = run;
    const before = (await run.draw()).everyCell;
    run.press(counter % 2 === 0 ? 'j' : 'k');
    counter += 1;
    await run.waitForMore();
    await run.waitUntilQuiet(quietMs);
    const after = (await run.draw()).everyCell;
    return { written: run.bytesSince(position), cells: bytesOfChange(before, after) };
  };
}
