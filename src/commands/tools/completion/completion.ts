import { type ExitCode, exitCode } from '../../../process/exit-code.ts';
import { didYouMean } from '../../../service/text/nearest-word.ts';
import type { CommandEntry } from '../../program/command-table.ts';
import type { CommandContext } from '../../session/context.ts';
import { UsageError } from '../../session/errors.ts';
import { sessionPaths } from '../../session/session.ts';
import { bashReplacement, readBashLine } from './bash-line.ts';
import { completionScript } from './completion-script.ts';
import { type Expectation, expectedWords, type OfferedWord } from './expected-words.ts';
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
  if (shell === 'bash') {
    const [typed = '', replaced = ''] = line;
    const { before, current } = readBashLine(typed);
    const { head, prefix, words } = await lookedUp(
      expectedWords(table, before.slice(1), current.value),
      current.value,
      context,
    );
    const offered = words.map(({ word }) => prefix + word).filter((word) => word.startsWith(current.value));
    return [head, ...offered.flatMap((word) => bashReplacement(current, replaced, word) ?? [])];
  }
  const last = line.at(-1) ?? '';
  // Fish hands over the word as it was typed, with its quotes; what it can become is a word without.
  const current = shell === 'fish' ? readBashLine(last).current.value : last;
  const { head, prefix, words } = await lookedUp(expectedWords(table, line.slice(1, -1), current), current, context);
  // Zsh takes what stands before the value apart by itself.
  const shown = shell === 'fish' ? prefix : '';
  return [head, ...words.map(({ about, word }) => (about === '' ? shown + word : `${shown}${word}\t${about}`))];
}

interface Answer {
  readonly head: 'words' | 'files' | 'programs';
  readonly prefix: string;
  readonly words: readonly OfferedWord[];
}

async function lookedUp({ expected, prefix }: Expectation, current: string, context: CommandContext): Promise<Answer> {
  const typed = current.slice(prefix.length);
  switch (expected.kind) {
    case 'words':
      return { head: 'words', prefix, words: expected.words };
    case 'files':
    case 'programs':
      return { head: expected.kind, prefix, words: [] };
    default:
      return {
        head: 'words',
        prefix,
        words: await knownWords({ kind: expected.kind, typed }, context, sessionPaths(context, {})),
      };
  }
}
