import * as v from 'valibot';

const numericString = v.pipe(v.string('is not a string'), v.regex(/^\d+$/, 'is not a numeric string'));
const text = v.string('is not a string');
const integer = v.pipe(v.number('is not a number'), v.integer('is not a whole number'));
const time = v.pipe(text, v.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'is not YYYY-MM-DD HH:mm:ss'));
const utcTime = v.pipe(text, v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'is not YYYY-MM-DDTHH:mm:ssZ'));
const offset = v.pipe(text, v.regex(/^[+-]\d\d:\d\d$/, 'is neither +HH:MM nor -HH:MM'));
const country = v.pipe(text, v.regex(/^[A-Z]{2}$/, 'is not two letters'));
const webAddress = v.pipe(text, v.regex(/^https?:\/\//, 'is not a web address'));

/** The envelope of a response. */
export const envelope = v.looseObject({
  code: v.literal('00000', 'is not "00000"'),
  data: v.union([v.looseObject({}), v.array(v.unknown())], 'is not an object'),
  msg: v.literal('Success', 'is not "Success"'),
  traceId: v.pipe(text, v.regex(/^[0-9a-f]{32}$/i, 'is not 32 hexadecimal characters')),
});

/** A page of records. */
export const page = v.looseObject({
  content: v.array(v.looseObject({}), 'is not an array'),
  totalElements: numericString,
  totalPages: numericString,
  currentPage: numericString,
  cursor: numericString,
});

const checkpoint = v.looseObject({
  address: v.nullish(text),
  eventTime: v.nullish(time),
  eventTimeZeroUTC: v.nullish(utcTime),
  timezone: v.nullish(offset),
  eventDetail: v.nullish(text),
  transitSubStatus: v.nullish(text),
});

/** A record's courier data. */
const logistics = v.looseObject({
  courierCode: v.nullish(text),
  courierNameCN: v.nullish(text),
  courierNameEN: v.nullish(text),
  courierHomePage: v.nullish(webAddress),
  courierTrackingLink: v.nullish(webAddress),
  trackingDetails: v.nullish(v.array(checkpoint, 'is not an array')),
});

/** A record. Fields may be absent or null until the first successful lookup. */
export const record = v.looseObject({
  id: numericString,
  trackNo: text,
  createTime: time,
  nextUpdateTime: v.nullish(time),
  shipFrom: v.nullish(country),
  shipTo: v.nullish(country),
  trackingStatus: v.nullish(v.pipe(text, v.regex(/^\d{3}$/, 'is not three digits'))),
  transitStatus: v.nullish(text),
  transitSubStatus: v.nullish(text),
  receiptTime: v.nullish(time),
  lastTrackingTime: v.nullish(time),
  transitDays: v.nullish(integer),
  stayDays: v.nullish(integer),
  localLogisticsInfo: v.nullish(logistics),
  shipmentType: v.nullish(text),
});

/** An entry of `data.rejected`. */
export const rejection = v.looseObject({
  index: integer,
  trackNo: text,
  error: v.looseObject({ code: text, msg: text }),
});

/** The web framework's response for an unknown path, without an envelope (captured). */
export const notFoundPage = v.looseObject({
  timestamp: time,
  status: v.literal(404),
  error: v.literal('Not Found'),
  message: text,
  path: text,
});

/** A row of Get Carriers. In some rows, fields are empty or null. */
export const courier = v.looseObject({
  courierCode: v.nullish(text),
  courierNameCN: v.nullish(text),
  courierNameEN: v.nullish(text),
  courierHomePage: v.nullish(text),
});

/** The result of a retrack. */
export const retracked = v.looseObject({ success: v.boolean('is not a boolean'), actualRefreshTime: time });

/** Returns what is wrong with a value, field by field. Empty if nothing is wrong. */
export function shapeErrors(schema: v.GenericSchema, value: unknown, name: string): readonly string[] {
  const { issues } = v.safeParse(schema, value);
  return (issues ?? []).map((issue) => {
    const path = v.getDotPath(issue);
    return `${path === null ? name : `${name}.${path}`} ${issue.message}: ${JSON.stringify(issue.input) ?? 'absent'}`;
  });
}
