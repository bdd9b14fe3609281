import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completionScript } from '../src/commands/completion/completion-script.ts';
import type { Shell } from '../src/commands/completion/expected-words.ts';

/** Writes the completion scripts, each under the name by which its shell finds it. */

/** Names of the files: those of the folders of completions of bash-completion, zsh (`fpath`) and fish. */
const names: Readonly<Record<Shell, string>> = {
  bash: 'parcel-monitor',
  zsh: '_parcel-monitor',
  fish: 'parcel-monitor.fish',
};

/** Writes them to `completions` in the output directory, in a folder for each shell. */
export async function writeCompletions(outdir: string): Promise<void> {
  for (const [shell, name] of Object.entries(names)) {
    const folder = join(outdir, 'completions', shell);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), completionScript(shell as Shell));
  }
}
