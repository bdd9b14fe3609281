import type { Argument, Command, Option } from 'commander';
import { globalGroup } from '../../src/commands/program/help-text.ts';
import { createProgram } from '../../src/commands/program/program.ts';
import { bold, definition, example, filled, italic, prose, request } from './roff.ts';

/** The program with its commands, which it does not run. */
export function programToDescribe(): Command {
  const silent = { columns: null, isTerminal: false, rows: null, write: () => undefined };
  const context = { stdout: silent, stderr: silent, version: '' };
  return createProgram(
    context,
    () => undefined,
    async () => undefined,
  );
}

/** A command's options with a long name that its help shows. */
export const optionsOf = (command: Command): readonly (Option & { readonly long: string })[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter((option): option is Option & { readonly long: string } => option.long !== undefined);

export const commandsOf = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command);

export function synopsis(program: Command): readonly string[] {
  const lines = commandsOf(program).flatMap((command) => [
    '.br',
    `${bold(program.name())} ${bold(command.name())} ${usage(command)}`,
  ]);
  return [`${bold(program.name())} [${italic('options')}]`, ...lines];
}

/** Formats a usage such as `[options] <number...>`, with placeholders in italics. */
function usage(command: Command): string {
  return command.usage().replaceAll(/[^\s[\]<>.|]+|[<>]|\.\.\./g, (word) => {
    if (word === '<' || word === '>') return '';
    if (word === '...') return word;
    return word.startsWith('-') ? bold(word) : italic(word);
  });
}

export function commandSection(program: Command): readonly string[] {
  return commandsOf(program).flatMap(described);
}

function described(command: Command): readonly string[] {
  const notes = notesOf(command);
  return [
    request('SS', prose(command.name())),
    `${bold(command.name())} ${usage(command)}`,
    '.PP',
    ...filled(sentence(command.description())),
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .flatMap((one) => definition(italic(one.name()), filled(prose(one.description + allowed(one))))),
    ...optionsOf(command).filter(isOwn).flatMap(optionLines),
    ...(notes === '' ? [] : example(notes)),
  ];
}

/** The end of a help: formats and examples. */
export function notesOf(command: Command): string {
  const pieces: string[] = [];
  const output = command.configureOutput();
  command.configureOutput({ ...output, writeOut: (text) => pieces.push(text) });
  command.outputHelp();
  command.configureOutput(output);
  return pieces.join('').slice(command.helpInformation().length).trim();
}

const allowed = ({ argChoices = [] }: Argument | Option): string =>
  argChoices.length === 0 ? '' : ` (${argChoices.join(', ')})`;

export function commonOptions(program: Command): readonly string[] {
  return optionsOf(program)
    .filter((option) => !isOwn(option))
    .flatMap(optionLines);
}

export function boardOptions(program: Command): readonly string[] {
  return optionsOf(program).filter(isOwn).flatMap(optionLines);
}

const isOwn = ({ helpGroupHeading, long }: Option): boolean => helpGroupHeading !== globalGroup && long !== '--help';

function optionLines(option: Option): readonly string[] {
  const { description, flags, long, short } = option;
  const names = [short, long].flatMap((name) => (name === undefined ? [] : bold(name))).join(', ');
  const value = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
  return definition(
    value === undefined ? names : `${names} ${italic(value)}`,
    filled(prose(description + allowed(option))),
  );
}

const sentence = (text: string): string => prose(`${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`);
