import { Command, CommanderError, Option } from 'commander';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { printableText } from '../../service/text/clean-text.ts';
import { didYouMean } from '../../service/text/nearest-word.ts';
import type { CommandContext } from '../session/context.ts';
import { UsageError } from '../session/errors.ts';
import type { FrequentCommands } from './frequent-commands.ts';
import { addGlobalOptions, addVersionOption, ownOptionsFirst, webhookOption } from './global-options.ts';
import { helpAfter } from './help-text.ts';
import { registerReadCommands } from './read-commands.ts';
import { createRegistry } from './registry.ts';
import { registerToolCommands } from './tool-commands.ts';
import { usageSentence } from './usage-sentence.ts';
import { registerWriteCommands } from './write-commands.ts';

/**
 * Reads any line, runs the command that it names, and answers its exit code. What cannot be read is said on standard
 * error; rejects as the command, and with a `UsageError` for a command that does not exist.
 */
export async function runLine(
  context: CommandContext,
  argv: readonly string[],
  frequent: FrequentCommands,
): Promise<ExitCode> {
  const program = createRoot(context);
  let ended: ExitCode = exitCode.done;
  const registry = createRegistry(context, program, frequent, (code) => {
    ended = code;
  });
  registerWriteCommands(registry);
  registerReadCommands(registry);
  registerToolCommands(registry);
  refuseBoardOptions(program);
  program.action(
    registry.bare(async () =>
      program.opts<{ demo?: boolean }>().demo === true ? (await import('../board/demo.ts')).runDemo : frequent.board,
    ),
  );
  try {
    const [named, helped] = program.parseOptions([...argv]).operands;
    refuseUnknown(program, named === 'help' ? helped : named);
    registry.define(named);
    await program.parseAsync([...argv], { from: 'user' });
    return ended;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Of "help" Commander takes for its end what the process would end with, were it to end by itself.
    return error.exitCode === 0 || error.code === 'commander.help' ? exitCode.done : exitCode.usage;
  }
}

/** Commander takes a command that it does not know for a surplus argument of the board, and behind "help" for none. */
function refuseUnknown(program: Command, name: string | undefined): void {
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

/** An option of the board before a command that does not take it is an error: to ignore it would promise what is not done. */
function refuseBoardOptions(program: Command): void {
  program.hook('preSubcommand', (_program, command) => {
    const { demo, webhook } = program.opts<{ demo?: boolean; webhook?: string }>();
    const name = command.name();
    if (demo === true) program.error(`--demo opens the board; leave out "${name}".`);
    if (webhook !== undefined && name !== 'watch') {
      program.error(`--webhook before a command belongs to the board and to "watch", not to "${name}".`);
    }
  });
}

function createRoot(context: CommandContext): Command {
  const root: Command = new Command('parcel-monitor')
    .description('A live board for parcels from every courier. Without a command it opens the board.')
    .usage('[command] [options]')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp(ownOptionsFirst)
    .addOption(
      new Option('--demo', 'open the board on the embedded sandbox; nothing of yours is read or written').conflicts([
        'baseUrl',
        'profile',
        'config',
        'webhook',
      ]),
    )
    .addOption(webhookOption())
    .addHelpText('after', helpAfter)
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(printableText(text)),
      outputError: (text, write) => write(usageSentence(text, root)),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  return addVersionOption(addGlobalOptions(root), context.version);
}
