import { Argument, Command, CommanderError, Option } from 'commander';
import { printableText } from '../../lib/clean-text.ts';
import { type ColourChoice, colourChoices, type GlobalOptions } from '../../settings/configuration.ts';
import { describeFailure, MissingArgumentError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { inSession } from '../../settings/session/open-session.ts';
import { callText, colourCause, printError } from '../../settings/session/output.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import { type CommandRow, command, type OptionRow } from './command-row.ts';
import {
  assertKnownCommand,
  boldHeadings,
  commandHelpFooter,
  commandOptionsFirst,
  globalGroup,
  moveExamplesFirst,
  programHelpFooter,
  shortHelp,
  usageSentence,
} from './help-text.ts';
import { readCommands, webhook } from './read-commands.ts';
import { withPager, withProgressLine, writePaged } from './terminal-output.ts';
import { toolCommands } from './tool-commands.ts';
import { writeCommands } from './write-commands.ts';

const globalOptions: Readonly<Record<keyof GlobalOptions | 'noColor', OptionRow>> = {
  baseUrl: ['--base-url <url>', "the service's address"],
  profile: ['--profile <name>', 'preset for a known service; currently track123'],
  config: ['--config <file>', 'path to config.json'],
  zone: ['--zone <zone>', 'your time zone: utc, local, or a name such as Europe/Berlin'],
  store: ['--store <address>', 'where the watchlist is: file, or postgres://user@host/database'],
  color: ['--color <when>', 'auto (default), always or never', { choices: colourChoices }],
  noColor: ['--no-color', 'turn colours off; the same as --color never'],
  ascii: ['--ascii', 'use ASCII only'],
  quiet: ['-q, --quiet', 'print only results and errors'],
  verbose: ['--verbose', 'print each call to the service, with its trace ID'],
  pager: ['--no-pager', 'do not use a pager for long output'],
  input: ['--no-input', 'ask no questions, and print the list instead of opening the board'],
};

function defineCommand(command: Command, row: CommandRow, version: string): Command {
  command.configureOutput({
    outputError: (text, write) =>
      write(usageSentence(text, command) + (text.includes('missing required argument') ? shortHelp(row) : '')),
  });
  command.description(row.about);
  if (row.usage !== undefined) command.usage(row.usage);
  addGlobalOptions(command, row, version);
  addOwnOptions(command, row);
  command.passThroughOptions(row.passesOptions ?? false);
  return command.addHelpText('after', () => commandHelpFooter(row));
}

function addGlobalOptions(command: Command, { options }: CommandRow, version: string): void {
  for (const [name, row] of Object.entries(globalOptions))
    if (!Object.hasOwn(options, name)) command.addOption(createOption(row).helpGroup(globalGroup));
  command.version(version, '-V, --version', 'print the version');
  command.options.find(({ long }) => long === '--version')?.helpGroup(globalGroup);
}

function addOwnOptions(command: Command, row: CommandRow): void {
  for (const [name, about, choices] of row.arguments ?? []) {
    const argument = new Argument(name, about);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const option of Object.values(row.options)) command.addOption(createOption(option));
}

function createOption([flags, about, more = {}]: OptionRow): Option {
  const { choices, conflicts = [], isHidden = false, isRepeatable = false, read, defaultValue } = more;
  const option = new Option(flags, about).conflicts([...conflicts]).hideHelp(isHidden);
  if (choices !== undefined) option.choices(choices);
  if (isRepeatable) option.argParser<readonly string[]>((value, before) => [...(before ?? []), value]);
  if (read !== undefined) option.argParser(read);
  return defaultValue === undefined ? option : option.default(defaultValue);
}

type ParsedOptions = Partial<Omit<GlobalOptions, 'color'> & { readonly color: ColourChoice | false }>;

/** An option after the command's name overrides one before it. */
function readGlobalOptions(program: Command, command: Command): GlobalOptions {
  const before = program.opts<ParsedOptions>();
  const after = command.opts<ParsedOptions>();
  const { color = 'auto', zone: _zone, ...others } = { ...before, ...after };
  // For `show`, these two words choose how times are displayed; they do not set the user's zone.
  const isZone = (zone: string): boolean => command.name() !== 'show' || !/^(?:event|local)$/i.test(zone);
  const zone = [after.zone, before.zone].find((value) => value !== undefined && isZone(value));
  return {
    ascii: false,
    ...others,
    ...(zone === undefined ? {} : { zone }),
    // Commander's values are true without --no-input and --no-pager, and false with --no-color.
    input: before.input !== false && after.input !== false,
    pager: before.pager !== false && after.pager !== false,
    color: color === false ? 'never' : color,
  };
}

function readOwnOptions(
  program: Command,
  command: Command,
  { options }: CommandRow,
): Readonly<Record<string, unknown>> {
  const values = { ...program.opts(), ...command.opts() };
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(options, name)));
}

interface BoardOptions {
  readonly demo?: boolean;
  readonly webhook?: string;
}

