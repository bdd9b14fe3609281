import * as v from 'valibot';
import { changeKinds } from '../parcels/change.ts';
import type { Shape } from '../service/schema.ts';
import { stages } from '../service/status.ts';

/**
 * What commands print as JSON, each shape written down once. Types are inferred from here (and nothing else of this file is
 * loaded when the program runs); the build makes the JSON Schemas of `dist/schemas` of it. Absent values are null. Fields
 * are only ever added; anything else raises `version`.
 */

export const instant = v.pipe(v.string(), v.isoTimestamp(), v.description('ISO 8601, UTC, with Z'));
export const textOrNull = v.nullable(v.string());
const instantOrNull = v.nullable(instant);
export const wholeOrNull = v.nullable(v.pipe(v.number(), v.integer()));

export const describe = <Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text) as v.DescriptionAction<v.InferOutput<Schema>, string>);

const checkpointSchema = v.object({
  at: describe(instantOrNull, 'Null when the zone is not known.'),
  local: describe(textOrNull, "The time on the courier's clock, as it came."),
  offset: describe(textOrNull, 'Of that clock from UTC, such as +01:00.'),
  certain: describe(v.boolean(), 'False when the zone is not known, or times contradict each other.'),
  address: textOrNull,
  detail: textOrNull,
  subStatus: textOrNull,
  translation: describe(textOrNull, '`detail` in the language that was requested; null without a translation.'),
  courierCode: describe(
    textOrNull,
    'Of the courier that reported it; null where not known, or one courier reports all.',
  ),
  courierName: textOrNull,
  future: v.exactOptional(
    describe(
      v.literal(true),
      'There when it was more than a day ahead of the answer that told of it: it is not believed.',
    ),
  ),
});

const expectedSchema = v.object({
  from: describe(
    textOrNull,
    'An instant where times were given, else a day, YYYY-MM-DD. Null when only an end was given.',
  ),
  to: describe(textOrNull, 'The same as `from` for one day or point in time. Null when only a beginning was given.'),
});

const lastMileSchema = v.object({ trackNo: textOrNull, courierCode: textOrNull, courierName: textOrNull });

const errorSchema = v.object({ kind: v.string(), code: textOrNull, message: v.string(), traceId: textOrNull });

export const parcelSchema = v.object({
  trackNo: v.string(),
  courierCode: textOrNull,
  courierName: textOrNull,
  label: textOrNull,
  tags: v.array(v.string()),
  state: describe(
    v.picklist(['pending', 'watching', 'rejected', 'archived']),
    'Where the parcel stands between the user, this program and the service; an archived one is archived whatever else it is.',
  ),
  stage: v.picklist(stages),
  status: describe(textOrNull, 'As the service has it.'),
  subStatus: textOrNull,
  statusText: describe(v.string(), 'Where the parcel stands, in words.'),
  shipFrom: textOrNull,
  shipTo: textOrNull,
  transitDays: wholeOrNull,
  stayDays: describe(
    wholeOrNull,
    'Whole days since the newest event, at least where that has no zone; null for a parcel that is delivered, expired or archived.',
  ),
  shipmentType: textOrNull,
  expectedDelivery: describe(v.nullable(expectedSchema), 'Null for a parcel that is not expected any more.'),
  deliveredAt: instantOrNull,
  signedBy: textOrNull,
  trackingLink: describe(textOrNull, 'The page about this parcel at the courier who has it now.'),
  courierHomePage: describe(textOrNull, 'Of the courier who has the parcel now.'),
  orderNo: textOrNull,
  remark: textOrNull,
  lastMile: v.nullable(lastMileSchema),
  lastEvent: v.nullable(checkpointSchema),
  checkpointCount: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextUpdateAt: describe(instantOrNull, 'When the service will look at the courier next.'),
  nextPollAt: describe(instantOrNull, 'When this program will query the service next; null while that is paused.'),
  checkedAt: describe(instantOrNull, 'When the service last gave a good answer.'),
  stale: describe(
    v.boolean(),
    'True when the last query failed, is overdue, or the service could not look at the courier.',
  ),
  error: describe(v.nullable(errorSchema), 'Why the last query failed.'),
  unread: describe(v.boolean(), 'True when it has changes that nobody has looked at on a board.'),
  changedAt: describe(instantOrNull, 'When its newest line of the change log was written.'),
  deliveredLocal: describe(textOrNull, 'When it was delivered on the clock of the place as given, without a zone.'),
  closed: describe(
    v.boolean(),
    'True when it is over without a reported delivery (cancelled, returned, lost) and has nothing unread; its stage stays "attention".',
  ),
});

const listEntries = {
  version: v.literal(1),
  generatedAt: instant,
  service: v.object({
    baseUrl: textOrNull,
    clock: v.object({ offset: v.string(), source: v.picklist(['configured', 'measured', 'assumed']) }),
  }),
};

export const listSchema = v.object({ ...listEntries, parcels: v.array(parcelSchema) });

export const showSchema = v.object({
  ...parcelSchema.entries,
  checkpoints: describe(v.array(checkpointSchema), 'Newest first.'),
  record: describe(v.nullable(v.record(v.string(), v.unknown())), 'As received; null before the first.'),
});

