import type { EpochMs } from '../lib/clock.ts';
import { sameCourier, sameParcel } from './identity.ts';
import type { Parcel } from './parcel.ts';
import { asRead, registerAgain } from './parcel-factory.ts';
import type { ParcelDifference } from './parcel-list.ts';

interface UndoResult {
  readonly parcels: readonly Parcel[];
  /** False if something could not be undone because it was changed again later. */
  readonly complete: boolean;
}

/** Undoes a change. Resets only what has not changed since, and keeps news and later changes. */
export function undoChanges(list: readonly Parcel[], changes: readonly ParcelDifference[], now: EpochMs): UndoResult {
  let complete = true;
  const parcels = new Map(list.map((parcel) => [parcel.id, parcel]));
  for (const { before, after } of changes) {
    if (before === null) {
      if (after !== null) parcels.delete(after.id);
    } else if (after === null) {
      if ([...parcels.values()].some((parcel) => parcel.id === before.id || sameParcel(parcel, before)))
        complete = false;
      else parcels.set(before.id, before);
    } else {
      const current = parcels.get(after.id);
      const undone = current === undefined ? null : undoParcelChange(current, before, after, now);
      if (undone !== null) parcels.set(after.id, undone.parcel);
      complete &&= undone?.complete ?? false;
    }
  }
  return { parcels: [...parcels.values()], complete };
}

interface FieldGroup {
  /** The group counts as changed if one of these fields changed. */
  readonly compared: readonly (keyof Parcel)[];
  /** Further fields that are reset together with the group. */
  readonly following: readonly (keyof Parcel)[];
}

function fieldGroups(before: Parcel, after: Parcel): readonly FieldGroup[] {
  const hasNewHistory = before.historyId !== after.historyId;
  return [
    { compared: ['label'], following: [] },
    { compared: ['note'], following: [] },
    { compared: ['tags'], following: [] },
    { compared: ['snoozed'], following: [] },
    {
      compared: ['archivedAt'],
      following: [
        'autoArchived',
        'restoredAt',
        'nextPollAt',
        'fruitlessPolls',
        'deliveryConfirmed',
        'endedAt',
        'plannedFor',
        'unconfirmedSince',
      ],
    },
    { compared: ['extras', 'merchant'], following: [] },
    {
      compared: ['courierCode', 'courierPinned'],
      following: hasNewHistory ? ['historyId', 'record', 'lastEvent', 'checkpointCount', 'checkedAt'] : [],
    },
  ];
}

function undoParcelChange(
  current: Parcel,
  before: Parcel,
  after: Parcel,
  now: EpochMs,
): { readonly parcel: Parcel; readonly complete: boolean } {
  let parcel = current;
  let complete = true;
  for (const { compared, following } of fieldGroups(before, after)) {
    if (sameFields(before, after, compared)) continue;
    if (sameFields(current, after, compared)) parcel = withFieldsOf(parcel, before, [...compared, ...following]);
    else complete = false;
  }
  // The parcel was already unread before the change, so later news belongs to the same unread mark.
  if (before.unread !== undefined && after.unread === undefined) parcel = { ...parcel, unread: before.unread };
  // The change marked the parcel as unread.
  if (before.unread === undefined && after.unread !== undefined && sameFields(current, after, ['unread']))
    parcel = asRead(parcel);
  const needsRegistration =
    !sameCourier(parcel.courierCode, current.courierCode) || !sameFields(parcel, current, detailFields);
  // The service already has the change, so the old fields must be sent again.
  return { parcel: needsRegistration ? registerAgain(parcel, now) : parcel, complete };
}

function withFieldsOf(parcel: Parcel, source: Parcel, fields: readonly (keyof Parcel)[]): Parcel {
  const isNamed = (field: string): boolean => fields.some((taken) => taken === field);
  // Also drops the fields that the source does not have.
  const others = Object.entries(parcel).filter(([field]) => !isNamed(field));
  const taken = Object.entries(source).filter(([field]) => isNamed(field));
  return Object.fromEntries<unknown>([...others, ...taken]) as unknown as Parcel;
}

const detailFields = ['extras', 'merchant'] as const;

function sameFields(a: Parcel, b: Parcel, fields: readonly (keyof Parcel)[]): boolean {
  return fields.every((field) => a[field] === b[field] || JSON.stringify(a[field]) === JSON.stringify(b[field]));
}
