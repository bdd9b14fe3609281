import { isDeepStrictEqual } from 'node:util';
import type { EpochMs, Random } from '../lib/clock.ts';
import { cleanedTextField, type JsonObject } from '../lib/json.ts';
import { uniquePart } from '../lib/paths.ts';
import type { CourierNeed } from '../service/couriers.ts';
import type { TrackingRecord } from '../service/record.ts';
import { parseServiceTime, type ServiceClock } from '../service/service-clock.ts';
import { sameCourier } from './identity.ts';
import type { Parcel, ParcelExtras, ParcelMerchant, RecordSummary, Registration, Watchlist } from './parcel.ts';
import { endIndexing, hasEnded } from './parcel-stage.ts';

/** What is changed of what a merchant gave along: an absent field stays as it is, null takes it away. */
export type MerchantChange = { readonly [Name in keyof ParcelMerchant]?: string | null };

/**
 * The parcel with other texts of its merchant; itself when they are the same. Where it stands with the service stays: such
 * texts are sent there by an edit, and a number that is registered already takes none with another registration.
 */
function changeMerchant(parcel: Parcel, change: MerchantChange): Parcel {
  const { merchant: before, ...others } = parcel;
  const names = Object.keys(change) as (keyof ParcelMerchant)[];
  const record = others.record === null ? null : withoutOldTexts(others.record, change);
  if (record === others.record && names.every((name) => (before?.[name] ?? null) === change[name])) return parcel;
  const merchant: ParcelMerchant = Object.fromEntries(
    Object.entries({ ...before, ...change }).filter(([, value]) => value !== null),
  );
  return { ...others, ...(Object.keys(merchant).length === 0 ? {} : { merchant }), record };
}

/** What the last record said of these texts is out of date, and a later record without them would not take it away. */
function withoutOldTexts(record: RecordSummary, change: MerchantChange): RecordSummary {
  const changed = new Map<string, unknown>(Object.entries(change));
  const kept = Object.entries(record).filter(([name, value]) => !changed.has(name) || changed.get(name) === value);
  return kept.length === Object.keys(record).length ? record : (Object.fromEntries(kept) as unknown as RecordSummary);
}

/** A number to watch, already normalised and checked (see `normaliseTrackNo`). */
export interface NewParcel {
  readonly trackNo: string;
  readonly courierCode: string | null;
  readonly label: string | null;
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
  /** Texts that are sent along with the registration. */
  readonly merchant?: ParcelMerchant;
  readonly tags?: readonly string[];
  /** When it was archived, ISO 8601 UTC: it is kept and neither registered nor polled. Watched when left out. */
  readonly archivedAt?: string;
}

/** Changes to a parcel; an absent field stays as it is, null clears it. */
export interface ParcelEdit {
  readonly label?: string | null;
  /** Changed here only: the edit at the service is made elsewhere, unless a registration is still to come. */
  readonly merchant?: MerchantChange;
  /** A new courier: the parcel is registered again under it. */
  readonly courierCode?: string | null;
  readonly postalCode?: string | null;
  readonly phoneSuffix?: string | null;
  /** Tags that the parcel gets; those that it has stay where they are. */
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  /** True when the service has these changes already: the parcel stays registered, and is polled at once. */
  readonly knownToService?: boolean;
}

