import * as v from 'valibot';
import { changeKinds } from '../parcels/change.ts';
import type { Shape } from '../service/record.ts';
import { stages } from '../service/status.ts';

/**
 * Schemas for the JSON that commands print. The build generates `dist/schemas` from this file, and the program uses
 * only its types. Missing values are null. New fields may be added at any time; any other change increments `version`.
 */

export const instant = v.pipe(v.string(), v.isoTimestamp(), v.description('ISO 8601, UTC, with Z'));
export const textOrNull = v.nullable(v.string());
const instantOrNull = v.nullable(instant);
export const integerOrNull = v.nullable(v.pipe(v.number(), v.integer()));

export const describe = <Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text) as v.DescriptionAction<v.InferOutput<Schema>, string>);

const checkpointSchema = v.object({
  at: describe(instantOrNull, 'Null if the zone is unknown.'),
  local: describe(textOrNull, "The courier's local time, as received."),
  offset: describe(textOrNull, 'Offset of that time from UTC, such as +01:00.'),
  certain: describe(v.boolean(), 'False if the zone is unknown or the times contradict each other.'),
  address: textOrNull,
  detail: textOrNull,
  subStatus: textOrNull,
  translation: describe(textOrNull, '`detail` in the requested language; null if there is no translation.'),
  courierCode: describe(
    textOrNull,
    'The courier that reported the event; null if unknown, or if all events come from one courier.',
  ),
  courierName: textOrNull,
  future: v.exactOptional(
    describe(
      v.literal(true),
      'Present if the event was more than a day in the future when received; such an event is ignored.',
    ),
  ),
});

const expectedSchema = v.object({
  from: describe(
    textOrNull,
    'A time if the courier gave times, otherwise a day (YYYY-MM-DD). Null if only an end was given.',
  ),
  to: describe(textOrNull, 'Equal to `from` if it is a single day or time. Null if only a start was given.'),
});

const forecastSchema = v.object({
  from: describe(
    v.string(),
    'The day (YYYY-MM-DD, in your zone) by which half of similar parcels arrived; today at the earliest.',
  ),
  to: describe(v.string(), 'The day by which the fraction `share` of them arrived.'),
  share: v.number(),
});

const lastMileSchema = v.object({ trackNo: textOrNull, courierCode: textOrNull, courierName: textOrNull });

const errorSchema = v.object({ kind: v.string(), code: textOrNull, message: v.string(), traceId: textOrNull });

