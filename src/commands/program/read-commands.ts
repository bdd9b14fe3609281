import { filterHelp } from '../../board/filter-syntax.ts';
import { sortOrders } from '../../board/list/sort-orders.ts';
import { placeholders } from '../../board/status/watchlist-status.ts';
import { stages } from '../../service/status.ts';
import { exportFormats, exportHelp, parcelColumns } from '../export-format.ts';
import { type CommandRow, command, loaded, loadedInSession, type OptionRow } from './command-row.ts';

export const webhook: OptionRow = [
  '--webhook <host:port>',
  'also receive what the service pushes; a port alone listens on this machine only',
];

export const readCommands: readonly CommandRow[] = [
  command({
    name: 'list',
    about: 'print the watchlist, most urgent first',
    options: {
      json: ['--json', 'as JSON, version 1'],
      all: ['--all', 'archived parcels, too'],
      stage: ['--stage <stage>', `one of: ${stages.join(', ')}`],
      filter: ['--filter <text>', 'only parcels in which every word occurs and every term holds; the terms are below'],
      sort: ['--sort <order>', `one of: ${sortOrders.join(', ')}`],
      columns: ['--columns <list>', `with commas between them, of: ${parcelColumns.join(', ')}; JSON has everything`],
    },
    notes: filterHelp,
    examples: [
      ['list --stage attention', 'what needs you'],
      ["list --filter 'courier:dhl !stage:delivered'", 'words and terms'],
      ["list --json | jq '.parcels[].stage'", 'for scripts'],
    ],
    action: loadedInSession(async () => (await import('../list.ts')).runList),
  }),
  command({
    name: 'show',
    about: 'print one parcel with its timeline',
    arguments: [['<number>', 'tracking number, NUMBER@COURIER, or label']],
    options: {
      json: ['--json', 'as JSON'],
      zone: [
        '--zone <zone>',
        'times of the timeline: event (as the courier wrote them), utc, local, or a name such as Europe/Berlin',
      ],
      courier: ['--courier <code>', 'which one, when the number is watched under several couriers'],
      instant: ['--instant', 'query the courier now, which costs one tracking quota; takes any number, stores nothing'],
      postalCode: ['--postal-code <text>', "with --instant: recipient's postal code"],
      phoneSuffix: ['--phone-suffix <digits>', 'with --instant: last four digits of the phone number'],
      lang: ['--lang <language>', 'with --instant: also show events in this language, such as en, de or zh'],
      beyondBudget: ['--beyond-budget', 'with --instant: send it even when the budget of registrations is used up'],
    },
    examples: [
      ['show 1Z999AA10123456784', 'its timeline, with times as the courier wrote them'],
      ['show "Red lamp" --zone local', 'by its name, with times on your clock'],
      ['show RB100000003CN@china-post --instant --lang en', 'any number, now, translated; costs one tracking quota'],
    ],
    action: loadedInSession(async () => (await import('../show.ts')).runShow),
  }),
  command({
    name: 'export',
    about: 'print the watchlist as JSON, CSV, calendar or Markdown; "import" reads JSON and CSV back',
    options: {
      format: ['--format <format>', 'what to write', { choices: exportFormats, usual: 'json' }],
      all: ['--all', 'archived parcels, too'],
      output: ['--output <file>', 'write this file instead, which is replaced only when everything is written'],
    },
    notes: exportHelp,
    examples: [
      ['export --all --output parcels.json', 'a backup; "import parcels.json" reads it'],
      ['export --format csv --all > parcels.csv', 'for a spreadsheet'],
      ['export --format ics > parcels.ics', 'opened again, it updates the events of before'],
      ['export --format md --zone utc | mail -s Parcels me@host.example', 'to be shared'],
    ],
    action: loadedInSession(async () => (await import('../export.ts')).runExport),
  }),
  command({
    name: 'refresh',
    about: 'check numbers now; without one, all that are due or have no record yet',
    arguments: [['[number...]', 'tracking number, NUMBER@COURIER, or label']],
    options: {
      force: ['--force', 'have the service ask the couriers again first; once in six hours for a number'],
      beyondBudget: ['--beyond-budget', 'send calls even when the budget of the configuration is used up'],
    },
    examples: [
      ['refresh', 'check all that are due'],
      ['refresh RB100000003CN --force', 'have its courier asked again'],
    ],
    action: loadedInSession(async () => (await import('../refresh.ts')).runRefresh),
  }),
  command({
    name: 'couriers',
    about: 'print couriers and their codes',
    arguments: [['[text...]', 'only couriers in whose code or name every word occurs']],
    options: {
      json: ['--json', 'as JSON'],
      csv: ['--csv', 'as CSV: code, names and home page', { conflicts: ['json'] }],
      refresh: ['--refresh', 'fetch the list again, which is otherwise kept for a week'],
    },
    examples: [
      ['couriers china', 'those in whose code or name it occurs'],
      ['couriers --csv > couriers.csv', 'all of them, as a table'],
    ],
    action: loadedInSession(async () => (await import('../couriers.ts')).runCouriers),
  }),
  command({
    name: 'watch',
    about: 'no screen: check parcels when they are due, and print a line for every change until it is stopped',
    usage: '[options] [--exec CMD...]',
    arguments: [['[command...]']],
    options: {
      json: ['--json', 'an object a line: as in "changes --json", and the parcel'],
      since: ['--since <seq>', 'print first what came after this line of the change log'],
      once: ['--once', 'check what is due now, print what changed, and end', { conflicts: ['webhook'] }],
      webhook,
      notify: ['--notify', 'notify as the board does: notify.channels in config.json'],
      exec: ['--exec', 'run the command that follows for each change, with its JSON on standard input'],
    },
    passesOptions: true,
    examples: [
      ['watch --json | jq -r .text', 'a line for every change, until Ctrl-C'],
      ['watch --once --exec notify-send News', 'for cron: check what is due, run a command for each change'],
      ['watch --notify --webhook 8787', 'notify as the board does, with what the service pushes'],
    ],
    action: loadedInSession(async () => (await import('../watch.ts')).runWatch),
  }),
  command({
    name: 'changes',
    about: 'print what has changed, oldest first: a line for every change of the last 90 days',
    options: {
      since: [
        '--since <when>',
        'only after a line of the log (41), or from a time on: friday, "2 days ago", 9:00, 2026-11-18',
      ],
      limit: ['--limit <n>', 'only the newest lines'],
      json: [
        '--json',
        'an object a line: version, seq, at, noticedAt, change, trackNo, courierCode, label, from, to, message',
      ],
    },
    examples: [
      ['changes --since friday', 'what has changed since then'],
      ['changes --limit 20 --json', 'the newest lines, for scripts'],
    ],
    action: loadedInSession(async () => (await import('../changes.ts')).runChanges),
  }),
  command({
    name: 'status',
    about: 'print one line for tmux, waybar or a prompt; looks at the files only, and fast',
    options: {
      format: ['--format <template>', `your own line; in braces: ${placeholders.join(', ')}; {{ and }} for braces`],
    },
    examples: [
      ['status', '! 2  ▲ 2  ▸ 6  ✓ 4  38 today'],
      ["status --format '{attention}!{out}'", 'with your own template'],
    ],
    action: loaded(async () => (await import('../status.ts')).runStatus),
  }),
];
