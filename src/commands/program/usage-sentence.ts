import type { Command } from 'commander';
import { didYouMean } from '../../service/text/nearest-word.ts';
import { UsageError } from '../session/errors.ts';

/** Commander's complaint as one sentence of ours, which says what was probably meant, and names the help of the command. */
export function usageSentence(text: string, command: Command): string {
  const complaint = text
    .replace(/^error: /, '')
    .replace(
      /^command-argument value ('[^']*') is invalid for argument '(\w+)'/,
      (_whole, value, kind) => `${value} is not ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`,
    )
    .trim()
    .replaceAll('\n', ' ');
  const stop = /[.?]$/.test(complaint) ? '' : '.';
  const sentence = complaint + stop + meantBy(complaint, command);
  const name = [command.parent?.name(), command.name()].filter((part) => part !== undefined).join(' ');
  return `parcel-monitor: ${sentence[0]?.toUpperCase() ?? ''}${sentence.slice(1)} See "${name} --help".\n`;
}

/** Of options Commander suggests what is hardly alike, and of choices nothing. */
function meantBy(complaint: string, command: Command): string {
  const [, option] = /^unknown option '(--[^'=]+)/.exec(complaint) ?? [];
  if (option !== undefined) return didYouMean(option, optionsOf(command));
  const [, typed, choices] =
    /'([^']*)' is (?:invalid|not an? \w+)\. Allowed choices are (.+)\.$/s.exec(complaint) ?? [];
  if (/^too many arguments for '(?:show|edit)'/.test(complaint)) return ' A label with spaces stands in quotes.';
  return typed === undefined || choices === undefined ? '' : didYouMean(typed, choices.split(', '));
}

const optionsOf = (command: Command): readonly string[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);

/** Commander takes a command that it does not know for a surplus argument of the board, and behind "help" for none. */
export function refuseUnknown(program: Command, name: string | undefined): void {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (name === undefined || names.includes(name)) return;
  const meant = meantByWord(name);
  const question = meant === null ? didYouMean(name, names) : ` Did you mean "parcel-monitor ${meant}"?`;
  throw new UsageError(`Unknown command '${name}'.${question} See "parcel-monitor --help".`);
}

/** Words that other programs have for what is called otherwise here. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ['delete', 'remove'],
  ['rm', 'remove'],
  ['ls', 'list'],
  ['track', 'show'],
  ['version', '--version'],
]);

/** What somebody means who types such a word, or a number, where a command is expected; null when that is not known. */
function meantByWord(word: string): string | null {
  const isNumber = /^(?=(?:.*\d){5})[A-Za-z0-9-]{6,50}$/.test(word);
  return isNumber ? `add ${word}` : (otherWords.get(word) ?? null);
}