export const parcelSchema = v.object({
  trackNo: v.string(),
  courierCode: textOrNull,
  courierName: textOrNull,
  label: textOrNull,
  note: describe(textOrNull, 'Your own note; it is never sent to the service.'),
  tags: v.array(v.string()),
  state: describe(
    v.picklist(['pending', 'watching', 'rejected', 'archived']),
    "The parcel's state in this program; `archived` takes precedence.",
  ),
  stage: v.picklist(stages),
  status: describe(textOrNull, 'As received from the service.'),
  subStatus: textOrNull,
  statusText: describe(v.string(), 'The status in words.'),
  shipFrom: textOrNull,
  shipTo: textOrNull,
  transitDays: integerOrNull,
  stayDays: describe(
    integerOrNull,
    'Whole days since the newest event (at least this many if the event has no zone); null if delivered, expired or archived.',
  ),
  shipmentType: textOrNull,
  expectedDelivery: describe(v.nullable(expectedSchema), 'Null if no delivery is expected.'),
  deliveredAt: instantOrNull,
  signedBy: textOrNull,
  trackingLink: describe(textOrNull, "The parcel's page on the current courier's site."),
  courierHomePage: describe(textOrNull, 'Home page of the current courier.'),
  orderNo: textOrNull,
  remark: textOrNull,
  lastMile: v.nullable(lastMileSchema),
  lastEvent: v.nullable(checkpointSchema),
  checkpointCount: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextUpdateAt: describe(instantOrNull, 'When the service will check the courier next.'),
  nextPollAt: describe(instantOrNull, 'When this program will check the parcel next; null while checks are paused.'),
  checkedAt: describe(instantOrNull, 'Time of the last valid response.'),
  stale: describe(
    v.boolean(),
    'True if the last check failed or is overdue, or if the service could not reach the courier.',
  ),
  error: describe(v.nullable(errorSchema), 'Why the last check failed; null if it succeeded.'),
  unread: describe(v.boolean(), 'True if the parcel has changes that are marked as new on a board.'),
  changedAt: describe(instantOrNull, "Time of the parcel's newest line in the change log."),
  deliveredLocal: describe(textOrNull, 'Local delivery time as received, without a zone.'),
  closed: describe(
    v.boolean(),
    'True if the parcel was cancelled, returned or lost and you have read this change; its stage stays "attention".',
  ),
  forecast: describe(
    v.nullable(forecastSchema),
    'When the parcel is likely to arrive, based on delivered parcels of this list; null if the courier promised a day, or fewer than ten were delivered.',
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
  record: describe(v.nullable(v.record(v.string(), v.unknown())), 'As received; null before the first response.'),
});

/** Data that the user entered, under the names that `import` uses. */
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

const aspectSchema = describe(
  v.partial(
    v.object({
      state: parcelSchema.entries.state,
      stage: parcelSchema.entries.stage,
      status: parcelSchema.entries.status,
      subStatus: textOrNull,
      courierCode: textOrNull,
      lastEvent: v.nullable(v.omit(checkpointSchema, ['translation', 'courierCode', 'courierName'])),
      error: v.nullable(errorSchema),
    }),
  ),
  'The fields of the parcel that changed. All others are absent.',
);

export const changeSchema = v.object({
  version: v.literal(1),
  seq: describe(v.pipe(v.number(), v.integer(), v.minValue(1)), 'Increases by one with each line of the change log.'),
  at: describe(instant, 'When the change happened according to the courier; if unknown, when it was noticed.'),
  noticedAt: instant,
  change: v.picklist(changeKinds),
  trackNo: v.string(),
  courierCode: textOrNull,
  label: textOrNull,
  from: describe(v.nullable(aspectSchema), 'Fields before the change; null for an added parcel.'),
  to: describe(v.nullable(aspectSchema), 'Fields after the change; null for a removed parcel.'),
  message: describe(v.string(), "What changed, without the parcel's name."),
  text: describe(v.string(), 'The message after the label, or after the number if there is no label.'),
});

export const watchSchema = v.object({
  ...changeSchema.entries,
  parcel: describe(parcelSchema, 'The parcel after the change, or before it if it was removed.'),
});

export const couriersSchema = v.object({
  version: v.literal(1),
  fetchedAt: describe(instant, 'When the list was received.'),
  couriers: v.array(v.object({ code: v.string(), nameEN: textOrNull, nameCN: textOrNull, homePage: textOrNull })),
});

export const doctorSchema = v.object({
  version: v.literal(1),
  checks: v.array(
    v.object({
      name: v.string(),
      status: describe(v.picklist(['ok', 'warn', 'fail']), 'warn: works, but needs your attention.'),
      found: v.string(),
      advice: describe(textOrNull, 'How to fix it; null if nothing needs fixing.'),
    }),
  ),
});

const settingSchema = v.object({
  name: v.string(),
  value: describe(v.unknown(), 'The effective value; asterisks if it is hidden, null if nothing is set.'),
  origin: describe(
    textOrNull,
    'An option, an environment variable, "config.json", "profile NAME" or "default"; null if nothing is set.',
  ),
  outranked: describe(v.boolean(), 'True if the value overrides one in config.json.'),
  hidden: describe(v.boolean(), 'True if the value is secret or personal.'),
  about: describe(textOrNull, 'What the setting is for; null if the setting is unknown.'),
  problem: describe(textOrNull, 'What is wrong with its value in config.json; null if nothing is wrong.'),
});

export const configSchema = v.object({
  version: v.literal(1),
  file: describe(v.string(), 'Path to config.json.'),
  settings: v.array(settingSchema),
});

export type CheckpointJson = Shape<typeof checkpointSchema>;
export type ExpectedJson = Shape<typeof expectedSchema>;
/** A parcel as `--json` prints it, which does not include the postal code and phone digits. */
export type ParcelJson = Shape<typeof parcelSchema>;
export type ListJson = Shape<typeof listSchema>;
export type ShowJson = Shape<typeof showSchema>;
/** A parcel as `export` prints it, including private data. */
export type ExportedParcel = Shape<typeof exportedParcelSchema>;
export type AspectJson = Shape<typeof aspectSchema>;
/** A line of the change log as `changes --json` prints it. */
export type ChangeJson = Shape<typeof changeSchema>;
/** The output of `watch --json` and the input of `watch --exec`. */
export type WatchJson = Shape<typeof watchSchema>;
export type CouriersJson = Shape<typeof couriersSchema>;
export type ConfigJson = Shape<typeof configSchema>;
export type SettingJson = Shape<typeof settingSchema>;
export type DoctorJson = Shape<typeof doctorSchema>;
/** A finding of `doctor`. Never contains an API key, a postal code or a phone number. */
export type Check = DoctorJson['checks'][number];
export type CheckStatus = Check['status'];
