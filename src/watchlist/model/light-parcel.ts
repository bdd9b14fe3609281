import type { Checkpoint } from '../../service/record/record.ts';
import { cleanTextOrNull, isCleanText } from '../../service/text/clean-text.ts';
import { StoreError } from '../errors.ts';
import type { Parcel, RecordSummary } from './parcel.ts';

/**
 * A parcel without what only its details show: it has what rows, columns, counts, filter, sorting, planning, news and the
 * header need. It has the shape of a parcel, so that the same functions read both; nothing of it may be written over a whole
 * one, which `isLight` keeps the writers from.
 */
export type LightParcel = Parcel & { readonly isLight: true };

/** A parcel that may be written: the compiler refuses a {@link LightParcel} in its place. */
export type WholeParcel = Parcel & { readonly isLight?: never };

/** Of a parcel what {@link lightOf} keeps, without what is empty: what a store writes beside the whole one. */
export type PackedParcel = Readonly<Record<string, unknown>>;

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

const parcelTexts = ['historyId', 'trackNo', 'courierCode', 'label', 'addedAt', 'registeredAt', 'archivedAt'] as const;
const parcelTimes = ['restoredAt', 'checkedAt', 'nextPollAt', 'changedAt'] as const;
const parcelFlags = ['courierPinned', 'autoArchived', 'deliveryConfirmed'] as const;
const parcelCounts = ['checkpointCount', 'fruitlessPolls'] as const;
const recordFields = [
  'courierCode',
  'courierNameEN',
  'courierNameCN',
  'nextUpdateTime',
  'shipFrom',
  'shipTo',
  'trackingStatus',
  'transitStatus',
  'transitSubStatus',
  'lastTrackingTime',
  'transitDays',
  'stayDays',
  'shipmentType',
  'lastMile',
  'expectedDelivery',
  'deliveredTime',
  'signedBy',
  'pieces',
  'weight',
  'dimensions',
  'serviceCode',
  'orderNo',
  'remark',
  'longestStillDays',
] as const satisfies readonly (keyof RecordSummary)[];
const eventFields = ['at', 'local', 'offset', 'address', 'detail', 'subStatus', 'translation'] as const;
const merchantFields = ['orderNo', 'country', 'remark'] as const;

/** What a store writes beside a parcel, so that a list of many can be read without them. Pure. */
export function packLight(parcel: Parcel): PackedParcel {
  const { error, extras, indexing, lastEvent, merchant, record, registration, tags, unread } = parcel;
  return {
    ...filled(parcel, [...parcelTexts, ...parcelTimes, ...parcelFlags, ...parcelCounts]),
    ...(registration === 'pending' ? {} : { registration }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(extras.postalCode === null && extras.phoneSuffix === null
      ? {}
      : { extras: filled(extras, ['postalCode', 'phoneSuffix']) }),
    ...(merchant === undefined ? {} : { merchant: filled(merchant, merchantFields) }),
    ...(indexing === undefined ? {} : { indexing }),
    ...(record === null ? {} : { record: packRecord(record) }),
    ...(lastEvent === null ? {} : { lastEvent: packEvent(lastEvent) }),
    ...(error === null ? {} : { error }),
    ...(unread === undefined ? {} : { unread: packUnread(unread) }),
  };
}

function packRecord(record: RecordSummary): PackedParcel {
  return {
    ...filled(record, recordFields),
    ...(record.arrival === undefined ? {} : { arrival: packEvent(record.arrival) }),
  };
}

function packUnread({ lastRead, since }: NonNullable<Parcel['unread']>): PackedParcel {
  return { since, ...(lastRead === null ? {} : { lastRead: packEvent(lastRead) }) };
}

function packEvent(event: Checkpoint): PackedParcel {
  return { ...filled(event, eventFields), ...(event.certain ? {} : { certain: false }) };
}

/** The fields that say something: neither null nor absent, 0 or false. */
function filled<Fields extends object>(of: Fields, names: readonly (keyof Fields)[]): PackedParcel {
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const value = of[name];
    if (value !== undefined && value !== null && value !== false && !(value === 0 && isCount(name)))
      found[String(name)] = value;
  }
  return found;
}

/** Those that are 0 where nothing is said; of any other field 0 says something. */
const isCount = (name: PropertyKey): boolean => parcelCounts.some((count) => count === name);

/**
 * The light parcel of what a store has kept of it. Whatever else stands there (somebody else may have written it) counts as
 * empty; texts are cleaned. Done for each parcel of a long list before its first frame: fields that are often absent are set
 * on the object, since to spread objects over each other takes longer than all else.
 */
