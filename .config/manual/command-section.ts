import type { CommandEntry, OptionEntry } from '../../src/commands/program/command-row.ts';
import { bold, definition, example, filled, italic, prose, request } from './roff.ts';

export function synopsis({ commands, name }: CommandEntry): readonly string[] {
  const lines = commands.flatMap((command) => ['.br', `${bold(name)} ${bold(command.name)} ${usage(command)}`]);
  return [`${bold(name)} [${italic('options')}]`, ...lines];
}

/** Formats a usage such as `[options] <number...>`, with placeholders in italics. */
function usage({ usage: text }: CommandEntry): string {
  return text.replaceAll(/[^\s[\]<>.|]+|[<>]|\.\.\./g, (word) => {
    if (word === '<' || word === '>') return '';
    if (word === '...') return word;
    return word.startsWith('-') ? bold(word) : italic(word);
  });
}

export function commandSection({ commands }: CommandEntry): readonly string[] {
  return commands.flatMap((command) => described(command, ''));
}

function described(command: CommandEntry, above: string): readonly string[] {
  const { commandArguments, commands, description, name, notes, options } = command;
  const whole = `${above}${name}`;
  return [
    request('SS', prose(whole)),
    `${bold(whole)} ${usage(command)}`,
    '.PP',
    ...filled(sentence(description)),
    ...commandArguments.flatMap((one) =>
      definition(italic(one.name), filled(prose(one.description + allowed(one.choices)))),
    ),
    ...options.filter(isOwn).flatMap(optionLines),
    ...(notes === '' ? [] : example(notes)),
    ...commands.filter((below) => below.name !== 'help').flatMap((below) => described(below, `${whole} `)),
  ];
}

const allowed = (choices: readonly string[]): string => (choices.length === 0 ? '' : ` (${choices.join(', ')})`);

export function commonOptions({ options }: CommandEntry): readonly string[] {
  return options.filter((option) => !isOwn(option)).flatMap(optionLines);
}

export function boardOptions({ options }: CommandEntry): readonly string[] {
  return options.filter(isOwn).flatMap(optionLines);
}

const isOwn = ({ group, long }: OptionEntry): boolean => group === null && long !== '--help';

function optionLines({ choices, description, long, short, value }: OptionEntry): readonly string[] {
  const names = [short, long].flatMap((name) => (name === null ? [] : bold(name))).join(', ');
  return definition(
    value === null ? names : `${names} ${italic(value)}`,
    filled(prose(description + allowed(choices))),
  );
}

const sentence = (text: string): string => prose(`${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`);
