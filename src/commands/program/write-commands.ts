import { Option } from 'commander';
import type { CommandRegistry } from './registry.ts';
import { addedTo } from './repeated.ts';

/** Registers the commands that change what is watched: `add`, `import`, `edit`, `remove`, `restore`. */
export function registerWriteCommands({ subcommand, inSession, frequent }: CommandRegistry): void {
  subcommand('add', 'watch numbers; "-" reads lines from standard input', (command) =>
    command
      .argument('[number...]', 'tracking number, or NUMBER @courier "label" as in the input bar')
      .option('--scan <file>', 'find the numbers in any text, web page or mail; "-" reads standard input')
      .option('--dry-run', 'with --scan: print what was found and what it would cost, and change nothing')
      .option('--json', 'with --scan: as JSON, version 1')
      .option('--courier <code>', 'courier code, name or page, see "parcel-monitor couriers"; detected when left out')
      .option('--label <text>', 'your own name for the parcel')
      .option('--tag <text>', 'tags, to filter by, with commas between them; may be given several times', addedTo)
      .option('--postal-code <text>', "recipient's postal code, which some couriers need")
      .option('--phone-suffix <digits>', 'last four digits of the phone number, which some couriers need')
      .option('--order-no <text>', "sent along: the merchant's order number")
      .option('--country <code>', 'sent along: destination, two letters')
      .option('--ship-time <time>', 'sent along: "2026-11-20 14:30" on your clock, or with an offset such as +08:00')
      .option('--email <address>', "sent along: the customer's e-mail address")
      .option('--remark <text>', 'sent along')
      .option('--custom1 <text>', 'sent along')
      .option('--custom2 <text>', 'sent along')
      .option(
        '--left <file>',
        'write what was not added into a file, with the reasons, ready to be corrected and imported',
      )
      .option('--instant', 'look each number up live that has no record yet, which costs one registration each')
      .option(
        '--at-most <count>',
        'with --scan and --yes: add nothing where more would be registered; 100 when left out',
      )
      .option(
        '-y, --yes',
        'do not ask: before more than 100 registrations or --instant, about wrong check digits; with --scan, which numbers',
      )
      .action(frequent('add')),
  );

  subcommand(
    'import',
    'watch the parcels of a file: CSV, TSV, JSON or plain lines; "-" reads standard input',
    (command) =>
      command
        .argument(
          '[file]',
          'columns or keys: number, courier, label, tags, postal code, phone suffix, order no, state, …',
        )
        .option('--dry-run', 'print what would be added, and change nothing')
        .option(
          '--map <pairs>',
          'which heading is which field, where they are unusual: number=Tracking,label=Item; may be given several times',
          addedTo,
        )
        .option(
          '--map-courier <pair>',
          'which courier goes by which name in the file: AMZN_DE=amazon-logistics; may be given several times',
          addedTo,
        )
        .option('--courier <code>', 'courier code, name or page for rows that name none, see "parcel-monitor couriers"')
        .option(
          '--tag <text>',
          'tags for all rows, beside their own, with commas between them; may be given several times',
          addedTo,
        )
        .option(
          '--from-account',
          'in place of a file: what the account at the service holds, without registering it again',
        )
        .option('--since <date>', 'with --from-account: only what was registered since, such as 2026-11-01')
        .option(
          '--left <file>',
          'write what was not added into a file, with the reasons, ready to be corrected and imported',
        )
        .option(
          '-y, --yes',
          'do not ask before more than 100 registrations, about wrong check digits, or before the account is taken over',
        )
        .action(inSession(async () => (await import('../import/import.ts')).runImport)),
  );

  subcommand('edit', 'change what is kept about a parcel; an empty text clears a field', (command) =>
    command
      .argument('<number>', 'tracking number, NUMBER@COURIER, or label')
      .option('--label <text>', 'your own name for the parcel')
      .option('--tag <text>', 'give it tags, with commas between them; may be given several times', addedTo)
      .option('--untag <text>', 'take tags from it; may be given several times', addedTo)
      .option('--courier <code>', 'the right courier; a registered number is moved to it at the service')
      .option('--postal-code <text>', "recipient's postal code")
      .option('--phone-suffix <digits>', 'last four digits of the phone number')
      .option('--order-no <text>', "kept and sent to the service: the merchant's order number")
      .option('--remark <text>', 'kept and sent to the service')
      .option('--email <address>', "kept and sent to the service: the customer's e-mail address")
      .option('--ship-time <time>', 'kept and sent: "2026-11-20 14:30" on your clock, or with an offset such as +08:00')
      .option('--country <code>', 'kept and sent to the service: destination, two letters')
      .option('--custom1 <text>', 'kept and sent to the service')
      .option('--custom2 <text>', 'kept and sent to the service')
      .addOption(new Option('--archive', 'archive it: kept, but not checked any more').conflicts('restore'))
      .option('--restore', 'watch an archived parcel again')
      .action(inSession(async () => (await import('../write/edit.ts')).runEdit)),
  );

  subcommand('remove', 'stop watching numbers; for 30 days "restore" brings them back', (command) =>
    command
      .argument('<number...>', 'tracking number, NUMBER@COURIER, or label')
      .option('--courier <code>', 'which one, when the number is watched under several couriers')
      .option('--remote', 'also delete them at the service')
      .action(inSession(async () => (await import('../write/remove.ts')).runRemove)),
  );

  subcommand(
    'restore',
    'bring back a backup of the watchlist or a removed parcel; with neither, print what there is',
    (command) =>
      command
        .argument('[backup]', 'name of a backup, or a day such as 2026-11-18')
        .option('--parcel <number>', 'a removed number, NUMBER@COURIER, or label; kept for 30 days')
        .option('--json', 'as JSON, version 1')
        .action(inSession(async () => (await import('../write/restore.ts')).runRestore)),
  );
}
