import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { placeholders } from '../board/status-line.ts';
import { stages } from '../service/status.ts';
import type { GlobalOptions } from './configuration.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { describeFailure } from './failure.ts';
import { helpAfter } from './help-text.ts';
import { openSession, type Session, say } from './session.ts';
import type { ShowOptions } from './show.ts';

/**
 * Reads the arguments (without the program's name), runs the command that they name, and answers its exit code.
 * Never rejects: what a command throws becomes a sentence on standard error.
 */
export async function runProgram(context: CommandContext, argv: readonly string[]): Promise<ExitCode> {
  const { program, addBoard, exit } = createProgram(context);
  try {
    // With a default action, Commander would take an unknown command for a surplus argument and suggest nothing.
    if (program.parseOptions([...argv]).operands.length === 0) addBoard();
    await program.parseAsync([...argv], { from: 'user' });
    return exit();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
    const failure = describeFailure(error);
    say(context, failure.message);
    return failure.exitCode;
  }
}

interface ProgramParts {
  readonly program: Command;
  /** Makes the board what runs when no command is named. */
  readonly addBoard: () => void;
  /** How the command that ran ended. */
  readonly exit: () => ExitCode;
}

function createProgram(context: CommandContext): ProgramParts {
  const program = createRoot(context);
  let ended: ExitCode = exitCode.done;
  const end = (code: ExitCode): void => {
    ended = code;
  };

  /** Opens the session for a command and keeps how it ended. */
  const run =
    (action: (session: Session, command: Command) => Promise<ExitCode>) =>
    async (...received: readonly unknown[]): Promise<void> => {
      const command = received.at(-1) as Command;
      end(await action(await openSession(context, globalOptionsOf(program, command)), command));
    };
  const subcommand = (usage: string, description: string): Command => {
    const command = program.command(usage).description(description);
    return addGlobalOptions(command);
  };

  subcommand('add', 'watch numbers; "-" reads them from standard input, one a line')
    .argument('<number...>', 'tracking number, or NUMBER@COURIER')
    .option('--courier <code>', 'courier code, see "parcel-monitor couriers"; detected when left out')
    .option('--label <text>', 'your own name for the parcel')
    .option('--postal-code <text>', "recipient's postal code, which some couriers ask for")
    .option('--phone-suffix <digits>', 'last four digits of the phone number, which some couriers ask for')
    .option('--order-no <text>', "sent along: the merchant's order number")
    .option('--country <code>', 'sent along: destination, two letters')
    .option('--ship-time <time>', 'sent along: "2026-11-20 14:30" on your clock, or with an offset such as +08:00')
    .option('--email <address>', "sent along: the customer's e-mail address")
    .option('--remark <text>', 'sent along')
    .option('--custom1 <text>', 'sent along')
    .option('--custom2 <text>', 'sent along')
    .option('-y, --yes', 'do not ask whether more than 100 registrations are meant')
    .action(
      run(async (session, command) => {
        const { runAdd } = await import('./add.ts');
        return runAdd(session, command.args, command.opts());
      }),
    );

  subcommand('import', 'watch the parcels of a file: CSV, TSV, JSON or plain lines; "-" reads standard input')
    .argument('<file>', 'columns or keys: number, courier, label, postal code, phone suffix, order no, …')
    .option('--dry-run', 'tell what would be added, and change nothing')
    .option('-y, --yes', 'do not ask whether more than 100 registrations are meant')
    .action(
      run(async (session, command) => {
        const { runImport } = await import('./import.ts');
        return runImport(session, command.args[0] ?? '', command.opts());
      }),
    );

  subcommand('list', 'print the watchlist, most urgent first')
    .option('--json', 'as JSON, version 1')
    .option('--all', 'archived parcels, too')
    .option('--stage <stage>', `one of: ${stages.join(', ')}`)
    .option('--filter <text>', 'only parcels in which every word occurs')
    .action(
      run(async (session, command) => {
        const { runList } = await import('./list.ts');
        return runList(session, command.opts());
      }),
    );

  addGlobalOptions(program.command('show').description('print one parcel with its timeline'), ['zone'])
    .argument('<number>', 'tracking number, or NUMBER@COURIER')
    .option('--json', 'as JSON')
    .option(
      '--zone <zone>',
      'times of the timeline: event (as the courier wrote them), utc, local, or a name such as Europe/Berlin',
    )
    .option('--courier <code>', 'which one, when the number is watched under several couriers')
    .option('--instant', 'ask the courier now, for one tracking quota; any number, nothing is stored')
    .option('--postal-code <text>', "with --instant: recipient's postal code")
    .option('--phone-suffix <digits>', 'with --instant: last four digits of the phone number')
    .action(
      run(async (session, command) => {
        const { runShow } = await import('./show.ts');
        const options = command.opts<Partial<ShowOptions>>();
        const zone = options.zone ?? program.opts<Partial<GlobalOptions>>().zone ?? 'event';
        return runShow(session, command.args[0] ?? '', { ...options, zone });
      }),
    );

  subcommand('refresh', 'ask the service now; without a number, about all that are due or have no record yet')
    .argument('[number...]', 'tracking number, or NUMBER@COURIER')
    .option('--force', 'let the service ask the couriers anew first; once in six hours for a number')
    .option('--beyond-budget', 'ask although the budget of the configuration is used up')
    .action(
      run(async (session, command) => {
        const { runRefresh } = await import('./refresh.ts');
        return runRefresh(session, command.args, command.opts());
      }),
    );

  subcommand('edit', 'change what is kept about a parcel; an empty text clears a field')
    .argument('<number>', 'tracking number, or NUMBER@COURIER')
    .option('--label <text>', 'your own name for the parcel')
    .option('--courier <code>', 'the right courier; the number is registered again under it')
    .option('--postal-code <text>', "recipient's postal code")
    .option('--phone-suffix <digits>', 'last four digits of the phone number')
    .addOption(new Option('--archive', 'put it away: kept, not asked about').conflicts('restore'))
    .option('--restore', 'watch an archived parcel again')
    .action(
      run(async (session, command) => {
        const { runEdit } = await import('./edit.ts');
        return runEdit(session, command.args[0] ?? '', command.opts());
      }),
    );

  subcommand('remove', 'stop watching numbers; for 30 days "restore" brings them back')
    .argument('<number...>', 'tracking number, or NUMBER@COURIER')
    .option('--courier <code>', 'which one, when the number is watched under several couriers')
    .option('--remote', 'also delete them at the service')
    .action(
      run(async (session, command) => {
        const { runRemove } = await import('./remove.ts');
        return runRemove(session, command.args, command.opts());
      }),
    );

  subcommand('restore', 'bring back a backup of the watchlist or a removed parcel; with neither, print what there is')
    .argument('[backup]', 'name of a backup, or a day such as 2026-11-18')
    .option('--parcel <number>', 'a removed number, or NUMBER@COURIER; kept for 30 days')
    .option('--json', 'as JSON, version 1')
    .action(
      run(async (session, command) => {
        const { runRestore } = await import('./restore.ts');
        return runRestore(session, command.args[0], command.opts());
      }),
    );

  subcommand('couriers', 'print couriers and their codes')
    .argument('[text...]', 'only couriers in whose code or name every word occurs')
    .option('--json', 'as JSON')
    .option('--refresh', 'fetch the list again, which is otherwise kept for a week')
    .action(
      run(async (session, command) => {
        const { runCouriers } = await import('./couriers.ts');
        return runCouriers(session, command.args.join(' '), command.opts());
      }),
    );

  subcommand('watch', 'no screen: ask when parcels are due, and print a line for every change until it is stopped')
    .usage('[options] [--exec CMD...]')
    .argument('[command...]')
    .option('--json', 'an object a line: version, at, change, trackNo, courierCode, label, message, parcel')
    .option('--once', 'ask about what is due now, print what changed, and end')
    .addOption(webhookOption())
    .option('--exec', 'run the command that follows for each change, with its JSON on standard input')
    .passThroughOptions()
    .action(
      run(async (session, command) => {
        const { runWatch } = await import('./watch.ts');
        // Given before the command's name, it is the root's.
        const { webhook } = program.opts<{ webhook?: string }>();
        const before = webhook === undefined ? {} : { webhook };
        return runWatch(session, { ...before, ...command.opts() }, command.args);
      }),
    );

  subcommand('sandbox', 'run the embedded service with simulated couriers, for trying things out; ends with Ctrl-C')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', wholeNumber(0, 65_535), 0)
    .option('--speed <factor>', 'how much faster than real time the couriers work', positiveNumber, 1)
    .option('--seed <number>', 'the same seed gives the same journeys', wholeNumber(0, 2 ** 32 - 1), 1)
    .option(
      '--fault <fault>',
      'spoil answers, once or more: NAME[:p=0.3][:count=5][:delay=2000][:OPERATION]; a name that is none lists all',
      (fault: string, before: readonly string[] = []) => [...before, fault],
    )
    .option('--webhook <url>', 'call back this address of this machine on every change, as the service does')
    .action(async (_options: unknown, command: Command) => {
      const { runSandbox } = await import('./sandbox.ts');
      end(await runSandbox(context, command.opts()));
    });

  subcommand('doctor', 'look at configuration, key, service, clock, files and terminal, and say what to do')
    .option('--json', 'as JSON')
    .option('--offline', 'send nothing')
    .action(async (_options: unknown, command: Command) => {
      const { runDoctor } = await import('./doctor.ts');
      end(await runDoctor(context, globalOptionsOf(program, command), command.opts()));
    });

  subcommand('status', 'print one line for tmux, waybar or a prompt; looks at the files only, and fast')
    .option('--format <template>', `your own line; in braces: ${placeholders.join(', ')}; {{ and }} for braces`)
    .action(async (_options: unknown, command: Command) => {
      const { runStatus } = await import('./status.ts');
      end(await runStatus(context, globalOptionsOf(program, command), command.opts()));
    });

  subcommand('completion', 'print the completion script of a shell: bash, zsh or fish')
    .argument('[shell]', 'bash, zsh or fish')
    .addOption(new Option('--words <kind>', 'for the script: couriers or numbers').hideHelp())
    .action(
      run(async (session, command) => {
        const { runCompletion } = await import('./completion.ts');
        const commands = program.commands.map((each) => ({
          name: each.name(),
          description: each.description(),
          options: each.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []),
        }));
        return runCompletion(session, command.args[0], command.opts(), commands);
      }),
    );

  subcommand('paths', 'print where the program keeps its files').action(async (_options: unknown, command: Command) => {
    const { runPaths } = await import('./paths-command.ts');
    end(runPaths(context, globalOptionsOf(program, command)));
  });

  const addBoard = (): void => {
    program.action(async (_options: unknown, command: Command) => {
      const options = globalOptionsOf(program, command);
      if (command.opts<{ demo?: boolean }>().demo === true) {
        const { runDemo } = await import('./demo.ts');
        end(await runDemo(context, options));
      } else {
        const { runBoard } = await import('./board.ts');
        end(await runBoard(await openSession(context, options), command.opts()));
      }
    });
  };
  return { program, addBoard, exit: () => ended };
}

