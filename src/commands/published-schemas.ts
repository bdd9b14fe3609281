import * as v from 'valibot';
import {
  changeSchema,
  configSchema,
  couriersSchema,
  describe,
  doctorSchema,
  exportSchema,
  instant,
  integerOrNull,
  listSchema,
  parcelSchema,
  showSchema,
  textOrNull,
  watchSchema,
} from '../board/json-schemas.ts';
import type { Shape } from '../service/record.ts';
import { groupings } from './program/command-row.ts';

const integer = v.pipe(v.number(), v.integer());

const scanPlaceSchema = v.object({
  message: describe(integerOrNull, 'Position of the email in the mailbox, starting at 1; null for a single text.'),
  subject: describe(textOrNull, 'Subject of the email, or null.'),
  part: describe(
    textOrNull,
    'Part of the email: text, HTML, or the name of an attachment; null if it is not an email.',
  ),
  line: describe(integerOrNull, 'Line in the text or part, starting at 1; null if it has no lines.'),
});

const scannedSchema = v.object({
  trackNo: v.string(),
  courierCode: describe(textOrNull, 'Named in the text or by --courier; null if the service detects the courier.'),
  courierName: textOrNull,
  candidates: describe(
    v.array(v.object({ courierCode: textOrNull, courierName: v.string() })),
    'Possible couriers, most likely first; the code is null if the service does not list the courier.',
  ),
  label: textOrNull,
  evidence: describe(
    v.picklist(['parcel-delivery', 'link', 'check-digit', 'pattern', 'looks']),
    'Why the number is listed: structured data, a link to a courier, a courier format with or without a check digit, or just its appearance.',
  ),
  trust: v.picklist(['sure', 'likely', 'doubtful']),
  places: describe(v.array(scanPlaceSchema), 'Where the number was found, in order; long lists are truncated.'),
  standing: describe(
    v.picklist(['new', 'watched', 'archived', 'rejected', 'twice', 'no-number', 'unknown-courier']),
    'Whether and how the number was already on the watchlist before this run, or why it cannot be added.',
  ),
  added: describe(v.boolean(), 'Whether the number was added; with --dry-run, whether it would be.'),
  remark: describe(textOrNull, 'Why the number is doubtful or cannot be added.'),
  result: describe(
    v.nullable(parcelSchema.entries.state),
    'State after the number was added; null if it was not added, or with --dry-run.',
  ),
});

const scanSchema = v.object({
  version: v.literal(1),
  generatedAt: instant,
  format: describe(v.picklist(['text', 'html', 'mail', 'mailbox']), 'Format of the text.'),
  cost: describe(v.object({ registrations: integer, calls: integer }), 'What adding the numbers costs.'),
  numbers: describe(v.array(scannedSchema), 'In the order of the text.'),
  problems: describe(
    v.array(v.object({ message: v.string(), place: scanPlaceSchema })),
    'Parts that could not be read.',
  ),
  leftOut: describe(integer, 'How many numbers are not listed because there are too many.'),
});

export type ScanJson = Shape<typeof scanSchema>;
export type ScannedJson = Shape<typeof scannedSchema>;

const numberOrNull = v.nullable(v.number());

const clientSchema = v.object({
  host: v.string(),
  kind: describe(v.string(), '"board", "watch", or the name of another command.'),
  version: v.string(),
  connectedAt: instant,
  seenAt: describe(instant, 'Last sign of life; clients are listed for 15 seconds after it.'),
});

export const storeSchema = v.object({
  version: v.literal(1),
  kind: v.picklist(['file', 'database']),
  place: describe(v.string(), 'Path to watchlist.json, or the database address without a password.'),
  account: describe(textOrNull, 'Name of the watchlist in the database; null for files.'),
  service: describe(textOrNull, 'Base URL of the account; null for files.'),
  parcels: integer,
  removed: describe(integer, 'Number of parcels in the trash, which can be restored.'),
  changes: describe(integer, 'Number of lines in the change log.'),
  bytes: describe(integerOrNull, 'Size on disk; for a database, the total for all accounts. Null if unknown.'),
  readOnly: describe(textOrNull, "Why changes can't be saved, or null if they can."),
  server: describe(textOrNull, 'Version of the database server; null for files or if unknown.'),
  schemaVersion: describe(integerOrNull, 'Version of the tables; null for files.'),
  isReplica: describe(v.nullable(v.boolean()), 'Null for files or if unknown.'),
  lagSeconds: describe(numberOrNull, 'How far the replica lags behind; null if it is not a replica.'),
  clockAheadSeconds: describe(
    numberOrNull,
    "How far the database's clock is ahead of the local clock; null for files.",
  ),
  checkedBy: describe(textOrNull, 'Host that checks the parcels; null for files, or if no host checks them.'),
  clients: describe(v.array(clientSchema), 'Clients connected to this account; always empty for files.'),
});

