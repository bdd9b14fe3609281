import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenTerminal } from '../support/pseudo-terminal.ts';
import { compare, measureAlternately, type Rounds } from './figures.ts';
import { comparedFinding, type Finding, missingFinding } from './findings.ts';
import { board, end, type Program, quietMs, settle, size, start } from './programs.ts';
import { countBytesAfter } from './timing.ts';
import type { Workshop } from './workshop.ts';

const parcels = 1000;

/**
 * Measures how many bytes a key press costs, for a board in a terminal and for one in tmux, where we count the bytes
 * that tmux writes. The selection moves back and forth between two rows.
 */
export async function measureBytes(workshop: Workshop, rounds: Rounds): Promise<readonly Finding[]> {
  const about = { group: 'Bytes', name: `bytes of a key, ${parcels.toLocaleString('en')} parcels`, aim: 2 };
  const program = board(await workshop.user(parcels, 'nothing to do'));
  const tmux = await runInTmux(program, workshop);
  if (tmux === null) return [missingFinding({ ...about, note: 'tmux is not installed' }, 'times')];
  const [own, inTmux] = [start(program), start(tmux)];
  try {
    await Promise.all([own, inTmux].map((run) => settle(run, program.marker)));
    const written = await measureAlternately(rounds, { own: createKeyPresser(own), inTmux: createKeyPresser(inTmux) });
    return [comparedFinding(about, 'drawn by tmux', compare(written.own, written.inTmux), 'bytes')];
  } finally {
    await end(own);
    await inTmux.type('q').exit;
  }
}

/** Returns a function that presses a key and returns how many bytes that cost. */
function createKeyPresser(run: OpenTerminal): () => Promise<number> {
  let counter = 0;
  return async () => {
    counter += 1;
    return await countBytesAfter(run, counter % 2 === 0 ? 'k' : 'j', quietMs);
  };
}

/**
 * Runs a program in tmux, which draws the changes on the outer terminal. The tmux server ends with the program. Returns
 * null if tmux is not installed.
 */
async function runInTmux(program: Program, { environment, folder }: Workshop): Promise<Program | null> {
  try {
    await promisify(execFile)('tmux', ['-V']);
  } catch {
    return null;
  }
  const configuration = join(folder, 'tmux.conf');
  const lines = ['set -g status off', 'set -g default-terminal xterm-256color', 'set -g exit-empty on'];
  await writeFile(configuration, `${lines.join('\n')}\n`);
  const socket = join(folder, 'tmux.socket');
  const session = ['-S', socket, '-f', configuration, 'new-session', '-x', `${size.columns}`, '-y', `${size.rows}`];
  return {
    ...program,
    command: 'tmux',
    arguments: [...session, program.command, ...program.arguments],
    environment: { ...environment, ...program.environment },
  };
}
