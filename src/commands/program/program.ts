import { Command, CommanderError } from 'commander';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { printableText } from '../../service/text/clean-text.ts';
import type { CommandContext } from '../session/context.ts';
import { describeFailure } from '../session/failure.ts';
import { inSession } from '../session/open-session.ts';
import { say } from '../session/session.ts';
import { type CommandRow, command } from './command-row.ts';
import { addGlobalOptions, addOwnOptions, defineCommand, globalOptionsOf, ownOptionsOf } from './define-command.ts';
import { describeCommand } from './describe-command.ts';
import { ownOptionsFirst, programHelpBelow } from './help-text.ts';
import { readCommands, webhook } from './read-commands.ts';
import { toolCommands } from './tool-commands.ts';
import { refuseUnknown, usageSentence } from './usage-sentence.ts';
import { writeCommands } from './write-commands.ts';

/** Options of the program itself. */
interface BoardOptions {
  readonly demo?: boolean;
  readonly webhook?: string;
}

/** What a line without a command is about. */
const board = command<BoardOptions>({
  name: 'parcel-monitor',
  about: 'A live board for parcels from every courier. Without a command it opens the board.',
  usage: '[command] [options]',
  options: {
    demo: [
      '--demo',
      'open the board on the embedded sandbox; nothing of yours is read or written',
      { conflicts: ['baseUrl', 'profile', 'config', 'webhook'] },
    ],
    webhook,
  },
  examples: [],
  action: async (context, globals, options) => {
    if (options.demo === true) {
      const { runDemo } = await import('../board/demo.ts');
      return await runDemo(context, globals);
    }
    const { runBoard } = await import('../board/board.ts');
    return await inSession(context, globals, (session) => runBoard(session, options), 'user');
  },
});

/** The table of all commands, in the order of the help. */
const commands: readonly CommandRow[] = [...writeCommands, ...readCommands, ...toolCommands];

/**
 * Reads the arguments (without the program's name), runs the command that they name, and answers its exit code.
 * Never rejects: what a command throws becomes a sentence on standard error, as does what cannot be read.
 */
export async function runProgram(context: CommandContext, argv: readonly string[]): Promise<ExitCode> {
  try {
    return await runLine(context, argv);
  } catch (error) {
    // Commander has said what is wrong, or printed what was asked for. Of "help" it takes for its end what the process
    // would end with, were it to end by itself.
    if (error instanceof CommanderError)
      return error.exitCode === 0 || error.code === 'commander.help' ? exitCode.done : exitCode.usage;
    const failure = describeFailure(error);
    say(context, failure.message);
    return failure.exitCode;
  }
}

async function runLine(context: CommandContext, argv: readonly string[]): Promise<ExitCode> {
  let ended: ExitCode = exitCode.done;
  const program = createRoot(context);
  const actionOf =
    (row: CommandRow) =>
    async (...received: readonly unknown[]): Promise<void> => {
      // Commander hands over arguments and options first, the command last.
      const named = received.at(-1) as Command;
      const globals = globalOptionsOf(program, named);
      // The row has an option for each that its action takes.
      const options = ownOptionsOf(program, named, row) as never;
      ended = await row.action(context, globals, options, named.args, () => describeCommand(program));
    };
  program.action(actionOf(board));
  const rows = commands.map(
    (row) => [row, program.command(row.name).description(row.about).action(actionOf(row))] as const,
  );
  const { operands, unknown } = program.parseOptions([...argv]);
  const [named, helped] = operands;
  refuseUnknown(program, named === 'help' ? helped : named);
  // A help lists all; the board needs the options of none.
  const isAboutAll = named === undefined ? unknown.length > 0 : named === 'help' || named === 'completion';
  for (const [row, listed] of rows) if (isAboutAll || row.name === named) defineCommand(listed, row, context.version);
  await program.parseAsync([...argv], { from: 'user' });
  return ended;
}

function createRoot({ stderr, stdout, version }: CommandContext): Command {
  const root: Command = new Command(board.name)
    .description(board.about)
    .usage(board.usage ?? '')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp(ownOptionsFirst)
    .addHelpText('after', () => programHelpBelow(commands))
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(printableText(text)),
      outputError: (text, write) => write(usageSentence(text, root)),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .hook('preSubcommand', refuseBoardOptions);
  addOwnOptions(root, board);
  addGlobalOptions(root, board, version);
  return root;
}

/** An option of the board before a command that does not take it is an error: to ignore it would promise what is not done. */
function refuseBoardOptions(program: Command, named: Command): void {
  const options = program.opts<BoardOptions>();
  const name = named.name();
  if (options.demo === true) program.error(`--demo opens the board; leave out "${name}".`);
  if (options.webhook !== undefined && name !== 'watch') {
    program.error(`--webhook before a command belongs to the board and to "watch", not to "${name}".`);
  }
}
