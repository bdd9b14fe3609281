import { UsageError } from '../session/errors.ts';

/** Splits a command line at white space; quotes keep words together. There is no shell, so nothing is expanded. */
export function splitCommand(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
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
