import { type Command, Help, Option } from 'commander';
import type { GlobalOptions } from '../configuration/configuration.ts';

const globalFlags: readonly {
  readonly name: keyof GlobalOptions;
  readonly flags: string;
  readonly description: string;
}[] = [
  { name: 'baseUrl', flags: '--base-url <url>', description: "address of the service's gateway" },
  { name: 'profile', flags: '--profile <name>', description: 'a known deployment of the service: track123' },
  { name: 'config', flags: '--config <file>', description: 'configuration file' },
  { name: 'zone', flags: '--zone <zone>', description: 'your time zone: a name such as Europe/Berlin, utc or local' },
  {
    name: 'store',
    flags: '--store <address>',
    description: 'where the watchlist is: file, or postgres://user@host/database',
  },
  { name: 'color', flags: '--no-color', description: 'no colours' },
  { name: 'ascii', flags: '--ascii', description: 'ASCII signs only' },
];

const globalGroup = 'Options of every command:';

/** How `--help` groups: a command's own options first, since it is they that its help is read for. */
export const ownOptionsFirst: Pick<Help, 'groupItems'> = {
  groupItems(unsorted, visible, groupOf) {
    const groups = [...new Help().groupItems(unsorted, visible, groupOf)];
    return new Map([
      ...groups.filter(([name]) => name !== globalGroup),
      ...groups.filter(([name]) => name === globalGroup),
    ]);
  },
};

/** Adds the options that every command takes, so that they may stand before and after its name. */
export function addGlobalOptions(command: Command, without: readonly (keyof GlobalOptions)[] = []): Command {
  for (const { name, flags, description } of globalFlags) {
    if (without.includes(name)) continue;
    command.addOption(new Option(flags, description).helpGroup(globalGroup));
  }
  return command;
}

/** Adds the option that prints the version, which every command takes, too. */
export function addVersionOption(command: Command, version: string): Command {
  command.version(version, '-V, --version', 'print the version');
  command.options.find(({ long }) => long === '--version')?.helpGroup(globalGroup);
  return command;
}

/** The options that every command takes, as given before and after the command's name; after it outranks before it. */
export function globalOptionsOf(program: Command, command: Command): GlobalOptions {
  const before = program.opts<Partial<GlobalOptions>>();
  const after = command.opts<Partial<GlobalOptions>>();
  const { zone: _zone, ...others } = { ...before, ...after };
  // To `show`, these two say which of the clocks the timeline takes; they name none.
  const isZone = (zone: string): boolean => command.name() !== 'show' || !/^(?:event|local)$/i.test(zone);
  const zone = [after.zone, before.zone].find((given) => given !== undefined && isZone(given));
  return {
    ...others,
    ...(zone === undefined ? {} : { zone }),
    ascii: (before.ascii ?? false) || (after.ascii ?? false),
    color: (before.color ?? true) && (after.color ?? true),
  };
}

/** The option with which board and `watch` take what the service pushes. */
export function webhookOption(): Option {
  return new Option(
    '--webhook <host:port>',
    'also receive what the service pushes; a port alone listens on this machine only',
  );
}
