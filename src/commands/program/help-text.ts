import { type Command, Help } from 'commander';
import { didYouMean } from '../../lib/text.ts';
import { UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { settingTable } from '../../settings/table.ts';
import type { CommandRow, Example } from './command-row.ts';

export const globalGroup = 'Global options:';

export const commandOptionsFirst: Pick<Help, 'groupItems'> = {
  groupItems(unsorted, visible, groupOf) {
    const groups = [...new Help().groupItems(unsorted, visible, groupOf)];
    return new Map([
      ...groups.filter(([name]) => name !== globalGroup),
      ...groups.filter(([name]) => name === globalGroup),
    ]);
  },
};

export const moveExamplesFirst = (help: string): string =>
  help.replace(/(^(?:Arguments|Options):\n.*?\n)((?:Getting started|Examples):\n(?: [^\n]*\n)+)/ms, '$2\n$1');

export const boldHeadings = (help: string): string => help.replace(/^(?:Usage:|[A-Z].*:$)/gm, '\x1b[1m$&\x1b[22m');

/** Width of the column with the command lines, in characters. */
const exampleWidth = 53;

const exampleLines = (examples: readonly Example[]): string =>
  examples.map(([line, about]) => `  ${`parcel-monitor ${line}`.padEnd(exampleWidth)}  ${about}`).join('\n');

export const commandHelpFooter = ({ examples, notes }: CommandRow): string =>
  `${notes === undefined ? '' : `${notes}\n`}\nExamples:\n${exampleLines(examples)}`;

/** Shown when a required argument is missing. */
export const shortHelp = ({ examples, name }: CommandRow): string =>
  `\nExamples ("parcel-monitor ${name} --help" has more):\n${exampleLines(examples.slice(0, 2))}\n`;

const gettingStarted = ['setup', 'add'];

export function programHelpFooter(
  commands: readonly CommandRow[],
  { homepage, reportAt }: Pick<CommandContext, 'homepage' | 'reportAt'>,
): string {
  const firstExample = ({ examples }: CommandRow): readonly Example[] => examples.slice(0, 1);
  const firstCommands = gettingStarted.flatMap((name) => commands.find((command) => command.name === name) ?? []);
  const others = commands.filter((command) => !firstCommands.includes(command));
  return `
Getting started:
  parcel-monitor --demo                                  try it with sample parcels; needs no API key or account
${exampleLines(firstCommands.flatMap(firstExample))}
  parcel-monitor                                         open the board; press ? for its keys, q to quit
  man parcel-monitor                                     read the manual, if it is installed

Examples ("parcel-monitor help COMMAND" has more):
${exampleLines(others.flatMap(firstExample))}
  parcel-monitor --webhook 8787                          open the board and receive pushed updates on this port

Environment (options override variables, which override config.json):
${variableLines()}
  PGPASSWORD, PGPASSFILE        the database password, or a file that contains it
  NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE
                                turn colours off or on, unless --color does
  PAGER                         the pager for long output (default: less); set it to "" to turn paging off
  XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME

Files ("parcel-monitor paths" prints yours):
  ~/.config/parcel-monitor/config.json          settings ("parcel-monitor config" lists them)
  ~/.local/share/parcel-monitor/watchlist.json  parcels; in the same folder: history/ (events), trash/ (removed
                                                parcels, 30 days), backups/, changes.jsonl (changes, 90 days)
  ~/.local/state/parcel-monitor/                pauses, cool-downs and usage
  ~/.cache/parcel-monitor/couriers.json         courier list

Exit codes:
  0    done
  1    failed
  2    incorrect usage: unknown option, invalid value, unusable configuration, no base URL
  3    the service refused the request: API key missing or rejected, no access, quota used up, too many requests
  4    the service cannot be reached or has problems; try again later
  5    some numbers were rejected or not found
  130  interrupted

Problems:
  parcel-monitor doctor           finds problems and tells you how to fix them
  parcel-monitor doctor --report  saves a report with all secrets removed, to attach to a bug report${reportAt === undefined ? '' : `: ${reportAt}`}
${homepage === undefined ? '' : `\nDocumentation: ${homepage}\n`}`;
}

function variableLines(): string {
  const help = new Help();
  help.prepareContext({ helpWidth: 100 });
  const variables = Object.values(settingTable).flatMap(({ about, variable }) =>
    variable === undefined ? [] : [help.formatItem(variable, 28, about.charAt(0).toLowerCase() + about.slice(1), help)],
  );
  return variables.join('\n');
}

const option = /option '(?:-\w, )?(--[\w-]+)[^']*'/;

