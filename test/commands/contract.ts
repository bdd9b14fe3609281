/**
 * The contract for `--json` output, written independently of the code: every field is present, there are no others,
 * missing values are null, and instants are ISO 8601 in UTC with a Z.
 */
import * as v from 'valibot';

const instant = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/));
const textOrNull = v.nullable(v.pipe(v.string(), v.nonEmpty()));
const offset = v.pipe(v.string(), v.regex(/^[+-]\d{2}:\d{2}$/));
const webUrl = v.pipe(v.string(), v.regex(/^https?:\/\/[\x21-\x7e]+$/));
const integerOrNull = v.nullable(v.pipe(v.number(), v.integer()));

const checkpoint = v.strictObject({
  at: v.nullable(instant),
  local: textOrNull,
  offset: v.nullable(offset),
  certain: v.boolean(),
  address: textOrNull,
  detail: textOrNull,
  subStatus: textOrNull,
  translation: textOrNull,
  courierCode: textOrNull,
  courierName: textOrNull,
});

const parcelFields = {
  trackNo: v.pipe(v.string(), v.nonEmpty()),
  courierCode: textOrNull,
  courierName: textOrNull,
  label: textOrNull,
  note: textOrNull,
  tags: v.array(v.string()),
  state: v.picklist(['pending', 'watching', 'rejected', 'archived']),
  stage: v.picklist([
    'attention',
    'pickup',
    'out-for-delivery',
    'in-transit',
    'announced',
    'no-record',
    'delivered',
    'expired',
    'unknown',
  ]),
  status: textOrNull,
  subStatus: textOrNull,
  statusText: textOrNull,
  shipFrom: textOrNull,
  shipTo: textOrNull,
  transitDays: integerOrNull,
  stayDays: integerOrNull,
  shipmentType: textOrNull,
  expectedDelivery: v.nullable(
    v.union([
      v.strictObject({ from: instant, to: v.nullable(instant) }),
      v.strictObject({ from: v.pipe(v.string(), v.isoDate()), to: v.pipe(v.string(), v.isoDate()) }),
    ]),
  ),
  forecast: v.nullable(
    v.strictObject({
      from: v.pipe(v.string(), v.isoDate()),
      to: v.pipe(v.string(), v.isoDate()),
      share: v.literal(0.9),
    }),
  ),
  deliveredAt: v.nullable(instant),
  deliveredLocal: v.nullable(v.string()),
  signedBy: textOrNull,
  trackingLink: v.nullable(webUrl),
  courierHomePage: v.nullable(webUrl),
  orderNo: textOrNull,
  remark: textOrNull,
  lastMile: v.nullable(v.strictObject({ trackNo: textOrNull, courierCode: textOrNull, courierName: textOrNull })),
  lastEvent: v.nullable(checkpoint),
  checkpointCount: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextUpdateAt: v.nullable(instant),
  nextPollAt: v.nullable(instant),
  checkedAt: v.nullable(instant),
  stale: v.boolean(),
  error: v.nullable(v.strictObject({ kind: v.string(), code: textOrNull, message: v.string(), traceId: textOrNull })),
  unread: v.boolean(),
  changedAt: v.nullable(instant),
  closed: v.boolean(),
};

/** What `list --json` prints. */
export const listContract = v.strictObject({
  version: v.literal(1),
  generatedAt: instant,
  service: v.strictObject({
    baseUrl: textOrNull,
    clock: v.strictObject({ offset, source: v.picklist(['configured', 'measured', 'assumed']) }),
  }),
  parcels: v.array(v.strictObject(parcelFields)),
});

/** What `show --json` prints. */
export const showContract = v.strictObject({
  ...parcelFields,
  checkpoints: v.array(checkpoint),
  record: v.nullable(v.looseObject({ trackNo: v.string() })),
});

/** What `export --format json` prints: `list --json` and the user's data. */
export const exportContract = v.strictObject({
  ...listContract.entries,
  parcels: v.array(
    v.strictObject({
      ...parcelFields,
      addedAt: instant,
      archivedAt: v.nullable(instant),
      postalCode: textOrNull,
      phoneSuffix: v.nullable(v.pipe(v.string(), v.regex(/^\d{4}$/))),
      orderNo: textOrNull,
      country: textOrNull,
      shipTime: v.nullable(instant),
      email: textOrNull,
      remark: textOrNull,
      custom1: textOrNull,
      custom2: textOrNull,
    }),
  ),
});

const changedFields = v.strictObject({
  state: v.exactOptional(parcelFields.state),
  stage: v.exactOptional(parcelFields.stage),
  status: v.exactOptional(textOrNull),
  subStatus: v.exactOptional(textOrNull),
  courierCode: v.exactOptional(textOrNull),
  lastEvent: v.exactOptional(
    v.nullable(
      v.strictObject({
        at: v.nullable(instant),
        local: textOrNull,
        offset: v.nullable(offset),
        certain: v.boolean(),
        address: textOrNull,
        detail: textOrNull,
        subStatus: textOrNull,
      }),
    ),
  ),
  error: v.exactOptional(parcelFields.error),
});

/** A line of `changes --json`. */
export const changeContract = v.strictObject({
  version: v.literal(1),
  seq: v.pipe(v.number(), v.integer(), v.minValue(1)),
  at: instant,
  noticedAt: instant,
  change: v.picklist([
    'added',
    'removed',
    'archived',
    'restored',
    'registered',
    'rejected',
    'courier',
    'status',
    'event',
    'trouble',
    'recovered',
  ]),
  trackNo: v.pipe(v.string(), v.nonEmpty()),
  courierCode: textOrNull,
  label: textOrNull,
  from: v.nullable(changedFields),
  to: v.nullable(changedFields),
  message: v.pipe(v.string(), v.nonEmpty()),
  text: v.pipe(v.string(), v.nonEmpty()),
});

/** A line of `watch --json`. */
export const watchContract = v.strictObject({ ...changeContract.entries, parcel: v.strictObject(parcelFields) });
