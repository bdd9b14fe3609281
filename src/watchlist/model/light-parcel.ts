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
 * empty; texts are cleaned.
 */
export function unpackLight(id: string, packed: PackedParcel): LightParcel {
  const { extras, merchant, record, lastEvent, error, indexing, unread } = packed;
  const unreadSince = text(fieldsOf(unread)['since']);
  const { lastRead } = fieldsOf(unread);
  const historyId = text(packed['historyId']);
  const restoredAt = text(packed['restoredAt']);
  const changedAt = text(packed['changedAt']);
  return {
    id,
    ...(historyId === null ? {} : { historyId }),
    trackNo: text(packed['trackNo']) ?? '',
    courierCode: text(packed['courierCode']),
    courierPinned: packed['courierPinned'] === true,
    label: text(packed['label']),
    tags: Array.isArray(packed['tags']) ? packed['tags'].flatMap((tag) => text(tag) ?? []) : [],
    extras: { postalCode: text(fieldsOf(extras)['postalCode']), phoneSuffix: text(fieldsOf(extras)['phoneSuffix']) },
    ...(merchant === undefined ? {} : { merchant: texts(merchant, merchantFields) }),
    registration: registrationOf(packed['registration']),
    addedAt: text(packed['addedAt']) ?? '1970-01-01T00:00:00.000Z',
    registeredAt: text(packed['registeredAt']),
    ...(indexing === undefined ? {} : { indexing: indexingOf(fieldsOf(indexing)) }),
    archivedAt: text(packed['archivedAt']),
    ...(packed['autoArchived'] === true ? { autoArchived: true } : {}),
    ...(restoredAt === null ? {} : { restoredAt }),
    record: record === undefined ? null : recordOf(fieldsOf(record)),
    lastEvent: lastEvent === undefined ? null : eventOf(fieldsOf(lastEvent)),
    checkpointCount: numeric(packed['checkpointCount']) ?? 0,
    checkedAt: text(packed['checkedAt']),
    nextPollAt: text(packed['nextPollAt']),
    fruitlessPolls: numeric(packed['fruitlessPolls']) ?? 0,
    deliveryConfirmed: packed['deliveryConfirmed'] === true,
    error: error === undefined ? null : errorOf(fieldsOf(error)),
    ...(changedAt === null ? {} : { changedAt }),
    ...(unreadSince === null
      ? {}
      : { unread: { since: unreadSince, lastRead: lastRead === undefined ? null : eventOf(fieldsOf(lastRead)) } }),
    isLight: true,
  };
}

function recordOf(packed: PackedParcel): RecordSummary {
  const { arrival, expectedDelivery, lastMile } = packed;
  const pieces = numeric(packed['pieces']);
  const longestStillDays = numeric(packed['longestStillDays']);
  const expected = expectedDelivery === undefined ? null : expectedOf(fieldsOf(expectedDelivery));
  return {
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
    ...texts(packed, ['deliveredTime', 'signedBy', 'weight', 'dimensions', 'serviceCode', 'orderNo', 'remark']),
    ...(pieces === null ? {} : { pieces }),
    ...(longestStillDays === null ? {} : { longestStillDays }),
    ...(lastMile === undefined ? {} : { lastMile: lastMileOf(fieldsOf(lastMile)) }),
    ...(expected === null ? {} : { expectedDelivery: expected }),
    ...(arrival === undefined ? {} : { arrival: eventOf(fieldsOf(arrival)) }),
  };
}

function eventOf(packed: PackedParcel): Checkpoint {
  const translation = text(packed['translation']);
  return {
    at: text(packed['at']),
    local: text(packed['local']),
    offset: text(packed['offset']),
    certain: packed['certain'] !== false,
    address: text(packed['address']),
    detail: text(packed['detail']),
    subStatus: text(packed['subStatus']),
    ...(translation === null ? {} : { translation }),
  };
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
