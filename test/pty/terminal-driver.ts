import { onTestFinished } from 'vitest';
import { type OpenTerminal, openTerminal, type TerminalOptions } from '../support/pseudo-terminal.ts';

/** Runs a program in a pseudo-terminal until the test is finished. */
export function runInTerminal(file: string, args: readonly string[], options: TerminalOptions): OpenTerminal {
  const terminal = openTerminal(file, args, options);
  onTestFinished(() => terminal.close());
  return terminal;
}
