import { isDeepStrictEqual } from 'node:util';
import type { EpochMs, Random } from '../lib/clock.ts';
import { type JsonObject, textField } from '../lib/json.ts';
import { randomId } from '../lib/paths.ts';
import type { CourierNeed } from '../service/couriers.ts';
import type { TrackingRecord } from '../service/record.ts';
import { parseServiceTime, type ServiceClock } from '../service/service-clock.ts';
import { sameCourier } from './identity.ts';
import type { Parcel, ParcelExtras, ParcelMerchant, RecordSummary, Registration } from './parcel.ts';
import { endIndexing, hasEnded } from './parcel-state.ts';

/** Absent fields stay unchanged. Null removes a field. */
export type MerchantChange = { readonly [Name in keyof ParcelMerchant]?: string | null };

/** Does not register the number again, because the service can edit the merchant data of a registered number. */
function changeMerchant(parcel: Parcel, change: MerchantChange): Parcel {
  const { merchant: before, ...rest } = parcel;
  const names = Object.keys(change) as (keyof ParcelMerchant)[];
  const record = rest.record === null ? null : dropOldMerchantData(rest.record, change);
  if (record === rest.record && names.every((name) => (before?.[name] ?? null) === change[name])) return parcel;
  const merchant: ParcelMerchant = Object.fromEntries(
    Object.entries({ ...before, ...change }).filter(([, value]) => value !== null),
  );
  return { ...rest, ...(Object.keys(merchant).length === 0 ? {} : { merchant }), record };
}

/** Drops outdated merchant data from the last record, because a later record without it would not clear it. */
function dropOldMerchantData(record: RecordSummary, change: MerchantChange): RecordSummary {
  const changedFields = new Map<string, unknown>(Object.entries(change));
  const entries = Object.entries(record).filter(
    ([name, value]) => !changedFields.has(name) || changedFields.get(name) === value,
  );
  return entries.length === Object.keys(record).length
    ? record
    : (Object.fromEntries(entries) as unknown as RecordSummary);
}

export interface NewParcel {
  /** Normalised by `normaliseTrackNo`. */
  readonly trackNo: string;
  readonly courierCode: string | null;
  readonly label: string | null;
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
  readonly merchant?: ParcelMerchant;
  readonly tags?: readonly string[];
  readonly note?: string | null;
  /** ISO 8601 UTC. An archived parcel is neither registered nor polled. */
  readonly archivedAt?: string;
}

/** Absent fields stay unchanged. Null clears a field. */
export interface ParcelEdit {
  readonly label?: string | null;
  /** Changed only locally. `polling/account.ts` sends the edit of a registered parcel to the service. */
  readonly merchant?: MerchantChange;
  /** Registers the parcel again under this courier. */
  readonly courierCode?: string | null;
  readonly postalCode?: string | null;
  readonly phoneSuffix?: string | null;
  readonly note?: string | null;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  /** Whether the service already has these changes, so that the parcel stays registered and is polled immediately. */
  readonly knownToService?: boolean;
}

/** Returns a parcel that is due for registration immediately, unless it is archived. */
export function newParcel(draft: NewParcel, now: EpochMs, random: Random): Parcel {
  const at = isoInstant(now);
  return {
    id: randomId(random),
    trackNo: draft.trackNo,
    courierCode: draft.courierCode,
    courierPinned: draft.courierCode !== null,
    label: draft.label,
    ...(draft.note ? { note: draft.note } : {}),
    tags: draft.tags ?? [],
    extras: { postalCode: draft.postalCode, phoneSuffix: draft.phoneSuffix },
    ...(isEmpty(draft.merchant) ? {} : { merchant: draft.merchant }),
    registration: 'pending',
    addedAt: at,
    registeredAt: null,
    archivedAt: draft.archivedAt ?? null,
    record: null,
    lastEvent: null,
    checkpointCount: 0,
    checkedAt: null,
    nextPollAt: draft.archivedAt === undefined ? at : null,
    fruitlessPolls: 0,
    deliveryConfirmed: false,
    error: null,
  };
}

