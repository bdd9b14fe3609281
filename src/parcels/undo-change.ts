import type { EpochMs } from '../lib/clock.ts';
import { sameCourier, sameParcel } from './identity.ts';
import type { Parcel } from './parcel.ts';
import { asRead, registerAgain } from './parcel-factory.ts';
import type { ParcelDifference } from './parcel-list.ts';

interface TakenBack {
  readonly parcels: readonly Parcel[];
  /** False if something was kept because it was changed later. */
  readonly complete: boolean;
}

/** Undoes a change. Resets only what has not changed since; news and later changes stay. */
export function undoChanges(list: readonly Parcel[], changes: readonly ParcelDifference[], now: EpochMs): TakenBack {
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
      const back = current === undefined ? null : undoParcelChange(current, before, after, now);
      if (back !== null) parcels.set(after.id, back.parcel);
      complete &&= back?.complete ?? false;
    }
  }
  return { parcels: [...parcels.values()], complete };
}

interface FieldGroup {
  /** A change of one of these fields is a change of the group. */
  readonly deciding: readonly (keyof Parcel)[];
  /** Fields that are reset with the group. */
  readonly following: readonly (keyof Parcel)[];
}

function fieldGroups(before: Parcel, after: Parcel): readonly FieldGroup[] {
  const isAnother = before.historyId !== after.historyId;
  return [
    { deciding: ['label'], following: [] },
    { deciding: ['note'], following: [] },
    { deciding: ['tags'], following: [] },
    { deciding: ['snoozed'], following: [] },
    {
      deciding: ['archivedAt'],
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
    { deciding: ['extras', 'merchant'], following: [] },
    {
      deciding: ['courierCode', 'courierPinned'],
      following: isAnother ? ['historyId', 'record', 'lastEvent', 'checkpointCount', 'checkedAt'] : [],
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
  for (const { deciding, following } of fieldGroups(before, after)) {
    if (sameFields(before, after, deciding)) continue;
    if (sameFields(current, after, deciding)) parcel = withFieldsOf(parcel, before, [...deciding, ...following]);
    else complete = false;
  }
  // Unread since before the change, so later news belongs to the same unread mark.
  if (before.unread !== undefined && after.unread === undefined) parcel = { ...parcel, unread: before.unread };
  // Marks the parcel as read again.
  if (before.unread === undefined && after.unread !== undefined && sameFields(current, after, ['unread']))
    parcel = asRead(parcel);
  const needsRegistration =
    !sameCourier(parcel.courierCode, current.courierCode) || !sameFields(parcel, current, detailFields);
  // The service has the change, so we send the old fields again.
  return { parcel: needsRegistration ? registerAgain(parcel, now) : parcel, complete };
}

function withFieldsOf(parcel: Parcel, source: Parcel, fields: readonly (keyof Parcel)[]): Parcel {
  const isNamed = (field: string): boolean => fields.some((taken) => taken === field);
  // Without the keys that the source does not have.
  const others = Object.entries(parcel).filter(([field]) => !isNamed(field));
  const taken = Object.entries(source).filter(([field]) => isNamed(field));
  return Object.fromEntries<unknown>([...others, ...taken]) as unknown as Parcel;
}

const detailFields = ['extras', 'merchant'] as const;

function sameFields(a: Parcel, b: Parcel, fields: readonly (keyof Parcel)[]): boolean {
  return fields.every((field) => a[field] === b[field] || JSON.stringify(a[field]) === JSON.stringify(b[field]));
}
