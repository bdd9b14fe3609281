import type { Command } from 'commander';
import { didYouMean } from '../../service/text/nearest-word.ts';

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
