import { Argument, InvalidArgumentError, Option } from 'commander';
import { webhookSignatures } from '../../service/webhook/signature-methods.ts';
import type { CompletionOptions } from '../tools/completion/completion.ts';
import { actions } from './actions.ts';
import type { CommandRegistry } from './registry.ts';
import { addedTo } from './repeated.ts';

/** Registers the commands about the program itself: `setup`, `sandbox`, `config`, `store`, `doctor`, `notify`, `completion`, `paths`. */
export function registerToolCommands({ program, subcommand, inSession, bare }: CommandRegistry): void {
  subcommand(
    'setup',
    'set up service, key, zone and notifications, in a conversation that ends in the board',
    (command) =>
      command
        .option('--key-from-stdin', 'without a conversation: the API key is on standard input')
        .option(
          '--key-command <command>',
          'without a conversation: a command that prints the API key when it is needed',
        )
        .option('--key-store <place>', 'where the key goes: file (the default), secret-tool, security, pass, op or bw')
        .option('--header <name>', 'header that carries the key')
        .option('--offline', 'write without the call that proves service and key')
        .action(bare(async () => (await import('../setup/setup.ts')).runSetup)),
  );

  const title = 'run the embedded service with simulated couriers, for trying things out; ends with Ctrl-C';
  subcommand(
    'sandbox',
    title,
    (command) =>
      command
        .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', wholeNumber(65_535), 0)
        .option('--speed <factor>', 'how much faster than real time the couriers work', positiveNumber, 1)
        .option('--seed <number>', 'the same seed gives the same journeys', wholeNumber(2 ** 32 - 1), 1)
        .option(
          '--fault <fault>',
          'inject a fault; may be given several times: NAME, and behind it :p=0.3, :count=5, :OPERATION, :number=A1,B2 or a time such as :30s; an unknown name lists all; lag:30s, interval:1s, never-looked-up and skew:90s say how the service plans',
          addedTo,
        )
        .option('--credit <number>', 'registrations and instant calls that the account has left', wholeNumber(10 ** 9))
        .option(
          '--couriers <number>',
          'list at least so many couriers, with invented ones where there are too few',
          wholeNumber(100_000),
        )
        .option('--webhook <url>', 'call back this address of this machine on every change, as the service does')
        .addOption(
          new Option('--webhook-signature <method>', 'how callbacks are signed, as webhook.signature names it')
            .choices(webhookSignatures)
            .default('hmac'),
        )
        .option(
          '--profile <name>',
          'use header and base path of a known deployment, so that its clients need no change: track123',
        )
        .option('--header <name>', 'header that carries the key')
        .option('--base-path <path>', 'path below which the service is, such as /gateway/open-api')
        .action(bare(async () => (await import('../tools/sandbox.ts')).runSandbox)),
    ['profile'],
  );

  subcommand(
    'config',
    'print or change settings: each by its path, checked when it is set; comments in config.json stay',
    (command) =>
      command
        .addArgument(new Argument('[action]', 'list when left out').choices(actions.config))
        .argument('[path]', 'a setting, such as zone, budget.queriesPerDay or couriers.dhl.postalCode')
        .argument(
          '[value...]',
          'what it is to be; "-" reads it from standard input; lists as words, with commas, or as JSON',
        )
        .option('--json', 'with list and get: as JSON, version 1')
        .action(bare(async () => (await import('../config/config.ts')).runConfig)),
  );

  subcommand(
    'store',
    'say where the watchlist is and who works on it; copy it between files and a database',
    (command) =>
      command
        .addArgument(
          new Argument(
            '[action]',
            'show when left out; copy needs where to; grants prints what the roles of a database need; mend moves rows aside that cannot be used',
          ).choices(actions.store),
        )
        .argument('[to...]', 'with copy: "file", or an address such as postgres://user@host/database')
        .option('--dry-run', 'with copy: say what would be copied')
        .option('--owner <role>', 'with grants: who makes the tables; parcels_owner when left out')
        .option('--user <role>', 'with grants: who works with them; parcels_user when left out')
        .option('--reader <role>', 'with grants: who only reads; parcels_reader when left out')
        .option('--database <name>', 'with grants: the database; parcels when left out')
        .option('--json', 'as JSON, version 1')
        .action(bare(async () => (await import('../store/store.ts')).runStore)),
  );

  subcommand('doctor', 'check configuration, key, service, clock, files and terminal, and say what to do', (command) =>
    command
      .option('--json', 'as JSON')
      .option('--offline', 'send nothing')
      .option('--verbose', 'every check and setting, not only what is wrong and the main facts')
      .action(bare(async () => (await import('../doctor/doctor.ts')).runDoctor)),
  );

  subcommand('notify', 'try the channels on which changes are notified: bell, terminal, desktop, command', (command) =>
    command
      .option('--test', 'send a message on each channel that is set, or on all where none is')
      .action(inSession(async () => (await import('../notify/notify.ts')).runNotify)),
  );

  subcommand('completion', 'print the completion script of a shell: bash, zsh or fish', (command) =>
    command
      .usage('[options] <shell>')
      .argument('[shell]', 'bash, zsh or fish')
      .argument('[line...]')
      .addOption(new Option('--complete', 'for the script: what completes the line behind "--"').hideHelp())
      .addOption(new Option('--table', 'for the manual: all commands as JSON').hideHelp())
      .action(
        bare<CompletionOptions>(async () => {
          const [{ runCompletion }, { describeCommand }] = await Promise.all([
            import('../tools/completion/completion.ts'),
            import('./command-table.ts'),
          ]);
          return (context, _globals, options, words) =>
            runCompletion(context, options, words, () => describeCommand(program));
        }),
      ),
  );

  subcommand('paths', 'print where the program keeps its files', (command) =>
    command.action(bare(async () => (await import('../tools/paths.ts')).runPaths)),
  );
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
    }
    return value;
  };
}
