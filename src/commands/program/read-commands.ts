import { parcelColumns } from '../../board/columns.ts';
import { filterHelp } from '../../board/filter-vocabulary.ts';
import { sortOrders } from '../../board/list/sort-orders.ts';
import { placeholders } from '../../board/status/watchlist-status.ts';
import { stages } from '../../service/status.ts';
import {
  type CommandRow,
  command,
  courierOption,
  digestFormats,
  exportFormats,
  filterOption,
  groupings,
  jsonOption,
  type OptionRow,
  parcelArgument,
  sessionCommand,
  yesOption,
} from './command-row.ts';

export const webhook: OptionRow = [
  '--webhook <host:port>',
  'receive updates pushed by the service; with only a port, listen on this machine only',
];

const allOption: OptionRow = ['--all', 'include archived parcels'];
const beyondBudget: OptionRow = ['--beyond-budget', 'check even if the budget is used up'];

const exportHelp = `
Formats:
  json  all fields of each parcel; "import" restores what you entered
  csv   the same as a table (RFC 4180); cells that would run as formulas start with '
  ics   a calendar of deliveries, pick-ups, newest events and expected deliveries, if their time is known
  md    a table per stage for an issue or an email, in your time zone (--zone)

json and csv include postal codes, phone digits and other private data; ics and md do not, so you can share them.
Timelines are not included, because the service sends them again.`;

