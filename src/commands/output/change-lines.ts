import { parcelTitle } from '../../board/status/view-stage.ts';
import type { MonitorState } from '../../polling/core/state.ts';
import type { Checkpoint } from '../../service/record/record.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStatusText } from '../../watchlist/rules/status-text.ts';
import type { ChangeKind } from './json-schemas.ts';

/** One change of one parcel. */
export interface ParcelChange {
  readonly kind: ChangeKind;
  /** The parcel after the change; before it, when it was removed. */
  readonly parcel: Parcel;
  /** What changed, in words; without the parcel's name. */
  readonly text: string;
}

/**
 * What changed between two states of the monitor, parcel by parcel in the order of the newer state; removed ones come
 * last. A change of status names the event that brought it, so that each piece of news is reported once.
 */
export function describeChanges(
  before: Pick<MonitorState, 'parcels'>,
  after: Pick<MonitorState, 'parcels'>,
): readonly ParcelChange[] {
  const known = new Map(before.parcels.map((parcel) => [parcel.id, parcel]));
  const remaining = new Set(after.parcels.map((parcel) => parcel.id));
  const removed = before.parcels.filter((parcel) => !remaining.has(parcel.id));
  return [
    ...after.parcels.flatMap((parcel) => {
      const old = known.get(parcel.id);
      return old === undefined ? additions(parcel) : changesOf(old, parcel);
    }),
    ...removed.map((parcel): ParcelChange => ({ kind: 'removed', parcel, text: 'removed' })),
  ];
}

/** A change as one plain line: name, number where that is another, and what changed. */
export function changeLine({ parcel, text }: ParcelChange): string {
  const title = parcelTitle(parcel);
  const number = title === parcel.trackNo ? '' : ` (${parcel.trackNo})`;
  return `${title}${number}: ${text}`;
}

/** {@link describeChanges} as plain lines. */
export function changeLines(
  before: Pick<MonitorState, 'parcels'>,
  after: Pick<MonitorState, 'parcels'>,
): readonly string[] {
  return describeChanges(before, after).map(changeLine);
}

function additions(parcel: Parcel): readonly ParcelChange[] {
  const text =
    parcel.record === null
      ? 'watched from now on'
      : `watched from now on, ${statusWithEvent(parcel, parcel.lastEvent)}`;
  return [{ kind: 'added', parcel, text }];
}

function changesOf(old: Parcel, parcel: Parcel): readonly ParcelChange[] {
  if (old === parcel) return [];
  const changes: ParcelChange[] = [];
  const add = (kind: ChangeKind, text: string): void => {
    changes.push({ kind, parcel, text });
  };
  if (old.archivedAt === null && parcel.archivedAt !== null) add('archived', 'archived');
  if (old.archivedAt !== null && parcel.archivedAt === null) add('restored', 'watched again');
  if (old.registration !== 'rejected' && parcel.registration === 'rejected') {
    add('rejected', `rejected: ${parcelStatusText(parcel)}`);
  }
  if (old.registration !== 'registered' && parcel.registration === 'registered') add('registered', 'registered');
  if (old.courierCode !== parcel.courierCode && parcel.courierCode !== null) {
    add('courier', `courier ${parcel.courierCode}`);
  }
  const event = parcel.lastEvent === null || sameEvent(old.lastEvent, parcel.lastEvent) ? null : parcel.lastEvent;
  if (parcel.record !== null && statusKey(old) !== statusKey(parcel)) add('status', statusWithEvent(parcel, event));
  else if (event !== null) add('event', eventText(event));
  if (parcel.registration !== 'rejected') {
    if (parcel.error !== null && old.error?.message !== parcel.error.message) add('trouble', parcel.error.message);
    if (parcel.error === null && old.error !== null) add('recovered', 'answers again');
  }
  return changes;
}

const statusKey = ({ record }: Parcel): string =>
  record === null ? '' : JSON.stringify([record.transitStatus, record.transitSubStatus]);

function sameEvent(a: Checkpoint | null, b: Checkpoint): boolean {
  return a !== null && a.at === b.at && a.local === b.local && a.detail === b.detail && a.address === b.address;
}

function statusWithEvent(parcel: Parcel, event: Checkpoint | null): string {
  const status = parcelStatusText(parcel);
  const text = event === null ? '' : eventText(event);
  return text === '' || text === status ? status : `${status} - ${text}`;
}

function eventText({ detail, address, subStatus }: Checkpoint): string {
  const text = detail ?? subStatus ?? '';
  return [text, address ?? ''].filter((part) => part !== '').join(', ');
}
