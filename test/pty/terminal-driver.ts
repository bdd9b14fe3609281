import { onTestFinished } from 'vitest';
import { openTerminal, type TerminalOptions, type TerminalRun } from '../support/pseudo-terminal.ts';

/** Runs a program in a pseudo-terminal until the test is finished. */
export function runInTerminal(file: string, args: readonly string[], options: TerminalOptions): TerminalRun {
  const terminal = openTerminal(file, args, options);
  onTestFinished(() => terminal.close());
  return terminal;
}
