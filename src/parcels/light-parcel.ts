import { cleanTextOrNull, isCleanLine } from '../lib/clean-text.ts';
import { StoreError } from '../lib/store-errors.ts';
import type { Checkpoint } from '../service/record.ts';
import type { Parcel, RecordSummary } from './parcel.ts';

/**
 * A parcel without what only its details show: it has what rows, columns, counts, filter, sorting, planning, news and the
 * header need. It has the shape of a parcel, so that the same functions read both; nothing of it may be written over a whole
 * one, which `isLight` keeps the writers from.
 */
type LightParcel = Parcel & { readonly isLight: true };

/** A parcel that may be written: the compiler refuses a {@link LightParcel} in its place. */
export type WholeParcel = Parcel & { readonly isLight?: never };

/**
 * Of a parcel what {@link lightOf} keeps, each field at its place: names would be half of what is read of a long list. What
 * is empty is null, or not there behind the last that is not. New fields come behind the others.
 */
type PackedParcel = readonly unknown[];

/** Whether a parcel is without what only its details show. */
export function isLight(parcel: Parcel): parcel is LightParcel {
  return (parcel as Partial<LightParcel>).isLight === true;
}

/** A parcel that is whole, as itself. Throws a `StoreError` for a light one: to write that would lose what it lacks. */
export function asWhole(parcel: Parcel): WholeParcel {
  if (isLight(parcel)) {
    const sentence = `Only a part of ${parcel.trackNo} has been read, so it was not written. This is a mistake of the program; please report it.`;
    throw new StoreError('failed', sentence, 'the watchlist');
  }
  return parcel;
}

/** A parcel without what only its details show; a light one stays itself. */
export function lightOf(parcel: Parcel): LightParcel {
  return isLight(parcel) ? parcel : unpackLight(parcel.id, packLight(parcel));
}

const registrations: readonly Parcel['registration'][] = ['pending', 'registered', 'rejected'];

/** What a store writes beside a parcel, so that a list of many can be read without them. Pure. */
export function packLight(parcel: Parcel): PackedParcel {
  const { error, extras, indexing, lastEvent, merchant, record, tags, unread } = parcel;
  return packed(
    parcel.trackNo,
    parcel.courierCode,
    parcel.label,
    parcel.addedAt,
    parcel.registeredAt,
    parcel.checkedAt,
    parcel.nextPollAt,
    registrations.indexOf(parcel.registration),
    parcel.courierPinned,
    parcel.checkpointCount,
    record === null ? null : packRecord(record),
    lastEvent === null ? null : packEvent(lastEvent),
    parcel.fruitlessPolls,
    parcel.deliveryConfirmed,
    parcel.changedAt,
    unread === undefined ? null : packed(unread.since, unread.lastRead === null ? null : packEvent(unread.lastRead)),
    parcel.archivedAt,
    parcel.autoArchived,
    parcel.restoredAt,
    parcel.historyId,
    tags.length === 0 ? null : tags,
    extras.postalCode,
    extras.phoneSuffix,
    error === null ? null : packed(error.kind, error.code, error.message, error.traceId),
    indexing === undefined ? null : packed(indexing.since, indexing.registeredAgainAt),
    merchant === undefined ? null : packMerchant(merchant),
    parcel.endedAt,
    parcel.plannedFor,
    parcel.unconfirmedSince,
  );
}

function packRecord(record: RecordSummary): PackedParcel {
  const { arrival, expectedDelivery, lastMile } = record;
  return packed(
    record.courierCode,
    record.courierNameEN,
    record.courierNameCN,
    record.nextUpdateTime,
    record.shipFrom,
    record.shipTo,
    record.trackingStatus,
    record.transitStatus,
    record.transitSubStatus,
    record.lastTrackingTime,
    record.transitDays,
    record.stayDays,
    record.deliveredTime,
    arrival === undefined ? null : packEvent(arrival),
    record.longestStillDays,
    record.shipmentType,
    expectedDelivery === undefined ? null : packExpected(expectedDelivery),
    lastMile === undefined ? null : packed(lastMile.trackNo, lastMile.courierCode, lastMile.courierName),
    record.signedBy,
    record.pieces,
    record.weight,
    record.dimensions,
    record.serviceCode,
    record.orderNo,
    record.remark,
  );
}