const board = command<BoardOptions>({
  name: 'parcel-monitor',
  about: 'A live board for parcels from every courier. Without a command, it opens the board.',
  usage: '[command] [options]',
  options: {
    demo: [
      '--demo',
      'try it with sample parcels; your own data is neither read nor changed',
      { conflicts: ['baseUrl', 'profile', 'config', 'webhook'] },
    ],
    webhook,
  },
  examples: [],
  load: async () => async (context, globals, options) => {
    if (options.demo === true) {
      const { runDemo } = await import('../sandbox.ts');
      return await runDemo(context, globals);
    }
    const { runBoard } = await import('../board/board.ts');
    return await inSession(context, globals, (session) => runBoard(session, options), 'user');
  },
});

const commands: readonly CommandRow[] = [...writeCommands, ...readCommands, ...toolCommands];

/** Never throws. Errors are printed on standard error, as a sentence. */
export async function runProgram(context: CommandContext, argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCode.done;
  const help: string[] = [];
  try {
    const program = createProgram(
      context,
      (text) => help.push(text),
      async (row, parsedCommand) => {
        code = await runRow(context, program, row, parsedCommand);
      },
    );
    try {
      const [name, helpTopic] = program.parseOptions([...argv]).operands;
      assertKnownCommand(program, name === 'help' ? helpTopic : name);
      await program.parseAsync([...argv], { from: 'user' });
    } finally {
      if (help.length > 0) await writeHelp(context, program, help.join(''));
    }
    return code;
  } catch (error) {
    // Commander has already printed the error or the help. For "help", it reports `process.exitCode`.
    if (error instanceof CommanderError)
      return error.exitCode === 0 || error.code === 'commander.help' ? exitCode.done : exitCode.usage;
    const failure = describeFailure(error, context);
    printError(context, failure.message);
    return failure.exitCode;
  }
}

async function runRow(
  context: CommandContext,
  program: Command,
  row: CommandRow,
  parsedCommand: Command,
): Promise<ExitCode> {
  const globals = readGlobalOptions(program, parsedCommand);
  const options = readOwnOptions(program, parsedCommand, row) as never;
  const run = async (target: CommandContext) => await row.action(target, globals, options, parsedCommand.args, program);
  const rowContext = createRowContext(context, row, globals);
  try {
    return row.isPaged === true && globals.pager !== false ? await withPager(rowContext, run) : await run(rowContext);
  } catch (error) {
    if (!(error instanceof MissingArgumentError)) throw error;
    printError(context, error.message);
    context.stderr.write(shortHelp(row));
    return exitCode.usage;
  }
}

async function writeHelp(context: CommandContext, program: Command, text: string): Promise<void> {
  const optionSets = [program, ...program.commands].map((target) => target.opts<ParsedOptions>());
  const color = optionSets.find((options) => options.color !== undefined)?.color ?? 'auto';
  const { useColour } = colourCause(context, color === false ? 'never' : color);
  const ordered = moveExamplesFirst(text);
  const styledHelp = useColour ? boldHeadings(ordered) : ordered;
  if (optionSets.some(({ pager }) => pager === false)) context.stdout.write(styledHelp);
  else await writePaged(context, styledHelp);
}

function createRowContext(
  base: CommandContext,
  row: CommandRow,
  { input, quiet, verbose }: GlobalOptions,
): CommandContext {
  const context = {
    ...base,
    ...(row === board ? {} : { command: row.name }),
    isQuiet: quiet === true,
    isNonInteractive: input === false,
    stdinIsTerminal: base.stdinIsTerminal && input !== false,
  };
  const outputs = { ...context, ...withProgressLine(context) };
  return verbose === true ? { ...outputs, onCall: (call) => printError(outputs, callText(call)) } : outputs;
}

type ProgramContext = Pick<CommandContext, 'homepage' | 'reportAt' | 'stderr' | 'stdout' | 'version'>;

/** @param run runs the command that was parsed */
export function createProgram(
  { homepage, reportAt, stderr, stdout, version }: ProgramContext,
  writeHelpText: (text: string) => void,
  run: (row: CommandRow, parsedCommand: Command) => Promise<void>,
): Command {
  // Commander passes the arguments and the options first, and the command last.
  const createAction =
    (row: CommandRow) =>
    (...received: readonly unknown[]) =>
      run(row, received.at(-1) as Command);
  const program: Command = new Command(board.name)
    .description(board.about)
    .usage(board.usage ?? '')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help for a command')
    .configureHelp(commandOptionsFirst)
    .addHelpText('after', () => programHelpFooter(commands, { homepage, reportAt }))
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: writeHelpText,
      writeErr: (text) => stderr.write(printableText(text)),
      outputError: (text, write) => write(usageSentence(text, program)),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .hook('preSubcommand', refuseBoardOptions)
    .action(createAction(board));
  addOwnOptions(program, board);
  addGlobalOptions(program, board, version);
  for (const row of commands) defineCommand(program.command(row.name), row, version).action(createAction(row));
  return program;
}

/** Reports a usage error for a board option before a command that would ignore it. */
function refuseBoardOptions(program: Command, subcommand: Command): void {
  const options = program.opts<BoardOptions>();
  const name = subcommand.name();
  if (options.demo === true) program.error(`--demo opens the board. Leave out "${name}".`);
  if (options.webhook !== undefined && name !== 'watch') {
    program.error(`--webhook is an option of the board and of "watch", not of "${name}".`);
  }
}
