import * as v from 'valibot';
import {
  changeSchema,
  configSchema,
  couriersSchema,
  describe,
  doctorSchema,
  exportSchema,
  instant,
  listSchema,
  parcelSchema,
  showSchema,
  textOrNull,
  watchSchema,
  wholeOrNull,
} from '../board/json-schemas.ts';
import type { Shape } from '../service/shape.ts';

const wholeNumber = v.pipe(v.number(), v.integer());

const scanPlaceSchema = v.object({
  message: describe(wholeOrNull, 'The message of a mailbox, from 1; null when there is but one text.'),
  subject: describe(textOrNull, 'Of the mail; null where there is none.'),
  part: describe(textOrNull, 'Of a mail: text, HTML, or the name of an attachment; null outside of mails.'),
  line: describe(wholeOrNull, 'From 1, in the text or the part; null where lines mean nothing.'),
});

const scannedSchema = v.object({
  trackNo: v.string(),
  courierCode: describe(textOrNull, 'Named by the text or by --courier; null lets the service find the courier.'),
  courierName: textOrNull,
  candidates: describe(
    v.array(v.object({ courierCode: textOrNull, courierName: v.string() })),
    'Couriers that fit, likeliest first; the code is null where the service does not list the courier.',
  ),
  label: textOrNull,
  evidence: describe(
    v.picklist(['parcel-delivery', 'link', 'check-digit', 'pattern', 'looks']),
    'Why it was taken for a number: data for machines, a link to a courier, the form of a courier with or without a check digit, its looks.',
  ),
  trust: v.picklist(['sure', 'likely', 'doubtful']),
  places: describe(v.array(scanPlaceSchema), 'Where it stands, first place first; not all of many.'),
  standing: describe(
    v.picklist(['new', 'watched', 'archived', 'rejected', 'twice', 'no-number', 'unknown-courier']),
    'To the watchlist, before anything was added.',
  ),
  added: describe(v.boolean(), 'Whether it was added, or with --dry-run would be.'),
  remark: describe(textOrNull, 'Why it is doubtful or cannot be added.'),
  result: describe(
    v.nullable(parcelSchema.entries.state),
    'What became of it; null with --dry-run, and where it was not added.',
  ),
});

/** Not loaded when the program runs. */
const scanSchema = v.object({
  version: v.literal(1),
  generatedAt: instant,
  format: describe(v.picklist(['text', 'html', 'mail', 'mailbox']), 'What the text was read as.'),
  cost: describe(v.object({ registrations: wholeNumber, calls: wholeNumber }), 'What adding takes of the account.'),
  numbers: describe(v.array(scannedSchema), 'In the order in which they stand in the text.'),
  problems: describe(
    v.array(v.object({ message: v.string(), place: scanPlaceSchema })),
    'Parts that could not be read.',
  ),
  leftOut: describe(wholeNumber, 'How many more numbers there are, beyond what is read at once.'),
});

export type ScanJson = Shape<typeof scanSchema>;
export type ScannedJson = Shape<typeof scannedSchema>;

const whole = v.pipe(v.number(), v.integer());
const numberOrNull = v.nullable(v.number());

const clientSchema = v.object({
  host: v.string(),
  kind: describe(v.string(), '"board", "watch", or the name of another command.'),
  version: v.string(),
  connectedAt: instant,
  seenAt: describe(instant, 'Who was not seen for 15 seconds is not listed.'),
});

export const storeSchema = v.object({
  version: v.literal(1),
  kind: v.picklist(['file', 'database']),
  place: describe(v.string(), 'Path of watchlist.json, or the address of the database without a password.'),
  account: describe(textOrNull, 'Which watchlist of the database; null for files, which hold one.'),
  service: describe(textOrNull, 'Base URL for which the account was made; null for files.'),
  parcels: whole,
  removed: describe(whole, 'Parcels in the trash, which can be brought back.'),
  changes: describe(whole, 'Lines of the change log.'),
  bytes: describe(wholeOrNull, 'On disk; of a database all accounts together. Null when it does not say.'),
  readOnly: describe(textOrNull, 'Why nothing can be written, as a sentence; null when it can.'),
  server: describe(textOrNull, 'How the database names itself; null for files, or when it does not.'),
  schemaVersion: describe(wholeOrNull, 'Version of the tables; null for files.'),
  isReplica: describe(v.nullable(v.boolean()), 'Null for files, or when it is not known.'),
  lagSeconds: describe(numberOrNull, 'How far a replica is behind; null where it is none.'),
  clockAheadSeconds: describe(numberOrNull, "How far the database's clock is ahead of this machine's; null for files."),
  checkedBy: describe(textOrNull, 'The host that polls; null when nobody does, or when the watchlist is in files.'),
  clients: describe(v.array(clientSchema), 'Who is connected to this account; none for files.'),
});

export type StoreJson = Shape<typeof storeSchema>;

const kindSchema = v.object({
  count: whole,
  digest: describe(v.string(), 'Over all of the kind; the same on both sides.'),
});

const storeCopySchema = v.object({
  version: v.literal(1),
  from: v.string(),
  to: v.string(),
  isDryRun: v.boolean(),
  copied: v.object({ parcels: kindSchema, histories: kindSchema, trash: kindSchema, changes: kindSchema }),
});

export type StoreCopyJson = Shape<typeof storeCopySchema>;

/** Not loaded when the program runs: the build makes the JSON Schemas in `dist/schemas` from it. */

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
  doctor: { title: 'parcel-monitor doctor --json', schema: doctorSchema },
} as const;
