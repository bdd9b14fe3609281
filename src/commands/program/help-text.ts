import { type Command, Help } from 'commander';
import { didYouMean } from '../../lib/text.ts';
import { UsageError } from '../../settings/errors.ts';
import type { CommandRow, Example } from './command-row.ts';

export const globalGroup = 'Options of every command:';

/** A command's own options come first, since its help is read for them. */
export const ownOptionsFirst: Pick<Help, 'groupItems'> = {
  groupItems(unsorted, visible, groupOf) {
    const groups = [...new Help().groupItems(unsorted, visible, groupOf)];
    return new Map([
      ...groups.filter(([name]) => name !== globalGroup),
      ...groups.filter(([name]) => name === globalGroup),
    ]);
  },
};

const meaningAt = 53;

const linesOf = (examples: readonly Example[]): string =>
  examples.map(([line, about]) => `  ${`parcel-monitor ${line}`.padEnd(meaningAt)}  ${about}`).join('\n');

export const helpBelow = ({ examples, notes }: CommandRow): readonly string[] => [
  ...(notes === undefined ? [] : [notes]),
  `\nExamples:\n${linesOf(examples)}`,
];

const neededFirst = ['setup', 'add'];

export function programHelpBelow(commands: readonly CommandRow[]): string {
  const firstExample = ({ examples }: CommandRow): readonly Example[] => examples.slice(0, 1);
  const firstCommands = neededFirst.flatMap((name) => commands.find((command) => command.name === name) ?? []);
  const others = commands.filter((command) => !firstCommands.includes(command));
  return `
Getting started:
  parcel-monitor --demo                                  look around, without key or account
${linesOf(firstCommands.flatMap(firstExample))}
  parcel-monitor                                         the board; ? shows its keys, q leaves it
  man parcel-monitor                                     all of it, where it was installed with its manual

Examples, of which each command's own help has more:
${linesOf(others.flatMap(firstExample))}
  parcel-monitor --webhook 8787                          the board, and what the service pushes to this port

Environment (an option outranks it, it outranks the configuration file):
  PARCEL_MONITOR_API_KEY      API key
  PARCEL_MONITOR_BASE_URL     address of the service's gateway; plain http only to this machine
  PARCEL_MONITOR_API_HEADER   header that carries the key, Service-Api-Secret by default
  PARCEL_MONITOR_PROFILE      a known deployment of the service: track123
  PARCEL_MONITOR_CLOCK        offset or zone of the service's clock, such as +08:00; measured when not set
  PARCEL_MONITOR_LEAST_MINUTES  least time between two automatic queries of one number; 5 when not set, 0 for none
  PARCEL_MONITOR_STORE        where the watchlist is: file, or postgres://user@host/database
  PARCEL_MONITOR_STORE_ACCOUNT  which watchlist of the database; default, or the only one there is, when not set
  PGPASSWORD, PGPASSFILE      the database's password, or the file that holds it
  PARCEL_MONITOR_ZONE         your time zone, such as Europe/Berlin
  NO_COLOR                    no colours when set
  XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME

Files ("parcel-monitor paths" prints yours):
  ~/.config/parcel-monitor/config.json          settings; "parcel-monitor config" lists them, with what holds
  ~/.local/share/parcel-monitor/watchlist.json  the parcels; history/ beside it holds their events, trash/ what was
                                                removed in the last 30 days, backups/ older watchlists,
                                                changes.jsonl what has changed in the last 90 days
  ~/.local/state/parcel-monitor/                what has to survive a restart
  ~/.cache/parcel-monitor/couriers.json         the list of couriers

Exit codes:
  0  done
  1  failed
  2  wrong usage: unknown option, impossible value, configuration that cannot be used, no base URL
  3  the service refused: key missing or refused, no access, quota used up, too many calls
  4  the service cannot be reached, or answers with trouble of its own; try again later
  5  some numbers were rejected or not found
  130  interrupted
`;
}

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

/** Commander suggests options that are hardly similar, and nothing for choices. */
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

/** Commander reads an unknown command as an extra argument of the board, and ignores one after "help". */
export function refuseUnknown(program: Command, name: string | undefined): void {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (name === undefined || names.includes(name)) return;
  const meant = meantByWord(name);
  const question = meant === null ? didYouMean(name, names) : ` Did you mean "parcel-monitor ${meant}"?`;
  throw new UsageError(`Unknown command '${name}'.${question} See "parcel-monitor --help".`);
}

const otherWords: ReadonlyMap<string, string> = new Map([
  ['delete', 'remove'],
  ['rm', 'remove'],
  ['ls', 'list'],
  ['track', 'show'],
  ['version', '--version'],
]);

/** Returns null when the meaning is not known. */
function meantByWord(word: string): string | null {
  const isNumber = /^(?=(?:.*\d){5})[A-Za-z0-9-]{6,50}$/.test(word);
  return isNumber ? `add ${word}` : (otherWords.get(word) ?? null);
}