const packEvent = ({ address, at, certain, detail, local, offset, subStatus, translation }: Checkpoint): PackedParcel =>
  packed(at, local, offset, address, detail, subStatus, translation, !certain);

const packExpected = (expected: NonNullable<RecordSummary['expectedDelivery']>): PackedParcel =>
  expected.kind === 'day'
    ? packed(expected.date, expected.until)
    : packed(null, expected.from, expected.to, expected.offset);

/** Without the address of the customer. Of texts that are none, nothing is there afterwards. */
const packMerchant = ({ country, orderNo, remark }: NonNullable<Parcel['merchant']>): PackedParcel => [
  orderNo ?? null,
  country ?? null,
  remark ?? null,
];

/** The values without those at the end that say nothing. */
function packed(...values: readonly unknown[]): PackedParcel {
  const last = values.findLastIndex((value) => value !== null && value !== undefined && value !== false);
  return values.slice(0, last + 1);
}

/**
 * The light parcel of what a store has kept of {@link packLight}; null for a value that is none. Whatever else stands in it
 * (somebody else may have written it) counts as empty; texts are cleaned.
 * @param line the value as it stands in the store
 */
export function readLight(id: string, packed: unknown, line: string): LightParcel | null {
  if (!Array.isArray(packed)) return null;
  const light = unpackLight(id, isCleanLine(line) ? packed : (cleaned(packed) as PackedParcel));
  return light.trackNo === '' ? null : light;
}

/** The same with each text in it cleaned. */
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  return typeof value === 'string' ? cleanTextOrNull(value) : value;
}

/**
 * Done for each parcel of a long list before its first frame: fields that are often absent are set on the object, since to
 * spread objects over each other takes longer than all else.
 */
function unpackLight(id: string, packed: PackedParcel): LightParcel {
  const [unread, tags, error, indexing, merchant] = [packed[15], packed[20], packed[23], packed[24], packed[25]];
  const light: Settable<LightParcel> = {
    id,
    trackNo: text(packed[0]) ?? '',
    courierCode: text(packed[1]),
    courierPinned: packed[8] === true,
    label: text(packed[2]),
    tags: Array.isArray(tags) ? tags.flatMap((tag) => text(tag) ?? []) : [],
    extras: { postalCode: text(packed[21]), phoneSuffix: text(packed[22]) },
    registration: registrations[numeric(packed[7]) ?? 0] ?? 'pending',
    addedAt: text(packed[3]) ?? '1970-01-01T00:00:00.000Z',
    registeredAt: text(packed[4]),
    archivedAt: text(packed[16]),
    record: recordOf(packed[10]),
    lastEvent: eventOf(packed[11]),
    checkpointCount: numeric(packed[9]) ?? 0,
    checkedAt: text(packed[5]),
    nextPollAt: text(packed[6]),
    fruitlessPolls: numeric(packed[12]) ?? 0,
    deliveryConfirmed: packed[13] === true,
    error: Array.isArray(error) ? errorOf(error) : null,
    isLight: true,
  };
  setText(light, 'historyId', packed[19]);
  setText(light, 'restoredAt', packed[18]);
  setText(light, 'changedAt', packed[14]);
  setText(light, 'endedAt', packed[26]);
  setText(light, 'plannedFor', packed[27]);
  setText(light, 'unconfirmedSince', packed[28]);
  if (Array.isArray(merchant)) light.merchant = merchantOf(merchant);
  if (Array.isArray(indexing)) light.indexing = indexingOf(indexing);
  if (packed[17] === true) light.autoArchived = true;
  const since = Array.isArray(unread) ? text(unread[0]) : null;
  if (since !== null) light.unread = { since, lastRead: eventOf((unread as PackedParcel)[1]) };
  return light;
}