/**
 * Changes a parcel. With a different courier it is a different parcel to the service, so it is registered again and starts
 * a new history. Changed extras also need a new registration.
 */
export function editParcel(before: Parcel, changes: ParcelEdit, now: EpochMs): Parcel {
  const annotated = changes.note === undefined ? before : withNote(before, changes.note);
  const parcel = changes.merchant === undefined ? annotated : changeMerchant(annotated, changes.merchant);
  const { courierCode = parcel.courierCode, label = parcel.label } = changes;
  const tags = editTags(parcel.tags, changes);
  const extras = editExtras(parcel.extras, changes);
  const isCourierChanged = !sameCourier(courierCode, parcel.courierCode);
  const areExtrasChanged = extras !== parcel.extras;
  const isPinned = changes.courierCode === undefined ? parcel.courierPinned : courierCode !== null;
  const isSame = label === parcel.label && tags === parcel.tags && isPinned === parcel.courierPinned;
  if (isSame && !isCourierChanged && !areExtrasChanged) return parcel;

  const edited: Parcel = {
    ...parcel,
    label,
    tags,
    courierCode: isCourierChanged ? courierCode : parcel.courierCode,
    courierPinned: isPinned,
    extras,
  };
  if (!isCourierChanged && !areExtrasChanged) return edited;
  const registration = changes.knownToService === true ? 'registered' : 'pending';
  return registerAgain(dropsHistory(parcel, edited) ? forgetRecord(edited, now) : edited, now, registration);
}

function withNote(parcel: Parcel, text: string | null): Parcel {
  const { note = null, ...rest } = parcel;
  if (note === text) return parcel;
  return text === null ? rest : { ...rest, note: text };
}

export function completeExtras(parcel: Parcel, known: Partial<ParcelExtras>): Parcel {
  const postalCode = parcel.extras.postalCode ?? known.postalCode ?? null;
  const phoneSuffix = parcel.extras.phoneSuffix ?? known.phoneSuffix ?? null;
  const extras = editExtras(parcel.extras, { postalCode, phoneSuffix });
  return extras === parcel.extras ? parcel : { ...parcel, extras };
}

function editTags(tags: readonly string[], changes: ParcelEdit): readonly string[] {
  const { addTags = [], removeTags = [] } = changes;
  const edited = [...new Set([...tags, ...addTags])].filter((tag) => !removeTags.includes(tag));
  return isDeepStrictEqual(edited, tags) ? tags : edited;
}

function editExtras(extras: ParcelExtras, changes: ParcelEdit): ParcelExtras {
  const { phoneSuffix = extras.phoneSuffix, postalCode = extras.postalCode } = changes;
  const isSame = postalCode === extras.postalCode && phoneSuffix === extras.phoneSuffix;
  return isSame ? extras : { ...extras, postalCode, phoneSuffix };
}

function isEmpty(merchant: ParcelMerchant | undefined): merchant is undefined {
  return merchant === undefined || Object.keys(merchant).length === 0;
}

/** Whether an edit replaced a known courier, which starts a new history. */
export function dropsHistory(before: Parcel, after: Parcel): boolean {
  return before.courierCode !== null && !sameCourier(before.courierCode, after.courierCode);
}

export function archiveParcel(parcel: Parcel, now: EpochMs): Parcel {
  return parcel.archivedAt === null ? { ...parcel, archivedAt: isoInstant(now), nextPollAt: null } : parcel;
}

export function autoArchiveParcel(parcel: Parcel, now: EpochMs): Parcel {
  return parcel.archivedAt === null ? { ...archiveParcel(parcel, now), autoArchived: true } : parcel;
}

export function restoreParcel(parcel: Parcel, now: EpochMs): Parcel {
  if (parcel.archivedAt === null) return parcel;
  const { autoArchived: _, ...kept } = parcel;
  const restored: Parcel = {
    ...kept,
    archivedAt: null,
    restoredAt: isoInstant(now),
    nextPollAt: isoInstant(now),
    fruitlessPolls: 0,
    deliveryConfirmed: false,
  };
  return restored.registration === 'rejected' ? registerAgain(restored, now) : restored;
}