/** What the user has entered about a parcel besides, named as `import` reads it. */
const enteredSchema = v.object({
  addedAt: instant,
  archivedAt: instantOrNull,
  postalCode: textOrNull,
  phoneSuffix: textOrNull,
  orderNo: textOrNull,
  country: textOrNull,
  shipTime: instantOrNull,
  email: textOrNull,
  remark: textOrNull,
  custom1: textOrNull,
  custom2: textOrNull,
});

export const exportedParcelSchema = v.object({ ...parcelSchema.entries, ...enteredSchema.entries });

export const exportSchema = v.object({ ...listEntries, parcels: v.array(exportedParcelSchema) });

const {
  translation: _translation,
  courierCode: _courierCode,
  courierName: _courierName,
  ...eventEntries
} = checkpointSchema.entries;

const aspectSchema = describe(
  v.object({
    state: v.exactOptional(parcelSchema.entries.state),
    stage: v.exactOptional(parcelSchema.entries.stage),
    status: v.exactOptional(parcelSchema.entries.status),
    subStatus: v.exactOptional(textOrNull),
    courierCode: v.exactOptional(textOrNull),
    lastEvent: v.exactOptional(v.nullable(v.object(eventEntries))),
    error: v.exactOptional(v.nullable(errorSchema)),
  }),
  'The part of the parcel that the change concerns; what it does not concern is absent.',
);

export const changeSchema = v.object({
  version: v.literal(1),
  seq: describe(v.pipe(v.number(), v.integer(), v.minValue(1)), 'Grows by one from line to line of the change log.'),
  at: describe(instant, 'When it happened, where the courier said so; else when it was noticed.'),
  noticedAt: instant,
  change: v.picklist(changeKinds),
  trackNo: v.string(),
  courierCode: textOrNull,
  label: textOrNull,
  from: describe(v.nullable(aspectSchema), 'What it was; null for a parcel that was added.'),
  to: describe(v.nullable(aspectSchema), 'What it is; null for a parcel that was removed.'),
  message: describe(v.string(), "What changed, in words, without the parcel's name."),
  text: describe(v.string(), 'The message behind the label, or the number of a parcel without one.'),
});

export const watchSchema = v.object({
  ...changeSchema.entries,
  parcel: describe(parcelSchema, 'After the change; before it, when the parcel was removed.'),
});

export const couriersSchema = v.object({
  version: v.literal(1),
  fetchedAt: describe(instant, 'When the service gave the list.'),
  couriers: v.array(v.object({ code: v.string(), nameEN: textOrNull, nameCN: textOrNull, homePage: textOrNull })),
});

export const doctorSchema = v.object({
  version: v.literal(1),
  checks: v.array(
    v.object({
      name: v.string(),
      status: describe(v.picklist(['ok', 'warn', 'fail']), 'warn: works, but a person should know.'),
      found: v.string(),
      advice: describe(textOrNull, 'What to do; null when nothing is to be done.'),
    }),
  ),
});

const settingSchema = v.object({
  name: v.string(),
  value: describe(
    v.unknown(),
    'The value that holds; a row of stars for one that is hidden; null when nothing is set.',
  ),
  origin: describe(
    textOrNull,
    'An option, a variable of the environment, "config.json", "profile NAME" or "default"; null when nothing is set.',
  ),
  outranked: describe(v.boolean(), 'Whether config.json says something else that does not hold.'),
  hidden: describe(v.boolean(), 'Whether the value is a secret, or personal.'),
  about: describe(textOrNull, 'What it is for; null for a setting that is not known.'),
  problem: describe(textOrNull, 'What is wrong with it in config.json.'),
});

export const configSchema = v.object({
  version: v.literal(1),
  file: describe(v.string(), 'Path of config.json.'),
  settings: v.array(settingSchema),
});

/** A checkpoint as `--json` prints it. */
export type CheckpointJson = Shape<typeof checkpointSchema>;
export type ExpectedJson = Shape<typeof expectedSchema>;
/** A parcel as `--json` prints it; without postal code and phone digits. */
export type ParcelJson = Shape<typeof parcelSchema>;
/** What `list --json` prints. */
export type ListJson = Shape<typeof listSchema>;
/** What `show --json` prints. */
export type ShowJson = Shape<typeof showSchema>;
/** A parcel as `export` prints it, with what the user entered. Holds what is private. */
export type ExportedParcel = Shape<typeof exportedParcelSchema>;
export type AspectJson = Shape<typeof aspectSchema>;
/** A line of the change log as `changes --json` prints it: one object a line. */
export type ChangeJson = Shape<typeof changeSchema>;
/** The same as `watch --json` prints it and `watch --exec` hands it on, with its parcel. */
export type WatchJson = Shape<typeof watchSchema>;
/** What `couriers --json` prints. */
export type CouriersJson = Shape<typeof couriersSchema>;
/** What `config list --json` prints. */
export type ConfigJson = Shape<typeof configSchema>;
export type SettingJson = Shape<typeof settingSchema>;
/** What `doctor --json` prints. */
export type DoctorJson = Shape<typeof doctorSchema>;
/** One finding of `doctor`. Never holds the API key, a postal code or a phone number. */
export type Check = DoctorJson['checks'][number];
export type CheckStatus = Check['status'];