export function unpackLight(id: string, packed: PackedParcel): LightParcel {
  const { changedAt, error, extras, historyId, indexing, lastEvent, merchant, record, restoredAt, tags, unread } =
    packed;
  const light: Settable<LightParcel> = {
    id,
    trackNo: text(packed['trackNo']) ?? '',
    courierCode: text(packed['courierCode']),
    courierPinned: packed['courierPinned'] === true,
    label: text(packed['label']),
    tags: Array.isArray(tags) ? tags.flatMap((tag) => text(tag) ?? []) : [],
    extras:
      extras === undefined
        ? { postalCode: null, phoneSuffix: null }
        : { postalCode: text(fieldsOf(extras)['postalCode']), phoneSuffix: text(fieldsOf(extras)['phoneSuffix']) },
    registration: registrationOf(packed['registration']),
    addedAt: text(packed['addedAt']) ?? '1970-01-01T00:00:00.000Z',
    registeredAt: text(packed['registeredAt']),
    archivedAt: text(packed['archivedAt']),
    record: record === undefined ? null : recordOf(fieldsOf(record)),
    lastEvent: lastEvent === undefined ? null : eventOf(fieldsOf(lastEvent)),
    checkpointCount: numeric(packed['checkpointCount']) ?? 0,
    checkedAt: text(packed['checkedAt']),
    nextPollAt: text(packed['nextPollAt']),
    fruitlessPolls: numeric(packed['fruitlessPolls']) ?? 0,
    deliveryConfirmed: packed['deliveryConfirmed'] === true,
    error: error === undefined ? null : errorOf(fieldsOf(error)),
    isLight: true,
  };
  setText(light, 'historyId', historyId);
  setText(light, 'restoredAt', restoredAt);
  setText(light, 'changedAt', changedAt);
  if (merchant !== undefined) light.merchant = texts(merchant, merchantFields);
  if (indexing !== undefined) light.indexing = indexingOf(fieldsOf(indexing));
  if (packed['autoArchived'] === true) light.autoArchived = true;
  if (unread !== undefined) {
    const { lastRead, since } = fieldsOf(unread);
    const unreadSince = text(since);
    if (unreadSince !== null)
      light.unread = { since: unreadSince, lastRead: lastRead === undefined ? null : eventOf(fieldsOf(lastRead)) };
  }
  return light;
}

function recordOf(packed: PackedParcel): RecordSummary {
  const { arrival, expectedDelivery, lastMile } = packed;
  const record: Settable<RecordSummary> = {
    id: null,
    trackNo: '',
    courierCode: text(packed['courierCode']),
    courierNameEN: text(packed['courierNameEN']),
    courierNameCN: text(packed['courierNameCN']),
    courierHomePage: null,
    courierTrackingLink: null,
    createTime: null,
    nextUpdateTime: text(packed['nextUpdateTime']),
    shipFrom: text(packed['shipFrom']),
    shipTo: text(packed['shipTo']),
    trackingStatus: text(packed['trackingStatus']),
    transitStatus: text(packed['transitStatus']),
    transitSubStatus: text(packed['transitSubStatus']),
    receiptTime: null,
    lastTrackingTime: text(packed['lastTrackingTime']),
    transitDays: numeric(packed['transitDays']),
    stayDays: numeric(packed['stayDays']),
    shipmentType: text(packed['shipmentType']),
  };
  setText(record, 'deliveredTime', packed['deliveredTime']);
  setText(record, 'signedBy', packed['signedBy']);
  setText(record, 'weight', packed['weight']);
  setText(record, 'dimensions', packed['dimensions']);
  setText(record, 'serviceCode', packed['serviceCode']);
  setText(record, 'orderNo', packed['orderNo']);
  setText(record, 'remark', packed['remark']);
  const pieces = numeric(packed['pieces']);
  if (pieces !== null) record.pieces = pieces;
  const longestStillDays = numeric(packed['longestStillDays']);
  if (longestStillDays !== null) record.longestStillDays = longestStillDays;
  if (lastMile !== undefined) record.lastMile = lastMileOf(fieldsOf(lastMile));
  const expected = expectedDelivery === undefined ? null : expectedOf(fieldsOf(expectedDelivery));
  if (expected !== null) record.expectedDelivery = expected;
  if (arrival !== undefined) record.arrival = eventOf(fieldsOf(arrival));
  return record;
}

function eventOf(packed: PackedParcel): Checkpoint {
  const event: Settable<Checkpoint> = {
    at: text(packed['at']),
    local: text(packed['local']),
    offset: text(packed['offset']),
    certain: packed['certain'] !== false,
    address: text(packed['address']),
    detail: text(packed['detail']),
    subStatus: text(packed['subStatus']),
  };
  setText(event, 'translation', packed['translation']);
  return event;
}

/** What is still being put together. */
type Settable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** Sets a field that is left out where it has no text. */
function setText<Name extends string>(of: { [Key in Name]?: string }, name: Name, value: unknown): void {
  if (value === undefined) return;
  const found = text(value);
  if (found !== null) of[name] = found;
}

const lastMileOf = (packed: PackedParcel): NonNullable<RecordSummary['lastMile']> => ({
  trackNo: text(packed['trackNo']),
  courierCode: text(packed['courierCode']),
  courierName: text(packed['courierName']),
});

function expectedOf(packed: PackedParcel): NonNullable<RecordSummary['expectedDelivery']> | null {
  const [date, from, to, offset] = [packed['date'], packed['from'], packed['to'], packed['offset']].map(text);
  if (packed['kind'] === 'day' && date) return { kind: 'day', date };
  return packed['kind'] === 'window' && from && offset ? { kind: 'window', from, to: to ?? null, offset } : null;
}

const errorOf = (packed: PackedParcel): NonNullable<Parcel['error']> => ({
  kind: text(packed['kind']) ?? '',
  code: text(packed['code']),
  message: text(packed['message']) ?? '',
  traceId: text(packed['traceId']),
});

const indexingOf = (packed: PackedParcel): NonNullable<Parcel['indexing']> => ({
  since: text(packed['since']) ?? '1970-01-01T00:00:00.000Z',
  registeredAgainAt: text(packed['registeredAgainAt']),
});

const registrationOf = (value: unknown): Parcel['registration'] =>
  value === 'registered' || value === 'rejected' ? value : 'pending';

const fieldsOf = (value: unknown): PackedParcel =>
  typeof value === 'object' && value !== null ? (value as PackedParcel) : {};

function texts<Name extends string>(of: unknown, names: readonly Name[]): { readonly [Key in Name]?: string } {
  const found: { [Key in Name]?: string } = {};
  for (const name of names) {
    const value = text(fieldsOf(of)[name]);
    if (value !== null) found[name] = value;
  }
  return found;
}

function text(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return isCleanText(value) ? value : cleanTextOrNull(value);
}

const numeric = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
