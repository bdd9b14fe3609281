import { type ExitCode, exitCode } from '../../../process/exit-code.ts';
import { didYouMean } from '../../../service/text/nearest-word.ts';
import type { GlobalOptions } from '../../configuration/configuration.ts';
import type { CommandEntry } from '../../program/describe-command.ts';
import type { CommandContext } from '../../session/context.ts';
import { UsageError } from '../../session/errors.ts';
import { sessionPaths } from '../../session/session.ts';
import { bashReplacement, readBashLine, type TypedLine } from './bash-line.ts';
import { completionScript } from './completion-script.ts';
import { expectedWords } from './expected-words.ts';
import { knownWords } from './known-words.ts';
import { type Shell, shells } from './value-kinds.ts';

/** Options of `completion`. */
export interface CompletionOptions {
  /** For the scripts: print what completes the line that is given behind the name of the shell. */
  readonly complete?: boolean;
  /** For the manual: print all commands as JSON. */
  readonly table?: boolean;
}

/** Prints the completion script of a shell, or what such a script asks for. Throws a `UsageError` for an unknown shell. */
export async function runCompletion(
  context: CommandContext,
  _globals: GlobalOptions,
  options: CompletionOptions,
  [shell, ...line]: readonly string[],
  table: () => CommandEntry,
): Promise<ExitCode> {
  const { stdout } = context;
  if (options.table === true) {
    stdout.write(`${JSON.stringify(table())}\n`);
    return exitCode.done;
  }
  const known = shells.find((name) => name === shell);
  if (known === undefined)
    throw new UsageError(`Name the shell: ${shells.join(', ')}.${didYouMean(shell ?? '', shells)}`);
  if (options.complete !== true) stdout.write(completionScript(known));
  else stdout.write((await completed(known, line, context, table())).map((text) => `${text}\n`).join(''));
  return exitCode.done;
}

/** What a script reads: who completes, and the words, as its shell takes them. */
async function completed(
  shell: Shell,
  line: readonly string[],
  context: CommandContext,
  table: CommandEntry,
): Promise<readonly string[]> {
  const { before, current } = typedIn(shell, line);
  const { expected, prefix } = expectedWords(table, before.slice(1), current.value);
  if (expected.kind === 'files' || expected.kind === 'programs') return [expected.kind];
  const typed = current.value.slice(prefix.length);
  const words =
    expected.kind === 'words'
      ? expected.words
      : await knownWords({ kind: expected.kind, typed }, context, sessionPaths(context, {}));
  if (shell === 'bash') {
    const offered = words.map(({ word }) => prefix + word).filter((word) => word.startsWith(current.value));
    return ['words', ...offered.flatMap((word) => bashReplacement(current, line[1] ?? '', word) ?? [])];
  }
  // Zsh takes what stands before the value apart by itself.
  const shown = shell === 'fish' ? prefix : '';
  return ['words', ...words.map(({ about, word }) => (about === '' ? shown + word : `${shown}${word}\t${about}`))];
}

/** What was typed, as the scripts hand it over: that of bash the line, the others its words. */
function typedIn(shell: Shell, line: readonly string[]): TypedLine {
  const [before, last] = [line.slice(0, -1), line.at(-1) ?? ''];
  switch (shell) {
    case 'bash':
      return readBashLine(line[0] ?? '');
    case 'fish':
      // With its quotes; what it can become is a word without.
      return { before, current: readBashLine(last).current };
    case 'zsh':
      return { before, current: { raw: last, value: last, open: null } };
  }
}