/** Records when the user restored the parcel, so that an ended parcel is not archived again immediately. */
export function recoverFromTrash(parcel: Parcel, now: EpochMs): Parcel {
  const mayBeArchived = parcel.archivedAt === null && hasEnded(parcel);
  return mayBeArchived ? { ...parcel, restoredAt: isoInstant(now) } : parcel;
}

/** Makes a parcel due immediately: for registration, or for a poll if `registration` is `registered`. */
export function registerAgain(parcel: Parcel, now: EpochMs, registration: Registration = 'pending'): Parcel {
  return {
    ...endIndexing(parcel),
    registration,
    // The service may keep the old creation time, so this registration must not be used to measure the clock skew.
    registeredAt: null,
    nextPollAt: parcel.archivedAt === null ? isoInstant(now) : null,
    fruitlessPolls: 0,
    deliveryConfirmed: false,
    error: null,
  };
}

export function isoInstant(at: EpochMs): string {
  return new Date(at).toISOString();
}

function forgetRecord(parcel: Parcel, now: EpochMs): Parcel {
  // With a new history id, the old events are gone as soon as the index is written.
  const historyId = `${parcel.id.slice(0, 40)}-${now.toString(36)}`;
  return { ...parcel, historyId, record: null, lastEvent: null, checkpointCount: 0, checkedAt: null };
}

export function asRead(parcel: Parcel): Parcel {
  if (parcel.unread === undefined) return parcel;
  const { unread: _seen, ...read } = parcel;
  return read;
}

interface AccountParcelContext {
  readonly now: EpochMs;
  readonly random: Random;
  readonly serviceClock: ServiceClock;
}

/** Returns a registered parcel for a number in the account, with its merchant data but without a record. */
export function accountParcel(
  { courierCode, received, trackNo }: TrackingRecord,
  { now, random, serviceClock }: AccountParcelContext,
): Parcel {
  const merchant = merchantFrom(received, serviceClock);
  const draft = { trackNo, courierCode, label: null, postalCode: null, phoneSuffix: null, merchant };
  // The user did not choose the courier, and the time of registration is unknown.
  return { ...newParcel(draft, now, random), courierPinned: false, registration: 'registered' };
}

const merchantFields = ['orderNo', 'customerEmail', 'remark', 'custom1', 'custom2'] as const;

function merchantFrom(received: JsonObject, serviceClock: ServiceClock): ParcelMerchant {
  const shippedAt = parseServiceTime(textField(received, 'shipTime'), serviceClock);
  const fields = merchantFields.flatMap((name): [string, string][] => {
    const text = textField(received, name);
    return text === null ? [] : [[name, text]];
  });
  return {
    ...Object.fromEntries(fields),
    ...(shippedAt === null ? {} : { shippedAt: new Date(shippedAt).toISOString() }),
  };
}

/** The value to send, or a message with the expected format. The message never repeats the value, which is private. */
type ExtraCheck =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly message: string };

const postalCodePattern = /^[A-Za-z0-9+\- ]{1,15}$/;
const phoneSuffixPattern = /^\d{4}$/;

/** Normalises and checks an extra that the user typed. */
export function checkExtra(kind: CourierNeed, text: string): ExtraCheck {
  const value = text.normalize('NFKC').trim().replace(/\s+/g, ' ');
  if (value === '') return { ok: true, value: null };
  const isPhone = kind === 'phone-suffix';
  if ((isPhone ? phoneSuffixPattern : postalCodePattern).test(value)) return { ok: true, value };
  const message = isPhone
    ? 'Enter the last four digits of the phone number, such as 1234.'
    : 'Enter a postal code of up to 15 characters: letters, digits, spaces, "+" and "-".';
  return { ok: false, message };
}