/** A parcel that is to be registered and polled at once, unless it is archived already. */
export function newParcel(draft: NewParcel, now: EpochMs, random: Random): Parcel {
  const at = isoInstant(now);
  return {
    id: uniquePart(random),
    trackNo: draft.trackNo,
    courierCode: draft.courierCode,
    courierPinned: draft.courierCode !== null,
    label: draft.label,
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
 * Applies an edit. Another courier is another parcel to the service: it is registered again, and what was known under
 * the old one is dropped from the index, where the parcel gets a new history. Other extras are registered again too. Nothing
 * is registered again that the service has been sent in another way (`knownToService`).
 */
export function editParcel(before: Parcel, changes: ParcelEdit, now: EpochMs): Parcel {
  const parcel = changes.merchant === undefined ? before : changeMerchant(before, changes.merchant);
  const label = changes.label === undefined ? parcel.label : changes.label;
  const tags = editedTags(parcel.tags, changes);
  const courierCode = changes.courierCode === undefined ? parcel.courierCode : changes.courierCode;
  const extras = editedExtras(parcel.extras, changes);
  const courierChanges = !sameCourier(courierCode, parcel.courierCode);
  const extrasChange = extras !== parcel.extras;
  const pinned = changes.courierCode === undefined ? parcel.courierPinned : courierCode !== null;
  const isSame = label === parcel.label && tags === parcel.tags && pinned === parcel.courierPinned;
  if (isSame && !courierChanges && !extrasChange) return parcel;

  const edited: Parcel = {
    ...parcel,
    label,
    tags,
    courierCode: courierChanges ? courierCode : parcel.courierCode,
    courierPinned: pinned,
    extras,
  };
  if (!courierChanges && !extrasChange) return edited;
  const registration = changes.knownToService === true ? 'registered' : 'pending';
  return registerAgain(dropsHistory(parcel, edited) ? forgetRecord(edited, now) : edited, now, registration);
}

/** The parcel with the extras that it lacks and that are known otherwise; itself when there are none. */
export function completeExtras(parcel: Parcel, known: Partial<ParcelExtras>): Parcel {
  const postalCode = parcel.extras.postalCode ?? known.postalCode ?? null;
  const phoneSuffix = parcel.extras.phoneSuffix ?? known.phoneSuffix ?? null;
  const extras = editedExtras(parcel.extras, { postalCode, phoneSuffix });
  return extras === parcel.extras ? parcel : { ...parcel, extras };
}

function editedTags(tags: readonly string[], changes: ParcelEdit): readonly string[] {
  const { addTags = [], removeTags = [] } = changes;
  const edited = [...new Set([...tags, ...addTags])].filter((tag) => !removeTags.includes(tag));
  return isDeepStrictEqual(edited, tags) ? tags : edited;
}

function editedExtras(extras: ParcelExtras, changes: ParcelEdit): ParcelExtras {
  const postalCode = changes.postalCode === undefined ? extras.postalCode : changes.postalCode;
  const phoneSuffix = changes.phoneSuffix === undefined ? extras.phoneSuffix : changes.phoneSuffix;
  const isSame = postalCode === extras.postalCode && phoneSuffix === extras.phoneSuffix;
  return isSame ? extras : { ...extras, postalCode, phoneSuffix };
}

function isEmpty(merchant: ParcelMerchant | undefined): merchant is undefined {
  return merchant === undefined || Object.keys(merchant).length === 0;
}

/** Whether an edit made another parcel of it, so that its history is another's. */
export function dropsHistory(before: Parcel, after: Parcel): boolean {
  return before.courierCode !== null && !sameCourier(before.courierCode, after.courierCode);
}

/** Takes a parcel off the board and out of the queue; everything known stays. */
export function archiveParcel(parcel: Parcel, now: EpochMs): Parcel {
  return parcel.archivedAt === null ? { ...parcel, archivedAt: isoInstant(now), nextPollAt: null } : parcel;
}

/** As {@link archiveParcel}, for one that was delivered or closed long ago, which nobody asked for. */
export function autoArchiveParcel(parcel: Parcel, now: EpochMs): Parcel {
  return parcel.archivedAt === null ? { ...archiveParcel(parcel, now), autoArchived: true } : parcel;
}

/** Watches an archived parcel again and polls it at once. */
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

/** A removed parcel that the user wants back: one that came to its end long ago is not archived the next minute. */
export function takenFromTrash(parcel: Parcel, now: EpochMs): Parcel {
  const mayBeArchived = parcel.archivedAt === null && hasEnded(parcel);
  return mayBeArchived ? { ...parcel, restoredAt: isoInstant(now) } : parcel;
}

/** Marks a parcel to be registered at once, or as registered and to be polled at once, where the service has what is new. */
export function registerAgain(parcel: Parcel, now: EpochMs, registration: Registration = 'pending'): Parcel {
  return {
    ...endIndexing(parcel),
    registration,
    // What the service calls its time of creation now is not known, so it measures no clock.
    registeredAt: null,
    nextPollAt: parcel.archivedAt === null ? isoInstant(now) : null,
    fruitlessPolls: 0,
    deliveryConfirmed: false,
    error: null,
  };
}

/** The watchlist without a parcel; itself when there is no such parcel. */
export function removeParcel(watchlist: Watchlist, parcelId: string): Watchlist {
  const parcels = watchlist.parcels.filter((parcel) => parcel.id !== parcelId);
  return parcels.length === watchlist.parcels.length ? watchlist : { ...watchlist, parcels };
}

/** Writes an instant as it is kept: ISO 8601 UTC with milliseconds. */
export function isoInstant(at: EpochMs): string {
  return new Date(at).toISOString();
}

function forgetRecord(parcel: Parcel, now: EpochMs): Parcel {
  // Written with the rest of the index, so that the old events are gone in the same instant.
  const historyId = `${parcel.id.slice(0, 40)}-${now.toString(36)}`;
  return { ...parcel, historyId, record: null, lastEvent: null, checkpointCount: 0, checkedAt: null };
}

/** A parcel of which the user has seen all changes; itself when there are none to see. */
export function asRead(parcel: Parcel): Parcel {
  if (parcel.unread === undefined) return parcel;
  const { unread: _seen, ...read } = parcel;
  return read;
}

/** When and where a number of the account is taken over. */
interface HeldParcelSituation {
  readonly now: EpochMs;
  readonly random: Random;
  readonly serviceClock: ServiceClock;
}

/** The parcel of a number that the account holds: registered, with what a merchant gave along; its record is not in it yet. */
export function heldParcel(
  { courierCode, received, trackNo }: TrackingRecord,
  { now, random, serviceClock }: HeldParcelSituation,
): Parcel {
  const merchant = merchantOf(received, serviceClock);
  const draft = { trackNo, courierCode, label: null, postalCode: null, phoneSuffix: null, merchant };
  // Nobody here has chosen the courier, and when it was registered nobody here has seen.
  return { ...newParcel(draft, now, random), courierPinned: false, registration: 'registered' };
}

const texts = ['orderNo', 'customerEmail', 'remark', 'custom1', 'custom2'] as const;

function merchantOf(received: JsonObject, serviceClock: ServiceClock): ParcelMerchant {
  const shippedAt = parseServiceTime(cleanedTextField(received, 'shipTime'), serviceClock);
  const given = texts.flatMap((name): [string, string][] => {
    const text = cleanedTextField(received, name);
    return text === null ? [] : [[name, text]];
  });
  return {
    ...Object.fromEntries(given),
    ...(shippedAt === null ? {} : { shippedAt: new Date(shippedAt).toISOString() }),
  };
}

/** An extra as it can be sent, null for none, or a sentence that says how it has to look; it does not repeat the value. */
type ExtraCheck =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly message: string };

/** The signs and the length that the service takes in a postal code. */
const postalCodePattern = /^[A-Za-z0-9+\- ]{1,15}$/;
const phoneSuffixPattern = /^\d{4}$/;

/** Brings a typed or pasted extra into the form in which it is kept (full-width signs folded) and checks it. */
export function checkExtra(kind: CourierNeed, text: string): ExtraCheck {
  const value = text.normalize('NFKC').trim().replace(/\s+/g, ' ');
  if (value === '') return { ok: true, value: null };
  const isPhone = kind === 'phone-suffix';
  if ((isPhone ? phoneSuffixPattern : postalCodePattern).test(value)) return { ok: true, value };
  const message = isPhone
    ? 'A phone suffix is the last four digits of the number, such as 1234.'
    : 'A postal code holds at most 15 letters, digits, spaces, "+" and "-".';
  return { ok: false, message };
}