function createRoot(context: CommandContext): Command {
  const root = new Command('parcel-monitor')
    .description('A live board for parcels from every courier. Without a command it opens the board.')
    .usage('[command] [options]')
    .version(context.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
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
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: (text, write) => write(usageSentence(text)),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  return addGlobalOptions(root);
}

function webhookOption(): Option {
  return new Option(
    '--webhook <host:port>',
    'also take what the service pushes; a port alone listens on this machine only',
  );
}

/** Commander's complaint as one sentence of ours. */
function usageSentence(text: string): string {
  const sentence = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
  const stop = sentence.endsWith('.') ? '' : '.';
  return `parcel-monitor: ${sentence[0]?.toUpperCase() ?? ''}${sentence.slice(1)}${stop} See "parcel-monitor --help".\n`;
}

const globalFlags: readonly {
  readonly name: keyof GlobalOptions;
  readonly flags: string;
  readonly description: string;
}[] = [
  { name: 'baseUrl', flags: '--base-url <url>', description: "address of the service's gateway" },
  { name: 'profile', flags: '--profile <name>', description: 'a known deployment of the service: track123' },
  { name: 'config', flags: '--config <file>', description: 'configuration file' },
  { name: 'zone', flags: '--zone <zone>', description: 'your time zone: a name such as Europe/Berlin, utc or local' },
  { name: 'color', flags: '--no-color', description: 'no colours' },
  { name: 'ascii', flags: '--ascii', description: 'ASCII signs only' },
];

/** Options that every command takes, so that they may stand before and after its name. */
function addGlobalOptions(command: Command, without: readonly (keyof GlobalOptions)[] = []): Command {
  for (const { name, flags, description } of globalFlags) {
    if (without.includes(name)) continue;
    command.addOption(new Option(flags, description).helpGroup('Options of every command:'));
  }
  return command;
}

function globalOptionsOf(program: Command, command: Command): GlobalOptions {
  const before = program.opts<Partial<GlobalOptions>>();
  const after = command.opts<Partial<GlobalOptions>>();
  const { zone, ...others } = { ...before, ...after };
  return {
    ...others,
    // The zone that `show` takes is the timeline's, not the viewer's.
    ...(zone === undefined || command.name() === 'show' ? {} : { zone }),
    ascii: (before.ascii ?? false) || (after.ascii ?? false),
    color: (before.color ?? true) && (after.color ?? true),
  };
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}