export const readCommands: readonly CommandRow[] = [
  sessionCommand({
    name: 'list',
    about: 'print the parcels, most urgent first',
    isPaged: true,
    options: {
      json: jsonOption,
      all: allOption,
      view: [
        '--view <name>',
        'use the filter, order and columns of a view, such as late; --filter narrows it further, other options override it',
      ],
      stage: ['--stage <stage>', `one of: ${stages.join(', ')}`],
      filter: ['--filter <text>', 'only list parcels that match all words and terms; see below'],
      sort: ['--sort <order>', `one of: ${sortOrders.join(', ')}`],
      columns: [
        '--columns <list>',
        `comma-separated columns, from: ${parcelColumns.join(', ')}; JSON always has all fields`,
      ],
    },
    notes: filterHelp,
    examples: [
      ['list --view late', 'a built-in view, or one of "views" in config.json'],
      ['list --stage attention', 'parcels that need attention'],
      ["list --filter 'courier:dhl !stage:delivered'", 'filter by words and terms'],
      ["list --json | jq '.parcels[].stage'", 'for scripts'],
    ],
    load: async () => (await import('../list.ts')).runList,
  }),
  sessionCommand({
    name: 'show',
    about: 'print a parcel with its timeline',
    isPaged: true,
    arguments: [['<number>', parcelArgument]],
    options: {
      json: jsonOption,
      zone: [
        '--zone <zone>',
        'time zone of the timeline: event (local to each event), utc, local, or a zone such as Europe/Berlin',
      ],
      courier: courierOption,
      instant: ['--instant', 'look up any number live; costs one registration and saves nothing'],
      postalCode: ['--postal-code <text>', "with --instant: recipient's postal code"],
      phoneSuffix: ['--phone-suffix <digits>', 'with --instant: last 4 digits of the phone number'],
      lang: ['--lang <language>', 'with --instant: also show events in this language, such as en, de or zh'],
      beyondBudget: ['--beyond-budget', 'with --instant: ignore the registration budget'],
    },
    examples: [
      ['show 1Z999AA10123456784', 'the timeline, with times local to each event'],
      ['show "Red lamp" --zone local', 'by label, in your time zone'],
      ['show RB100000003CN@china-post --instant --lang en', 'any number, live and translated; costs one registration'],
    ],
    load: async () => (await import('../show.ts')).runShow,
  }),
  sessionCommand({
    name: 'export',
    about: 'export the parcels as JSON, CSV, a calendar or Markdown; "import" reads JSON and CSV',
    options: {
      format: ['--format <format>', 'output format', { choices: exportFormats, defaultValue: 'json' }],
      all: allOption,
      filter: filterOption,
      output: [
        '-o, --output <file>',
        'write to this file; an existing file is replaced only when the export is complete',
      ],
    },
    notes: exportHelp,
    examples: [
      ['export --all --output parcels.json', 'a backup; "import parcels.json" reads it'],
      ['export --format csv --all > parcels.csv', 'for a spreadsheet'],
      ['export --format csv --filter delivered:7d', 'parcels delivered in the last seven days'],
      ['export --format ics > parcels.ics', 'for your calendar; import it again to update the events'],
      ['export --format md --zone utc | mail -s Parcels me@host.example', 'to share'],
    ],
    load: async () => (await import('../export.ts')).runExport,
  }),
  sessionCommand({
    name: 'refresh',
    about: 'check numbers now; without arguments, check all that are due or have no info yet',
    arguments: [['[number...]', parcelArgument]],
    options: {
      filter: filterOption,
      yes: yesOption,
      force: ['--force', 'first ask the couriers for an update (at most every 6 hours per number)'],
      beyondBudget,
      json: jsonOption,
    },
    examples: [
      ['refresh', 'check all parcels that are due'],
      ['refresh RB100000003CN --force', 'ask the courier for an update'],
      ['refresh --filter stage:out --yes', 'check parcels that are out for delivery'],
    ],
    load: async () => (await import('../refresh.ts')).runRefresh,
  }),
  sessionCommand({
    name: 'couriers',
    about: 'print couriers and their codes',
    isPaged: true,
    arguments: [['[text...]', 'only list couriers whose code or name contains every word']],
    options: {
      json: jsonOption,
      csv: ['--csv', 'print CSV: code, names and home page', { conflicts: ['json'] }],
      refresh: ['--refresh', 'fetch the list now; by default it is fetched once a week'],
    },
    examples: [
      ['couriers china', 'couriers with "china" in their code or name'],
      ['couriers --csv > couriers.csv', 'all couriers as a table'],
    ],
    load: async () => (await import('../couriers.ts')).runCouriers,
  }),
  sessionCommand({
    name: 'watch',
    about: 'run without the board: check parcels and print every change',
    usage: '[options] [--exec CMD...]',
    arguments: [['[command...]']],
    options: {
      json: ['--json', 'print each change as a line of JSON, like "changes --json" but with the parcel'],
      since: ['--since <seq>', 'first print the changes after this line of the change log'],
      once: ['--once', 'check what is due, print the changes, and exit', { conflicts: ['webhook'] }],
      webhook,
      notify: ['--notify', 'send notifications through the channels in notify.channels'],
      exec: ['--exec', 'run the command that follows for each change, with the change as JSON on standard input'],
    },
    passesOptions: true,
    examples: [
      ['watch --json | jq -r .text', 'a line for every change, until Ctrl+C'],
      ['watch --once --exec notify-send News', 'for cron: check once and run a command for each change'],
      ['watch --notify --webhook 8787', 'send notifications and receive pushed updates'],
    ],
    load: async () => (await import('../watch.ts')).runWatch,
  }),
  sessionCommand({
    name: 'stats',
    about: 'print delivery statistics: counts, transit times, late parcels and problems',
    isPaged: true,
    options: {
      by: ['--by <what>', 'what to group the rows by', { choices: groupings, defaultValue: 'courier' }],
      since: [
        '--since <when>',
        'only count parcels in transit, and those added or delivered since then, such as monday or "30 days ago"',
      ],
      json: jsonOption,
      csv: ['--csv', 'print CSV', { conflicts: ['json'] }],
    },
    examples: [
      ['stats', 'compare couriers'],
      ["stats --by week --since '90 days ago'", 'deliveries per week'],
      ['stats --by country --csv > countries.csv', 'for a spreadsheet'],
    ],
    load: async () => (await import('../summaries.ts')).runStats,
  }),
  sessionCommand({
    name: 'digest',
    about: 'print a daily summary: parcels that need attention, arrive soon, have arrived or are late',
    isPaged: true,
    options: {
      since: [
        '--since <when>',
        'include parcels that arrived since then, such as monday or "7 days ago"',
        { defaultValue: 'yesterday' },
      ],
      format: [
        '--format <format>',
        'text, Markdown, or an HTML page with timelines',
        { choices: digestFormats, defaultValue: 'text' },
      ],
    },
    examples: [
      ['digest', 'for an email from cron'],
      ['digest --since monday --format html > parcels.html', 'a page with timelines that you can share'],
    ],
    load: async () => (await import('../summaries.ts')).runDigest,
  }),
  sessionCommand({
    name: 'changes',
    about: 'print the changes of the last 90 days, oldest first',
    isPaged: true,
    options: {
      since: [
        '--since <when>',
        'only changes after this line of the log, such as 41, or this time, such as friday or 9:00',
      ],
      limit: ['--limit <n>', 'only the newest n changes'],
      json: ['--json', 'print each change as a line of JSON'],
    },
    examples: [
      ['changes --since friday', 'changes since Friday'],
      ['changes --limit 20 --json', 'the newest 20 changes, for scripts'],
    ],
    load: async () => (await import('../changes.ts')).runChanges,
  }),
  command({
    name: 'status',
    about: 'print a one-line summary for tmux, Waybar or a prompt (fast: it only reads local files)',
    options: {
      format: ['--format <template>', `template with {${placeholders.join('}, {')}}; {{ and }} print braces`],
    },
    examples: [
      ['status', '! 2  ▲ 2  ▸ 6  ✓ 4  38 today'],
      ["status --format '{attention}!{out}'", 'with a template'],
    ],
    load: async () => (await import('../status.ts')).runStatus,
  }),
];