function recordOf(packed: unknown): RecordSummary | null {
  if (!Array.isArray(packed)) return null;
  const record: Settable<RecordSummary> = {
    id: null,
    trackNo: '',
    courierCode: text(packed[0]),
    courierNameEN: text(packed[1]),
    courierNameCN: text(packed[2]),
    courierHomePage: null,
    courierTrackingLink: null,
    createTime: null,
    nextUpdateTime: text(packed[3]),
    shipFrom: text(packed[4]),
    shipTo: text(packed[5]),
    trackingStatus: text(packed[6]),
    transitStatus: text(packed[7]),
    transitSubStatus: text(packed[8]),
    receiptTime: null,
    lastTrackingTime: text(packed[9]),
    transitDays: numeric(packed[10]),
    stayDays: numeric(packed[11]),
    shipmentType: text(packed[15]),
  };
  // Most have none of what comes now.
  if (packed.length <= 12) return record;
  setText(record, 'deliveredTime', packed[12]);
  const arrival = eventOf(packed[13]);
  if (arrival !== null) record.arrival = arrival;
  setNumber(record, 'longestStillDays', packed[14]);
  const expected = expectedOf(packed[16]);
  if (expected !== null) record.expectedDelivery = expected;
  if (Array.isArray(packed[17])) record.lastMile = lastMileOf(packed[17]);
  setText(record, 'signedBy', packed[18]);
  setNumber(record, 'pieces', packed[19]);
  setText(record, 'weight', packed[20]);
  setText(record, 'dimensions', packed[21]);
  setText(record, 'serviceCode', packed[22]);
  setText(record, 'orderNo', packed[23]);
  setText(record, 'remark', packed[24]);
  return record;
}

function eventOf(packed: unknown): Checkpoint | null {
  if (!Array.isArray(packed)) return null;
  const event: Settable<Checkpoint> = {
    at: text(packed[0]),
    local: text(packed[1]),
    offset: text(packed[2]),
    certain: packed[7] !== true,
    address: text(packed[3]),
    detail: text(packed[4]),
    subStatus: text(packed[5]),
  };
  setText(event, 'translation', packed[6]);
  return event;
}

/** What is still being put together. */
type Settable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** Sets a field that is left out where it has no text. */
function setText<Name extends string>(of: { [Key in Name]?: string }, name: Name, value: unknown): void {
  const found = text(value);
  if (found !== null) of[name] = found;
}

function setNumber<Name extends string>(of: { [Key in Name]?: number }, name: Name, value: unknown): void {
  const found = numeric(value);
  if (found !== null) of[name] = found;
}

function merchantOf([orderNo, country, remark]: PackedParcel): NonNullable<Parcel['merchant']> {
  const merchant: Settable<NonNullable<Parcel['merchant']>> = {};
  setText(merchant, 'orderNo', orderNo);
  setText(merchant, 'country', country);
  setText(merchant, 'remark', remark);
  return merchant;
}

const lastMileOf = ([trackNo, courierCode, courierName]: PackedParcel): NonNullable<RecordSummary['lastMile']> => ({
  trackNo: text(trackNo),
  courierCode: text(courierCode),
  courierName: text(courierName),
});

function expectedOf(packed: unknown): NonNullable<RecordSummary['expectedDelivery']> | null {
  if (!Array.isArray(packed)) return null;
  const [date, from, to, offset] = [packed[0], packed[1], packed[2], packed[3]].map(text);
  // The last of several days stands where the start of a window does.
  if (date) return { kind: 'day', date, ...(from ? { until: from } : {}) };
  return (from || to) && offset ? { kind: 'window', from: from ?? null, to: to ?? null, offset } : null;
}

const errorOf = ([kind, code, message, traceId]: PackedParcel): NonNullable<Parcel['error']> => ({
  kind: text(kind) ?? '',
  code: text(code),
  message: text(message) ?? '',
  traceId: text(traceId),
});

const indexingOf = ([since, registeredAgainAt]: PackedParcel): NonNullable<Parcel['indexing']> => ({
  since: text(since) ?? '1970-01-01T00:00:00.000Z',
  registeredAgainAt: text(registeredAgainAt),
});

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const numeric = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