/** Our wording of Commander's errors. */
const wordings: readonly (readonly [pattern: RegExp, wording: string])[] = [
  [new RegExp(`^${option.source} argument missing$`), '$1 needs a value.'],
  [new RegExp(`^${option.source} argument '(.*)' is invalid\\. (.*)$`, 's'), '$1 cannot be "$2". $3'],
  [new RegExp(`^${option.source} cannot be used with ${option.source}$`), '$1 cannot be used with $2.'],
  [/^command-argument value '(.*)' is invalid for argument '(.+?)'\. (.*)$/s, '"$1" is not a valid $2. $3'],
  [/^unknown option '(.*)'$/s, 'Unknown option $1.'],
  [/^missing required argument '(.*)'$/, 'Which $1?'],
  [/^too many arguments for '(.*?)'\. Expected 0 arguments but got \d+: (.*)\.$/s, '"$1" takes no arguments (got $2).'],
  [
    /^too many arguments for '(.*?)'\. Expected (\d+ arguments?) but got \d+: (.*)\.$/s,
    '"$1" takes $2 (got $3). Quote labels that contain spaces.',
  ],
  [/Allowed choices are (.*)\.$/s, 'Use: $1.'],
];

export function usageSentence(text: string, command: Command): string {
  const message = text.replace(/^error: /, '').trim();
  const sentence = wordings.reduce((worded, [pattern, wording]) => worded.replace(pattern, wording), message);
  const name = [command.parent?.name(), command.name()].filter((part) => part !== undefined).join(' ');
  return `parcel-monitor: ${sentence.replaceAll('\n', ' ')}${suggestionFor(sentence, command)} See "${name} --help".\n`;
}

/** Replaces Commander's suggestions, which include options that are hardly similar and leave out choices. */
function suggestionFor(sentence: string, command: Command): string {
  const [, unknown] = /^Unknown option (--[^=]+?)(?:=.*)?\.$/s.exec(sentence) ?? [];
  const { options } = command;
  if (unknown !== undefined)
    return didYouMean(
      unknown,
      options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []),
    );
  const [, typed, choices] = /"([^"]*)".*\. Use: (.+)\.$/s.exec(sentence) ?? [];
  return typed === undefined || choices === undefined ? '' : didYouMean(typed, choices.split(', '));
}

/**
 * Throws a {@link UsageError} for an unknown command. Commander would treat it as an extra argument for the board, or
 * ignore it after "help".
 */
export function assertKnownCommand(program: Command, name: string | undefined): void {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (name === undefined || names.includes(name)) return;
  const isNumber = /^(?=(?:.*\d){5})[A-Za-z0-9-]{6,50}$/.test(name);
  const command = isNumber ? `add ${name}` : commonGuesses.get(name);
  const question = command === undefined ? didYouMean(name, names) : ` Did you mean "parcel-monitor ${command}"?`;
  throw new UsageError(`Unknown command "${name}".${question} See "parcel-monitor --help".`);
}

/** Maps commands of other programs, which users may type, to ours. */
const commonGuesses: ReadonlyMap<string, string> = new Map([
  ['delete', 'remove'],
  ['rm', 'remove'],
  ['ls', 'list'],
  ['track', 'show'],
  ['version', '--version'],
]);
