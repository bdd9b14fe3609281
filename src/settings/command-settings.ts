import { resolve, sep } from 'node:path';
import type { CommandChoice } from '../notify/channels.ts';
import { UsageError } from './errors.ts';
import { type Doubt, notUsed } from './file-trust.ts';

/** Splits a command line at white space; quotes keep words together. There is no shell, so nothing is expanded. */
export function splitCommand(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** The words of a command as {@link splitCommand} reads them again, to be shown and edited. */
export const commandLineOf = (words: readonly string[]): string => words.map(quoted).join(' ');

function quoted(word: string): string {
  if (word !== '' && !/[\s"']/.test(word)) return word;
  return word
    .split('"')
    .map((part) => `"${part}"`)
    .join(`'"'`);
}

/**
 * Program and arguments of a command, as a text or as its words. Throws a {@link UsageError} where it names no program.
 * @param name what it is called at the beginning of that sentence
 */
export function commandWords(command: string | readonly string[], name: string): readonly [string, ...string[]] {
  const [program, ...words] = typeof command === 'string' ? splitCommand(command) : command;
  if (program === undefined) throw new UsageError(`${name} names no program.`);
  return [program, ...words];
}

/**
 * A command of which a relative path to the program is one from a folder, as with other files that `config.json` names: from the
 * working directory it would be whatever program lies there. A bare name is looked for where `PATH` says.
 */
export function commandFrom(
  folder: string,
  [program, ...words]: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  const isPath = program.includes('/') || program.includes(sep);
  return [isPath ? resolve(folder, program) : program, ...words];
}

/**
 * Who besides the user can write the file could have any program run by naming it: that is refused. Throws as
 * {@link commandWords}.
 * @param folder where `config.json` is
 */
export function chooseCommand(
  setting: string,
  command: string | readonly string[],
  foreignWriter: Doubt | null,
  folder: string,
): CommandChoice {
  const words = commandFrom(folder, commandWords(command, `"${setting}"`));
  return foreignWriter === null
    ? { kind: 'command', command: words }
    : { kind: 'refused', reason: notUsed(setting, 'run', foreignWriter) };
}