export type StoreJson = Shape<typeof storeSchema>;

const copiedKindSchema = v.object({
  count: integer,
  digest: describe(v.string(), 'Digest of all items of this kind; identical in the source and the copy.'),
});

const storeCopySchema = v.object({
  version: v.literal(1),
  from: v.string(),
  to: v.string(),
  isDryRun: v.boolean(),
  copied: v.object({
    parcels: copiedKindSchema,
    histories: copiedKindSchema,
    trash: copiedKindSchema,
    changes: copiedKindSchema,
  }),
});

export type StoreCopyJson = Shape<typeof storeCopySchema>;

const statsRowSchema = v.object({
  name: describe(textOrNull, 'Courier, country, tag, or the Monday of the week; null for parcels that have none.'),
  parcels: integer,
  delivered: integer,
  medianDays: describe(integerOrNull, 'Median days in transit of delivered parcels; null if unknown.'),
  p90Days: describe(integerOrNull, '90th percentile of the days in transit of delivered parcels; null if unknown.'),
  late: describe(integer, 'Number of parcels that arrived after the promised day, or are overdue.'),
  problems: describe(integer, 'Number of parcels that need attention, or were cancelled, returned or lost.'),
});

const statsSchema = v.object({
  version: v.literal(1),
  since: describe(v.nullable(instant), 'Null for all parcels.'),
  by: v.picklist(groupings),
  rows: v.array(statsRowSchema),
  forecast: describe(
    v.object({
      made: integer,
      right: integer,
      share: describe(v.nullable(v.number()), 'Null if there were no forecasts.'),
    }),
    "Forecasts made from each delivered parcel's first day, and how many of these parcels arrived by the last day of the forecast (90%).",
  ),
});

const outcomes = [
  ...(['new', 'registered', 'pending', 'known', 'archived', 'restored'] as const),
  ...(['changed', 'unchanged', 'removed'] as const),
  ...(['rejected', 'left-out', 'no-record', 'not-found', 'failed'] as const),
] as const;

const resultsSchema = v.object({
  version: v.literal(1),
  generatedAt: instant,
  results: v.array(
    v.object({
      trackNo: describe(v.string(), 'The number, or the argument if it is not one.'),
      courierCode: textOrNull,
      result: describe(
        v.picklist(outcomes),
        'What happened to the number. `new`: it would be added (only with --dry-run); `known`: it was already on the list; `pending`: it is saved but not registered yet.',
      ),
      message: describe(v.string(), 'The result as a sentence.'),
      parcel: describe(
        v.nullable(parcelSchema),
        'The parcel afterwards; null if it is not on the list, or if the command did not read it.',
      ),
    }),
  ),
});

export type ResultsJson = Shape<typeof resultsSchema>;

const pathsSchema = v.object({
  version: v.literal(1),
  config: v.string(),
  data: v.string(),
  watchlist: v.string(),
  history: v.string(),
  changes: v.string(),
  state: v.string(),
  couriers: v.string(),
});

export type PathsJson = Shape<typeof pathsSchema>;

const notifySchema = v.object({
  version: v.literal(1),
  channels: v.array(
    v.object({
      name: v.string(),
      sent: v.boolean(),
      message: describe(v.string(), 'How it was sent, or why it was not.'),
    }),
  ),
});

export type NotifyJson = Shape<typeof notifySchema>;

export type StatsJson = Shape<typeof statsSchema>;

/** The build writes `dist/schemas` from this table. */
export const publishedSchemas = {
  list: { title: 'parcel-monitor list --json', schema: listSchema },
  show: { title: 'parcel-monitor show NUMBER --json', schema: showSchema },
  watch: { title: 'A line of parcel-monitor watch --json', schema: watchSchema },
  changes: { title: 'A line of parcel-monitor changes --json', schema: changeSchema },
  export: { title: 'parcel-monitor export --format json', schema: exportSchema },
  couriers: { title: 'parcel-monitor couriers --json', schema: couriersSchema },
  'config-list': { title: 'parcel-monitor config list --json', schema: configSchema },
  scan: { title: 'parcel-monitor add --scan FILE --json', schema: scanSchema },
  store: { title: 'parcel-monitor store --json', schema: storeSchema },
  'store-copy': { title: 'parcel-monitor store copy TO --json', schema: storeCopySchema },
  stats: { title: 'parcel-monitor stats --json', schema: statsSchema },
  results: { title: 'parcel-monitor add, import, refresh, edit and remove, each with --json', schema: resultsSchema },
  paths: { title: 'parcel-monitor paths --json', schema: pathsSchema },
  notify: { title: 'parcel-monitor notify --test --json', schema: notifySchema },
  doctor: { title: 'parcel-monitor doctor --json', schema: doctorSchema },
} as const;
