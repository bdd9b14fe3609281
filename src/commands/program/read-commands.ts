import { Option } from 'commander';
import { filterHelp } from '../../board/filter/term-list.ts';
import { sortOrders } from '../../board/list/sort-orders.ts';
import { placeholders } from '../../board/status/status-line.ts';
import { stages } from '../../service/record/status.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import { exportFormats, exportHelp } from '../export/export-format.ts';
import { parcelColumns } from '../output/parcel-columns.ts';
import { webhookOption } from './global-options.ts';
import type { CommandRegistry } from './registry.ts';

/**
 * Registers the commands that print or refresh what is known: `list`, `show`, `export`, `refresh`, `couriers`, `watch`,
 * `changes`, `status`.
 */
export function registerReadCommands({ program, subcommand, inSession, frequent }: CommandRegistry): void {
  subcommand('list', 'print the watchlist, most urgent first', (command) =>
    command
      .option('--json', 'as JSON, version 1')
      .option('--all', 'archived parcels, too')
      .option('--stage <stage>', `one of: ${stages.join(', ')}`)
      .option('--filter <text>', 'only parcels in which every word occurs and every term holds; the terms are below')
      .option('--sort <order>', `one of: ${sortOrders.join(', ')}`)
      .option('--columns <list>', `with commas between them, of: ${parcelColumns.join(', ')}; JSON has everything`)
      .addHelpText('after', filterHelp)
      .action(frequent('list')),
  );

  subcommand(
    'show',
    'print one parcel with its timeline',
    (command) =>
      command
        .argument('<number>', 'tracking number, NUMBER@COURIER, or label')
        .option('--json', 'as JSON')
        .option(
          '--zone <zone>',
          'times of the timeline: event (as the courier wrote them), utc, local, or a name such as Europe/Berlin',
        )
        .option('--courier <code>', 'which one, when the number is watched under several couriers')
        .option('--instant', 'query the courier now, which costs one tracking quota; takes any number, stores nothing')
        .option('--postal-code <text>', "with --instant: recipient's postal code")
        .option('--phone-suffix <digits>', 'with --instant: last four digits of the phone number')
        .option('--lang <language>', 'with --instant: also show events in this language, such as en, de or zh')
        .option('--beyond-budget', 'with --instant: send it even when the budget of registrations is used up')
        .action(
          inSession(
            async () => (await import('../read/show.ts')).runShow,
            () => ({ zone: program.opts<Partial<GlobalOptions>>().zone ?? 'event' }),
          ),
        ),
    ['zone'],
  );

  subcommand(
    'export',
    'print the watchlist as JSON, CSV, calendar or Markdown; "import" reads JSON and CSV back',
    (command) =>
      command
        .addOption(new Option('--format <format>', 'what to write').choices(exportFormats).default('json'))
        .option('--all', 'archived parcels, too')
        .option('--output <file>', 'write this file instead, which is replaced only when everything is written')
        .addHelpText('after', exportHelp)
        .action(inSession(async () => (await import('../export/export.ts')).runExport)),
  );

  subcommand('refresh', 'check numbers now; without one, all that are due or have no record yet', (command) =>
    command
      .argument('[number...]', 'tracking number, NUMBER@COURIER, or label')
      .option('--force', 'have the service ask the couriers again first; once in six hours for a number')
      .option('--beyond-budget', 'send calls even when the budget of the configuration is used up')
      .action(inSession(async () => (await import('../write/refresh.ts')).runRefresh)),
  );

  subcommand('couriers', 'print couriers and their codes', (command) =>
    command
      .argument('[text...]', 'only couriers in whose code or name every word occurs')
      .option('--json', 'as JSON')
      .addOption(new Option('--csv', 'as CSV: code, names and home page').conflicts('json'))
      .option('--refresh', 'fetch the list again, which is otherwise kept for a week')
      .action(inSession(async () => (await import('../read/couriers.ts')).runCouriers)),
  );

  subcommand(
    'watch',
    'no screen: check parcels when they are due, and print a line for every change until it is stopped',
    (command) =>
      command
        .usage('[options] [--exec CMD...]')
        .argument('[command...]')
        .option('--json', 'an object a line: as in "changes --json", and the parcel')
        .option('--since <seq>', 'print first what came after this line of the change log')
        .addOption(new Option('--once', 'check what is due now, print what changed, and end').conflicts('webhook'))
        .addOption(webhookOption())
        .option('--notify', 'notify as the board does: notify.channels in config.json')
        .option('--exec', 'run the command that follows for each change, with its JSON on standard input')
        .passThroughOptions()
        .action(
          inSession(
            async () => (await import('../watch/watch.ts')).runWatch,
            () => {
              const { webhook } = program.opts<{ webhook?: string }>();
              return webhook === undefined ? {} : { webhook };
            },
          ),
        ),
  );

  subcommand(
    'changes',
    'print what has changed, oldest first: a line for every change of the last 90 days',
    (command) =>
      command
        .option(
          '--since <when>',
          'only after a line of the log (41), or from a time on: friday, "2 days ago", 9:00, 2026-11-18',
        )
        .option('--limit <n>', 'only the newest lines')
        .option(
          '--json',
          'an object a line: version, seq, at, noticedAt, change, trackNo, courierCode, label, from, to, message',
        )
        .action(inSession(async () => (await import('../read/changes.ts')).runChanges)),
  );

  subcommand('status', 'print one line for tmux, waybar or a prompt; looks at the files only, and fast', (command) =>
    command
      .option('--format <template>', `your own line; in braces: ${placeholders.join(', ')}; {{ and }} for braces`)
      .action(frequent('status')),
  );
}
