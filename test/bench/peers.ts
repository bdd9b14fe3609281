import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './programs.ts';
import { size } from './programs.ts';
import type { Workshop } from './workshop.ts';

/** A program of others that shows a list in a terminal. */
export interface Peer {
  readonly name: string;
  readonly program: Program;
  /** The key that moves its selection down, and the one that moves it up. */
  readonly down: string;
  readonly up: string;
}

/** Those peers that are installed, and the names of the others. */
export interface Peers {
  readonly installed: readonly Peer[];
  readonly missing: readonly string[];
}

const commits = 1000;

/** Looks for peers: tig on a repository of 1,000 commits, htop on this machine. */
export async function findPeers(workshop: Workshop): Promise<Peers> {
  const { environment, folder } = workshop;
  const [tig, htop] = [await firstLineOf('tig', ['--version']), await firstLineOf('htop', ['--version'])];
  const installed: Peer[] = [];
  if (tig !== null) {
    const repository = join(folder, 'repository');
    await makeRepository(repository, environment);
    const program = {
      command: 'tig',
      arguments: [],
      environment: { ...environment, HOME: folder },
      folder: repository,
    };
    installed.push({ name: versionIn('tig', tig), program: { ...program, marker: '%' }, down: 'j', up: 'k' });
  }
  if (htop !== null) {
    const program = { command: 'htop', arguments: [], environment: { ...environment, HOME: folder } };
    installed.push({
      name: versionIn('htop', htop),
      program: { ...program, marker: 'Quit' },
      down: '\u001bOB',
      up: '\u001bOA',
    });
  }
  return { installed, missing: [...(tig === null ? ['tig'] : []), ...(htop === null ? ['htop'] : [])] };
}

/**
 * A program within tmux, which draws what changes on the outer terminal itself; null where tmux is not installed. Its
 * server ends with it.
 */
export async function withinTmux(program: Program, { environment, folder }: Workshop): Promise<Program | null> {
  if ((await firstLineOf('tmux', ['-V'])) === null) return null;
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

/** What a program says first; null where there is no such program. */
async function firstLineOf(command: string, commandArguments: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(command, commandArguments);
    return stdout.split('\n', 1)[0] ?? '';
  } catch {
    return null;
  }
}

function versionIn(name: string, line: string): string {
  return `${name} ${/\d[\d.]*/.exec(line)?.[0] ?? ''}`.trimEnd();
}

async function makeRepository(path: string, environment: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(path);
  const git = async (gitArguments: readonly string[], input: string): Promise<void> => {
    const child = spawn('git', gitArguments, { cwd: path, env: environment, stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.end(input);
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`git ${gitArguments.join(' ')} ended with ${String(code)}.`);
  };
  await git(['init', '--quiet', '--initial-branch=main'], '');
  const stream = Array.from({ length: commits }, (_, index) => {
    const message = `Parcel ${index + 1}: left the country, Shenzhen, CN`;
    const author = `Bench <bench@example.invalid> ${1_790_000_000 + index * 60} +0000`;
    return `commit refs/heads/main\ncommitter ${author}\ndata ${message.length}\n${message}\n`;
  });
  await git(['fast-import', '--quiet'], stream.join(''));
}
