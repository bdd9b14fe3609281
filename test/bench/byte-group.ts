import type { BenchOptions } from './bench-options.ts';
import { compare, spreadOf } from './figures.ts';
import { besideFinding, type Finding, missingFinding, plainFinding } from './finding.ts';
import { measureInTurn } from './in-turn.ts';
import { withinTmux } from './peers.ts';
import { board, quietMs, startAndSettle } from './programs.ts';
import type { TerminalProgram } from './terminal-program.ts';
import type { Workshop } from './workshop.ts';

const group = 'Bytes';
const parcels = 1000;

/**
 * What a key press costs on the wire: a board in a terminal, and one in tmux, of which the bytes count that tmux writes to
 * draw the same change. The selection goes up and down between the same rows.
 */
export async function measureBytes(workshop: Workshop, { byteRounds }: BenchOptions): Promise<readonly Finding[]> {
  const program = board(await workshop.user(parcels, 'nothing to do'));
  const own = await startAndSettle(program);
  const tmux = await withinTmux(program, workshop);
  const inTmux = tmux === null ? null : await startAndSettle(tmux);
  const about = { group, name: `bytes of a key, ${parcels.toLocaleString('en')} parcels` };
  try {
    if (inTmux === null) {
      const { own: bytes } = await measureInTurn(byteRounds, { own: presser(own) });
      const note = 'tmux is not installed';
      return [plainFinding(about, 'bytes', spreadOf(bytes)), missingFinding({ ...about, aim: 2, note }, 'times')];
    }
    const bytes = await measureInTurn(byteRounds, { own: presser(own), inTmux: presser(inTmux) });
    return [
      plainFinding(about, 'bytes', spreadOf(bytes.own)),
      besideFinding({ ...about, aim: 2 }, 'drawn by tmux', compare(bytes.own, bytes.inTmux), 'bytes'),
    ];
  } finally {
    await own.end();
    if (inTmux !== null) {
      inTmux.press('q');
      await inTmux.waitForEnd();
    }
  }
}

function presser(run: TerminalProgram): () => Promise<number> {
  let counter = 0;
  return async () => {
    const { position } = run;
    await run.draw();
    run.press(counter % 2 === 0 ? 'j' : 'k');
    counter += 1;
    await run.waitForMore();
    await run.waitUntilQuiet(2 * quietMs);
    return run.bytesSince(position);
  };
}
