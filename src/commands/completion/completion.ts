import { didYouMean } from '../../lib/text.ts';
import type { GlobalOptions } from '../../settings/configuration.ts';
import { UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { sessionPaths } from '../../settings/session/session.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import type { CommandEntry } from '../program/command-row.ts';
import { completionScript } from './completion-script.ts';
import { expectedWords, type Shell, shells } from './expected-words.ts';
import { knownWords } from './known-words.ts';

interface LineWord {
  readonly raw: string;
  readonly value: string;
  readonly open: '"' | "'" | null;
}

export interface TypedLine {
  readonly before: readonly string[];
  readonly current: LineWord;
}

const emptyWord: LineWord = { raw: '', value: '', open: null };

const pieces =
  /\\(?<escaped>.?)|"(?<double>(?:\\.?|[^"\\])*)(?<doubleEnd>")?|'(?<single>[^']*)(?<singleEnd>')?|(?<commandEnd>[;|&()`\n])|(?<redirection>[<>])|(?<blanks>[^\S\n]+)|[^\\"';|&()`<>\s]+/gs;

/** Follows bash, and expands nothing. Only the last of several commands (`a; b | c`) counts. */
export function readBashLine(line: string): TypedLine {
  let words: LineWord[] = [];
  let word: LineWord | null = null;
  for (const { 0: raw, groups = {} } of line.matchAll(pieces)) {
    const { blanks, commandEnd, double, doubleEnd, escaped, redirection, single, singleEnd } = groups;
    if ((blanks ?? commandEnd ?? redirection) === undefined) {
      // Between double quotes, a backslash before an ordinary character stays.
      const value = escaped ?? double?.replace(/\\(["\\$`\n])/g, '$1') ?? single ?? raw;
      const quote = double === undefined ? (single === undefined ? null : "'") : '"';
      const before: LineWord = word ?? emptyWord;
      const open = (doubleEnd ?? singleEnd) === undefined ? quote : null;
      word = { raw: before.raw + raw, value: before.value + value, open };
      continue;
    }
    if (word !== null) words.push(word);
    word = null;
    if (redirection !== undefined) words.push({ raw, value: raw, open: null });
    if (commandEnd !== undefined) words = [];
  }
  return { before: commandWords(words), current: word ?? emptyWord };
}

function commandWords(words: readonly LineWord[]): readonly string[] {
  const isRedirection = (index: number): boolean => /^[<>]$/.test(words[index]?.raw ?? '');
  const kept = words.filter((_word, index) => !isRedirection(index) && !isRedirection(index - 1));
  const first = kept.findIndex(({ raw }) => !/^[A-Za-z_]\w*=/.test(raw));
  return first === -1 ? [] : kept.slice(first).map(({ value }) => value);
}

/** Returns null where the word is impossible inside the open quotes. Nothing in the result is expanded. */
export function bashReplacement({ open, raw }: LineWord, replaced: string, offered: string): string | null {
  const head = raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : '';
  // bash replaces only the last part of the word.
  const kept = readBashLine(head).current.value;
  if (!offered.startsWith(kept)) return null;
  const rest = offered.slice(kept.length);
  if (open === "'") return rest.includes("'") ? null : rest;
  if (open === '"') return /["\\$`!]/.test(rest) ? null : rest;
  return rest.replace(/[\0-\x7f]/g, (character) => (/[\w.,/@%+=:-]/.test(character) ? character : `\\${character}`));
}

export interface CompletionOptions {
  /** Used by the completion scripts only. */
  readonly complete?: boolean;
  /** Used by the build of the manual only. */
  readonly table?: boolean;
}

/** Throws a `UsageError` for an unknown shell. */
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
  // zsh splits off the text before the value by itself.
  const shown = shell === 'fish' ? prefix : '';
  return ['words', ...words.map(({ about, word }) => (about === '' ? shown + word : `${shown}${word}\t${about}`))];
}

/** bash passes the line; the other shells pass words. */
function typedIn(shell: Shell, line: readonly string[]): TypedLine {
  const [before, last] = [line.slice(0, -1), line.at(-1) ?? ''];
  switch (shell) {
    case 'bash':
      return readBashLine(line[0] ?? '');
    case 'fish':
      // fish passes the word with its quotes, but takes words without.
      return { before, current: readBashLine(last).current };
    case 'zsh':
      return { before, current: { raw: last, value: last, open: null } };
  }
}
