/** Writes what every `--help` prints where there is no terminal, so that the program need not make it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runLine } from '../src/commands/program/command-line.ts';
import type { CommandEntry } from '../src/commands/program/command-table.ts';
import { frequentCommands } from '../src/commands/program/frequent-commands.ts';
import type { HelpTexts } from '../src/commands/program/help-copy.ts';
import type { CommandContext } from '../src/commands/session/context.ts';

/** What a line that needs nothing of the world prints. */
async function printed(argv: readonly string[]): Promise<string> {
  const pieces: string[] = [];
  const output = { write: (text: string) => void pieces.push(text), isTerminal: false, columns: null, rows: null };
  await runLine({ stdout: output, stderr: output, version: '' } as unknown as CommandContext, argv, frequentCommands);
  return pieces.join('');
}

/** The help of the program and of every command. */
export async function helpTexts(): Promise<HelpTexts> {
  const { commands } = JSON.parse(await printed(['completion', '--table'])) as CommandEntry;
  const names = commands.map(({ name }) => name).filter((name) => name !== 'help');
  const texts = await Promise.all(names.map((name) => printed([name, '--help'])));
  return Object.fromEntries([
    ['', await printed(['--help'])],
    ...names.map((name, index) => [name, texts[index] ?? '']),
  ]);
}

/** Writes them to `help.json` in the output directory. */
export async function writeHelpTexts(outdir: string): Promise<void> {
  await writeFile(join(outdir, 'help.json'), JSON.stringify(await helpTexts()));
}
