import { type CommandRow, command, loadedInSession } from './command-row.ts';

export const writeCommands: readonly CommandRow[] = [
  command({
    name: 'add',
    about: 'watch numbers; "-" reads lines from standard input',
    arguments: [['[number...]', 'tracking number, or NUMBER @courier "label" as in the input bar']],
    options: {
      scan: ['--scan <file>', 'find the numbers in any text, web page or mail; "-" reads standard input'],
      dryRun: ['--dry-run', 'with --scan: print what was found and what it would cost, and change nothing'],
      json: ['--json', 'with --scan: as JSON, version 1'],
      courier: [
        '--courier <code>',
        'courier code, name or page, see "parcel-monitor couriers"; detected when left out',
      ],
      label: ['--label <text>', 'your own name for the parcel'],
      tag: [
        '--tag <text>',
        'tags, to filter by, with commas between them; may be given several times',
        { isRepeated: true },
      ],
      postalCode: ['--postal-code <text>', "recipient's postal code, which some couriers need"],
      phoneSuffix: ['--phone-suffix <digits>', 'last four digits of the phone number, which some couriers need'],
      orderNo: ['--order-no <text>', "sent along: the merchant's order number"],
      country: ['--country <code>', 'sent along: destination, two letters'],
      shipTime: [
        '--ship-time <time>',
        'sent along: "2026-11-20 14:30" on your clock, or with an offset such as +08:00',
      ],
      email: ['--email <address>', "sent along: the customer's e-mail address"],
      remark: ['--remark <text>', 'sent along'],
      custom1: ['--custom1 <text>', 'sent along'],
      custom2: ['--custom2 <text>', 'sent along'],
      left: [
        '--left <file>',
        'write what was not added into a file, with the reasons, ready to be corrected and imported',
      ],
      instant: ['--instant', 'look each number up live that has no record yet, which costs one registration each'],
      atMost: [
        '--at-most <count>',
        'with --scan and --yes: add nothing where more would be registered; 100 when left out',
      ],
      yes: [
        '-y, --yes',
        'do not ask: before more than 100 registrations or --instant, about wrong check digits; with --scan, which numbers',
      ],
    },
    examples: [
      ['add 1Z999AA10123456784 --label Lamp', 'watch a parcel, with a name of your own'],
      ['add RB100000003CN@china-post LX123456785CN --tag home', 'several; a courier behind @ where you know it'],
      ['add - < numbers.txt', 'one number a line'],
      ['add RB100000003CN --instant', 'look it up live where there is no record yet; costs one registration more'],
      ['add --scan order.eml', 'the numbers in any text, web page or mail; you choose among them'],
      ['add --scan - --yes < order.eml', 'without a terminal: those that are new and beyond doubt'],
    ],
    action: loadedInSession(async () => (await import('../add.ts')).runAdd),
  }),
  command({
    name: 'import',
    about: 'watch the parcels of a file: CSV, TSV, JSON or plain lines; "-" reads standard input',
    arguments: [
      ['[file]', 'columns or keys: number, courier, label, tags, postal code, phone suffix, order no, state, …'],
    ],
    options: {
      dryRun: ['--dry-run', 'print what would be added, and change nothing'],
      map: [
        '--map <pairs>',
        'which heading is which field, where they are unusual: number=Tracking,label=Item; may be given several times',
        { isRepeated: true },
      ],
      mapCourier: [
        '--map-courier <pair>',
        'which courier goes by which name in the file: AMZN_DE=amazon-logistics; may be given several times',
        { isRepeated: true },
      ],
      courier: [
        '--courier <code>',
        'courier code, name or page for rows that name none, see "parcel-monitor couriers"',
      ],
      tag: [
        '--tag <text>',
        'tags for all rows, beside their own, with commas between them; may be given several times',
        { isRepeated: true },
      ],
      fromAccount: [
        '--from-account',
        'in place of a file: what the account at the service holds, without registering it again',
      ],
      since: ['--since <date>', 'with --from-account: only what was registered since, such as 2026-11-01'],
      left: [
        '--left <file>',
        'write what was not added into a file, with the reasons, ready to be corrected and imported',
      ],
      yes: [
        '-y, --yes',
        'do not ask before more than 100 registrations, about wrong check digits, or before the account is taken over',
      ],
    },
    examples: [
      ['import parcels.json', 'add what "export" wrote, or a table with columns that say what they are'],
      ['import orders.csv --dry-run', 'say what would be added, and change nothing'],
      ['import dhl.csv --courier dhl-germany', "what a courier's own portal exported, which names no courier"],
      ['import orders.csv --left rest.csv', 'keep what was not added, with the reasons, to be corrected and imported'],
    ],
    action: loadedInSession(async () => (await import('../import/import.ts')).runImport),
  }),
  command({
    name: 'edit',
    about: 'change what is kept about a parcel; an empty text clears a field',
    arguments: [['<number>', 'tracking number, NUMBER@COURIER, or label']],
    options: {
      label: ['--label <text>', 'your own name for the parcel'],
      tag: ['--tag <text>', 'give it tags, with commas between them; may be given several times', { isRepeated: true }],
      untag: ['--untag <text>', 'take tags from it; may be given several times', { isRepeated: true }],
      courier: ['--courier <code>', 'the right courier; a registered number is moved to it at the service'],
      postalCode: ['--postal-code <text>', "recipient's postal code"],
      phoneSuffix: ['--phone-suffix <digits>', 'last four digits of the phone number'],
      orderNo: ['--order-no <text>', "kept and sent to the service: the merchant's order number"],
      remark: ['--remark <text>', 'kept and sent to the service'],
      email: ['--email <address>', "kept and sent to the service: the customer's e-mail address"],
      shipTime: [
        '--ship-time <time>',
        'kept and sent: "2026-11-20 14:30" on your clock, or with an offset such as +08:00',
      ],
      country: ['--country <code>', 'kept and sent to the service: destination, two letters'],
      custom1: ['--custom1 <text>', 'kept and sent to the service'],
      custom2: ['--custom2 <text>', 'kept and sent to the service'],
      archive: ['--archive', 'archive it: kept, but not checked any more', { conflicts: ['restore'] }],
      restore: ['--restore', 'watch an archived parcel again'],
    },
    examples: [
      ['edit 1Z999AA10123456784 --label "Red lamp"', 'give it another name'],
      ['edit "Red lamp" --courier ups --postal-code 10115', 'by its name: another courier, and what that needs'],
      ['edit "Red lamp" --archive', 'keep it, and check it no more'],
    ],
    action: loadedInSession(async () => (await import('../edit.ts')).runEdit),
  }),
  command({
    name: 'remove',
    about: 'stop watching numbers; for 30 days "restore" brings them back',
    arguments: [['<number...>', 'tracking number, NUMBER@COURIER, or label']],
    options: {
      courier: ['--courier <code>', 'which one, when the number is watched under several couriers'],
      remote: ['--remote', 'also delete them at the service'],
    },
    examples: [
      ['remove 1Z999AA10123456784 RB100000003CN', 'watch them no more; "restore" brings them back for 30 days'],
      ['remove "Red lamp" --remote', 'at the service, too'],
    ],
    action: loadedInSession(async () => (await import('../remove.ts')).runRemove),
  }),
  command({
    name: 'restore',
    about: 'bring back a backup of the watchlist or a removed parcel; with neither, print what there is',
    arguments: [['[backup]', 'name of a backup, or a day such as 2026-11-18']],
    options: {
      parcel: ['--parcel <number>', 'a removed number, NUMBER@COURIER, or label; kept for 30 days'],
      json: ['--json', 'as JSON, version 1'],
    },
    examples: [
      ['restore', 'what can be brought back'],
      ['restore --parcel 1Z999AA10123456784', 'a parcel that was removed'],
      ['restore 2026-11-18', 'the watchlist as it was that day'],
    ],
    action: loadedInSession(async () => (await import('../restore.ts')).runRestore),
  }),
];
