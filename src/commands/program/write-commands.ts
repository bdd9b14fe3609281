import {
  type CommandRow,
  courierOption,
  filterOption,
  jsonOption,
  type OptionRow,
  parcelArgument,
  repeatable,
  sessionCommand,
  yesOption,
} from './command-row.ts';

const postalCode: OptionRow = ['--postal-code <text>', "recipient's postal code, which some couriers need"];
const phoneSuffix: OptionRow = [
  '--phone-suffix <digits>',
  'last 4 digits of the phone number, which some couriers need',
];
const leftOption: OptionRow = [
  '--left <file>',
  'save the numbers that were not added, with the reasons, so that you can correct and import them',
];
const label: OptionRow = ['--label <text>', 'your name for the parcel'];

const merchantOptions = {
  orderNo: ['--order-no <text>', 'order number, sent to the service'],
  country: ['--country <code>', 'destination country (2 letters), sent to the service'],
  shipTime: [
    '--ship-time <time>',
    'sent to the service: "2026-11-20 14:30" in your zone, or with an offset such as +08:00',
  ],
  email: ['--email <address>', "customer's email address, sent to the service"],
  remark: ['--remark <text>', 'remark, sent to the service'],
  custom1: ['--custom1 <text>', 'custom field, sent to the service'],
  custom2: ['--custom2 <text>', 'custom field, sent to the service'],
} as const;

export const writeCommands: readonly CommandRow[] = [
  sessionCommand({
    name: 'add',
    about: 'track numbers ("-": read from standard input)',
    arguments: [['[number...]', 'tracking number, or NUMBER @courier "label", as on the board']],
    options: {
      scan: ['--scan <file>', 'find the numbers in text, a web page or an email ("-": read from standard input)'],
      dryRun: ['-n, --dry-run', 'with --scan: print the numbers and their cost; change nothing'],
      json: jsonOption,
      courier: [
        '--courier <code>',
        'courier code, name or page (see "parcel-monitor couriers"); detected if not given',
      ],
      label,
      tag: ['--tag <text>', 'tags, separated by commas; may be repeated', repeatable],
      postalCode,
      phoneSuffix,
      ...merchantOptions,
      left: leftOption,
      instant: ['--instant', 'look up numbers without a record right away; costs one registration each'],
      atMost: [
        '--at-most <count>',
        'with --scan --yes: add nothing if it would register more than this many numbers (default 100)',
      ],
      yes: ['-y, --yes', 'do not ask; with --scan: add the new numbers that were clearly recognised'],
    },
    examples: [
      ['add 1Z999AA10123456784 --label Lamp', 'track a parcel and name it'],
      ['add RB100000003CN@china-post LX123456785CN --tag home', 'several numbers, one with its courier after @'],
      ['add - < numbers.txt', 'one number per line'],
      ['add RB100000003CN --instant', 'look it up right away; costs one more registration'],
      ['add --scan order.eml', 'choose from the numbers in a text, web page or email'],
      ['add --scan - --yes < order.eml', 'in scripts: add the clearly recognised numbers'],
    ],
    load: async () => (await import('../add.ts')).runAdd,
  }),
  sessionCommand({
    name: 'import',
    about: 'track the parcels in a CSV, TSV, JSON or text file ("-": read from standard input)',
    arguments: [
      ['[file]', 'columns or keys: number, courier, label, tags, postal code, phone suffix, order no, state, …'],
    ],
    options: {
      dryRun: ['-n, --dry-run', 'print what would be added; change nothing'],
      map: [
        '--map <pairs>',
        'which column contains each field: number=Tracking,label=Item; may be repeated',
        repeatable,
      ],
      mapCourier: [
        '--map-courier <pair>',
        'which courier a name in the file means: AMZN_DE=amazon; may be repeated',
        repeatable,
      ],
      labelFrom: ['--label-from <template>', 'build labels from columns, with headings in braces: "{Name} · {Item}"'],
      courier: [
        '--courier <code>',
        'courier code, name or page for rows that name no courier (see "parcel-monitor couriers")',
      ],
      tag: ['--tag <text>', 'add tags to all rows, separated by commas; may be repeated', repeatable],
      fromAccount: ['--from-account', 'import from your account instead of a file, without registering numbers again'],
      since: ['--since <date>', 'with --from-account: only numbers registered since this date, such as 2026-11-01'],
      left: leftOption,
      yes: ['-y, --yes', 'do not ask'],
      json: jsonOption,
    },
    examples: [
      ['import parcels.json', 'add parcels from "export", or from any table with headings'],
      ['import orders.csv --dry-run', 'print what would be added; change nothing'],
      ['import dhl.csv --courier dhl-germany', "an export without a courier column, from a courier's portal"],
      ['import orders.csv --left rest.csv', 'save the rows that were not added, with the reasons'],
    ],
    load: async () => (await import('../import/import.ts')).runImport,
  }),
  sessionCommand({
    name: 'edit',
    about: 'edit a parcel, or all parcels that match; an empty value clears a field',
    arguments: [['[number]', parcelArgument]],
    options: {
      label,
      note: ['--note <text>', 'your own note; it is never sent to the service'],
      tag: ['--tag <text>', 'add tags, separated by commas; may be repeated', repeatable],
      untag: ['--untag <text>', 'remove tags; may be repeated', repeatable],
      courier: ['--courier <code>', 'change the courier, including at the service if the number is registered'],
      postalCode,
      phoneSuffix,
      ...merchantOptions,
      archive: [
        '--archive',
        'archive the parcel: it stays on the list but is no longer checked',
        { conflicts: ['restore'] },
      ],
      restore: ['--restore', 'restore the parcel from the archive'],
      filter: filterOption,
      yes: yesOption,
      json: jsonOption,
    },
    examples: [
      ['edit 1Z999AA10123456784 --label "Red lamp"', 'rename a parcel'],
      ['edit "Red lamp" --courier ups --postal-code 10115', 'change the courier and the postal code'],
      ['edit "Red lamp" --archive', 'keep it, but stop checking it'],
      ['edit --filter stage:delivered --archive', 'archive all delivered parcels'],
    ],
    load: async () => (await import('../edit.ts')).runEdit,
  }),
  sessionCommand({
    name: 'remove',
    about: 'stop tracking numbers; "restore" brings them back for 30 days',
    arguments: [['[number...]', parcelArgument]],
    options: {
      courier: courierOption,
      remote: ['--remote', 'also delete the numbers at the service'],
      filter: filterOption,
      all: ['--all', 'with --filter: include archived parcels'],
      yes: yesOption,
      json: jsonOption,
    },
    examples: [
      ['remove 1Z999AA10123456784 RB100000003CN', 'stop tracking two parcels'],
      ['remove "Red lamp" --remote', 'also delete it at the service'],
      ["remove --filter 'is:closed older:30d'", 'remove parcels that were closed more than a month ago'],
    ],
    load: async () => (await import('../remove-and-restore.ts')).runRemove,
  }),
  sessionCommand({
    name: 'restore',
    about: 'restore a backup of the watchlist or a removed parcel; without arguments, list both',
    arguments: [['[backup]', 'name of a backup, or a day such as 2026-11-18']],
    options: {
      parcel: ['--parcel <number>', 'a parcel removed in the last 30 days: number, NUMBER@COURIER, or label'],
      json: jsonOption,
    },
    examples: [
      ['restore', 'list backups and removed parcels'],
      ['restore --parcel 1Z999AA10123456784', 'restore a removed parcel'],
      ['restore 2026-11-18', 'restore the watchlist as of that day'],
    ],
    load: async () => (await import('../remove-and-restore.ts')).runRestore,
  }),
];
