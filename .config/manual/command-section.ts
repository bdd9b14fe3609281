import type { CommandEntry, OptionEntry } from '../../src/commands/program/command-row.ts';
import { bold, definition, example, filled, italic, prose, request } from './roff.ts';

/** Makes the parts of the manual that the table of commands knows. */

/** How the program is called: the board, and each command with its arguments. */
export function synopsis({ commands, name }: CommandEntry): readonly string[] {
  const lines = commands.flatMap((command) => ['.br', `${bold(name)} ${bold(command.name)} ${usage(command)}`]);
  return [`${bold(name)} [${italic('options')}]`, ...lines];
}

/** A usage such as `[options] <number...>`, with what is to be put in marked as such. */
function usage({ usage: text }: CommandEntry): string {
  return text.replaceAll(/[^\s[\]<>.|]+|[<>]|\.\.\./g, (word) => {
    if (word === '<' || word === '>') return '';
    if (word === '...') return word;
    return word.startsWith('-') ? bold(word) : italic(word);
  });
}

/** Each command with what it does, its arguments and options, and what its help says besides. */
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

/** The options that every command takes, in a place of their own. */
export function commonOptions({ options }: CommandEntry): readonly string[] {
  return options.filter((option) => !isOwn(option)).flatMap(optionLines);
}

/** The options that are taken where no command is given. */
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
