import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { builtCli } from '../support/built-cli.ts';
import { canary, writeHostileFiles } from '../support/hostile-words.ts';
import type { TerminalOptions, TerminalRun } from '../support/pseudo-terminal.ts';
import { createHome } from './home.ts';
import { runInTerminal } from './terminal-driver.ts';

/** How to start each shell without the user's settings, and how to load our completions in it. */
const shells = [
  [
    'bash',
    ['--norc', '--noprofile', '-i'],
    'bind "set show-all-if-ambiguous on"; source <(parcel-monitor completion bash)',
  ],
  ['zsh', ['-f', '-i'], 'source <(parcel-monitor completion zsh)'],
  ['fish', ['--no-config', '-i'], 'parcel-monitor completion fish | source'],
] as const;

const isInstalled = (shell: string): Promise<boolean> =>
  promisify(execFile)(shell, ['-c', 'true']).then(
    () => true,
    () => false,
  );

/** A file whose name would run a command if it were expanded. */
const fileName = `$(touch ${canary}) a.csv`;

/** Prepares hostile user data, a `parcel-monitor` on the PATH, and a working directory with one file. */
async function createWorkspace(): Promise<TerminalOptions & { readonly workingDirectory: string }> {
  const home = await createHome();
  await writeHostileFiles(join(home.path, 'data'), join(home.path, 'cache'));
  const bin = join(home.path, 'bin');
  const workingDirectory = join(home.path, 'here');
  await Promise.all([bin, workingDirectory].map((path) => mkdir(path)));
  await writeFile(join(workingDirectory, fileName), '# no number\n');
  const program = join(bin, 'parcel-monitor');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${builtCli}" "$@"\n`);
  await chmod(program, 0o755);
  const environment = { ...home.environment, PATH: `${bin}:${home.environment['PATH']}`, PS1: '> ' };
  return { environment, workingDirectory };
}

describe.each(shells)('Tab in %s', (shell, options, source) => {
  /** Types text into a new shell and presses Tab. Returns the terminal once it shows the expected text. */
  async function complete(workspace: TerminalOptions, typed: string, shown: string): Promise<TerminalRun> {
    const run = runInTerminal(shell, options, workspace);
    await run.type(`${source}; echo so""urced\r`).waitFor((text) => /^sourced/m.test(text), 'the end of the script');
    await run.type(typed).waitForText(typed.trimEnd());
    await run.press('tab').waitForText(shown);
    return run;
  }

  it('offers only plain words and runs nothing', async ({ skip }) => {
    if (!(await isInstalled(shell))) return skip(`${shell} is not installed`);
    const workspace = await createWorkspace();
    const couriers = await complete(workspace, 'parcel-monitor add LX1 --courier ', 'china-post');
    const numbers = await complete(workspace, 'parcel-monitor show ', '12/34.56_7');
    expect(couriers.text()).toContain('ups');
    expect(numbers.text()).toContain('LX1');
    expect(couriers.text() + numbers.text()).not.toMatch(/-rf|two words/);
    expect(await readdir(workspace.workingDirectory)).toEqual([fileName]);
  });

  it('quotes any label', async ({ skip }) => {
    if (!(await isInstalled(shell))) return skip(`${shell} is not installed`);
    const workspace = await createWorkspace();
    const run = await complete(workspace, "parcel-monitor show '$(tou", 'lamp');
    await run.press('enter').waitForText('LX1');
    expect(await readdir(workspace.workingDirectory)).toEqual([fileName]);
  });

  it('completes the value of an option after "="', async ({ skip }) => {
    if (!(await isInstalled(shell))) return skip(`${shell} is not installed`);
    const run = await complete(await createWorkspace(), 'parcel-monitor add LX1 --courier=ch', '--courier=china-post');
    expect(run.text()).not.toContain('--courier=--courier');
  });

  it.for(['add --scan ', 'export --output='])(
    'completes the file name after %j without an error message',
    async (typed, { skip }) => {
      if (!(await isInstalled(shell))) return skip(`${shell} is not installed`);
      const workspace = await createWorkspace();
      await mkdir(join(workspace.workingDirectory, 'inbox'));
      await writeFile(join(workspace.workingDirectory, 'inbox', 'delta.txt'), '');
      const run = await complete(workspace, `parcel-monitor ${typed}inbox/d`, 'inbox/delta.txt');
      const isExpected = (line: string): boolean => line.includes('parcel-monitor') || /^(?:sourced)?\s*$/.test(line);
      expect(
        run
          .text()
          .split('\n')
          .filter((line) => !isExpected(line)),
      ).toEqual([]);
    },
  );

  it('quotes any file name', async ({ skip }) => {
    if (!(await isInstalled(shell))) return skip(`${shell} is not installed`);
    const workspace = await createWorkspace();
    const run = await complete(workspace, 'parcel-monitor import ', 'a.csv');
    await run.press('enter').waitForText('No tracking number found.');
    expect(await readdir(workspace.workingDirectory)).toEqual([fileName]);
  });
});
