import { nameOfCourier } from '../service/couriers.ts';
import type { Checkpoint } from '../service/record.ts';
import type { Aspect, ChangeKind } from './change.ts';
import { daysSinceEnd } from './delivery.ts';
import { sameCourier } from './identity.ts';
import type { Parcel } from './parcel.ts';
import { isClosed, isWaitingForCredit, parcelStage, parcelState, parcelStatusText } from './parcel-state.ts';

/** A change between two states of a parcel that is not numbered in the log yet. */
export interface DetectedChange {
  readonly change: ChangeKind;
  readonly from: Aspect | null;
  readonly to: Aspect | null;
  /** What changed, without the parcel's name. */
  readonly message: string;
  readonly event: Checkpoint | null;
}

/**
 * Returns the changes between two states of a parcel. `before` is null for a new parcel, `after` for a removed one. A
 * status change includes its event, so that nothing is reported twice.
 */
export function changesBetween(before: Parcel | null, after: Parcel | null): readonly DetectedChange[] {
  if (before === null) return after === null ? [] : [addition(after)];
  if (after === null) {
    return [{ change: 'removed', from: stateAndStatus(before), to: null, message: 'removed', event: null }];
  }
  return before === after
    ? []
    : [...stateChanges(before, after), ...news(before, after), ...errorChanges(before, after)];
}

function addition(parcel: Parcel): DetectedChange {
  const message = parcel.record === null ? 'added' : `added, ${statusWithEvent(parcel, parcel.lastEvent)}`;
  return { change: 'added', from: null, to: stateAndStatus(parcel), message, event: null };
}

/** Returns changes made by the user or caused by the registration. */
function stateChanges(old: Parcel, parcel: Parcel): readonly DetectedChange[] {
  const states = { from: { state: parcelState(old) }, to: { state: parcelState(parcel) }, event: null };
  const changes: DetectedChange[] = [];
  if (old.archivedAt === null && parcel.archivedAt !== null) {
    changes.push({ change: 'archived', ...states, message: archivedText(parcel) });
  }
  if (old.archivedAt !== null && parcel.archivedAt === null) {
    changes.push({ change: 'restored', ...states, message: 'restored' });
  }
  if (old.registration !== 'rejected' && parcel.registration === 'rejected') {
    const to = { ...states.to, error: parcel.error };
    changes.push({ change: 'rejected', ...states, to, message: `rejected: ${parcelStatusText(parcel)}` });
  }
  if (old.registration !== 'registered' && parcel.registration === 'registered') {
    changes.push({ change: 'registered', ...states, message: 'registered' });
  }
  if (old.courierCode !== parcel.courierCode && parcel.courierCode !== null) {
    const [from, to] = [{ courierCode: old.courierCode }, { courierCode: parcel.courierCode }];
    changes.push({
      ...states,
      change: 'courier',
      from,
      to,
      message: `courier ${courierName(parcel, parcel.courierCode)}`,
    });
  }
  return changes;
}

const courierName = ({ record }: Parcel, code: string): string =>
  record !== null && sameCourier(record.courierCode, code)
    ? nameOfCourier(code, { nameEN: record.courierNameEN, nameCN: record.courierNameCN })
    : nameOfCourier(code);

/** Includes the reason if the parcel was archived automatically. */
function archivedText(parcel: Parcel): string {
  if (parcel.autoArchived !== true || parcel.archivedAt === null) return 'archived';
  const days = daysSinceEnd(parcel, Date.parse(parcel.archivedAt));
  const ending = isClosed(parcel) ? 'closed' : 'delivered';
  return days === null ? `archived, ${ending}` : `archived, ${ending} ${days} ${days === 1 ? 'day' : 'days'} ago`;
}

/** Returns changes reported by the service. */
function news(old: Parcel, parcel: Parcel): readonly DetectedChange[] {
  // The same number with a different courier is a different parcel, so its data is not news.
  if (old.historyId !== parcel.historyId) return [];
  const event = parcel.lastEvent === null || isSameEvent(old.lastEvent, parcel.lastEvent) ? null : parcel.lastEvent;
  const events =
    event === null ? null : { from: { lastEvent: eventFields(old.lastEvent) }, to: { lastEvent: eventFields(event) } };
  if (parcel.record !== null && !isSameStatus(old.record, parcel.record)) {
    const from = { ...statusFields(old), ...events?.from };
    const to = { ...statusFields(parcel), ...events?.to };
    return [{ change: 'status', from, to, message: statusWithEvent(parcel, event), event }];
  }
  return event === null || events === null ? [] : [{ change: 'event', ...events, message: eventText(event), event }];
}

/** Returns errors that appeared or went away. A rejection is reported as a separate change. */
function errorChanges(old: Parcel, parcel: Parcel): readonly DetectedChange[] {
  if (parcel.registration === 'rejected') return [];
  const [before, after] = [parcelError(old), parcelError(parcel)];
  const errors = { from: { error: before }, to: { error: after }, event: null };
  if (after !== null && before?.message !== after.message) {
    return [{ change: 'trouble', ...errors, message: after.message }];
  }
  return after === null && before !== null
    ? [{ change: 'recovered', ...errors, message: 'checks are working again' }]
    : [];
}

/** Missing credit affects the whole account, and a line for each waiting parcel would bury the news. */
const parcelError = (parcel: Parcel): Parcel['error'] => (isWaitingForCredit(parcel) ? null : parcel.error);

const stateAndStatus = (parcel: Parcel): Aspect => ({ state: parcelState(parcel), ...statusFields(parcel) });

function statusFields(parcel: Parcel): Pick<Aspect, 'stage' | 'status' | 'subStatus'> {
  const { record } = parcel;
  return {
    stage: parcelStage(parcel),
    status: record?.transitStatus ?? null,
    subStatus: record?.transitSubStatus ?? null,
  };
}

function eventFields(event: Checkpoint | null): NonNullable<Aspect['lastEvent']> | null {
  if (event === null) return null;
  const { at, local, offset, certain, address, detail, subStatus } = event;
  return { at, local, offset, certain, address, detail, subStatus };
}

function isSameStatus(old: Parcel['record'], record: NonNullable<Parcel['record']>): boolean {
  return old !== null && old.transitStatus === record.transitStatus && old.transitSubStatus === record.transitSubStatus;
}

export function isSameEvent(a: Checkpoint | null, b: Checkpoint): boolean {
  if (a === b) return true;
  return a !== null && a.at === b.at && a.local === b.local && a.detail === b.detail && a.address === b.address;
}

function statusWithEvent(parcel: Parcel, event: Checkpoint | null): string {
  const status = parcelStatusText(parcel);
  const text = event === null ? '' : eventText(event);
  if (text === '') return status;
  // Many couriers start the text with the status.
  return text.toLowerCase().startsWith(status.toLowerCase()) ? text : `${status} - ${text}`;
}

function eventText({ detail, address, subStatus }: Checkpoint): string {
  const text = detail ?? subStatus ?? '';
  return [text, address ?? ''].filter((part) => part !== '').join(', ');
}
