import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { modesLeftOn, type OpenTerminal, waitForExit } from '../support/pseudo-terminal.ts';
import type { Home } from './home.ts';
import { runInTerminal } from './terminal-driver.ts';

/** A shell that runs the program in its terminal and compares the terminal before and after. */
export interface ShellSession {
  readonly run: OpenTerminal;
  /** Process id of the program itself, known once it has started. */
  programId(): Promise<number>;
  /** Waits for the program and then the shell to exit. Returns the program's exit code. */
  end(): Promise<number>;
  /** Fails unless the program is gone and the terminal is as it was before. */
  expectTerminalAsBefore(): Promise<void>;
  /** Does the same for a board, which sends more sequences to the terminal. */
  expectRestored(): Promise<void>;
}

/** `$0` is the notes folder, and `$@` the program with its arguments. */
const script = `
# Ctrl+C is for the program; the shell must survive to inspect the terminal.
trap : INT
echo BEFORE
stty -a > "$0/before"
sh -c 'echo $$ > "$0/pid"; exec "$@"' "$0" "$@"
code=$?
stty -a > "$0/after"
echo "AFTER $code"
`;

/** Starts the program under a shell. */
export function startInShell(
  home: Home,
  program: readonly string[],
  options: {
    readonly size?: readonly [columns: number, rows: number];
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): ShellSession {
  const run = runInTerminal('sh', ['-c', script, home.notes, ...program], {
    ...(options.size === undefined ? {} : { size: options.size }),
    environment: { ...home.environment, ...options.environment },
  });
  const readNote = (name: string): Promise<string> => readFile(join(home.notes, name), 'utf8');
  const programId = async (): Promise<number> => Number(await readNote('pid'));
  const expectTerminalAsBefore = async (): Promise<void> => {
    await waitForExit(await programId());
    expect(run.isOnAlternateScreen()).toBe(false);
    expect(run.normalScreen()).toMatch(/^BEFORE\n[\s\S]*AFTER \d+$/);
    expect(await readNote('after')).toBe(await readNote('before'));
    expect(modesLeftOn(run.outputSince(0))).toEqual([]);
  };
  return {
    run,
    programId,
    expectTerminalAsBefore,
    async end() {
      const { code } = await run.exit;
      expect(code).toBe(0);
      return Number(/AFTER (\d+)$/m.exec(run.normalScreen())?.[1]);
    },
    async expectRestored() {
      await expectTerminalAsBefore();
      expect(run.outputSince(0)).toContain('\u001b[?2004l');
      const [, ...saved] = run.outputSince(0).split('\u001b[22;0t');
      const [, ...restored] = run.outputSince(0).split('\u001b[23;0t');
      expect(restored).toHaveLength(saved.length);
      // The title is not set again after it has been restored.
      expect(restored.at(-1) ?? '').not.toContain('\u001b]0;');
      expect(run.outputSince(0)).toContain('\u001b[?1004l');
    },
  };
}
