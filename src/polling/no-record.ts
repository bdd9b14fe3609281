import { type CancelTimer, dayMs, type EpochMs, minuteMs } from '../lib/clock.ts';
import { StoreError } from '../lib/store-errors.ts';
import { historyIdOf, sameCourier } from '../parcels/identity.ts';
import { applyRecord, mergeHistory } from '../parcels/merge-record.ts';
import type { InstantTries, Parcel } from '../parcels/parcel.ts';
import { completeExtras, editParcel, isoInstant, type ParcelEdit } from '../parcels/parcel-factory.ts';
import type { ParcelChange } from '../parcels/parcel-list.ts';
import { courierNeed, hasNoRecord, recordStage } from '../parcels/parcel-state.ts';
import { missingNeed, nameOfCourier } from '../service/couriers.ts';
import {
  type AccountService,
  CancelledError,
  type InstantItem,
  type InstantResponse,
  OperationMissingError,
  RequestRefusedError,
  ServiceError,
  type TrackingEdit,
} from '../service/port.ts';
import type { GateCall } from './gate/call-gate.ts';
import { type CallOrigin, isOutOfCredit } from './gate/call-rules.ts';
import type { MonitorCore } from './monitor-core.ts';
import type { KnownExtras } from './response-recorder.ts';

export type Instant = (
  item: InstantItem,
  signal?: AbortSignal,
  options?: Pick<GateCall<InstantResponse>, 'beyondBudget' | 'onAdmitted'> & { readonly origin?: CallOrigin },
) => Promise<InstantResponse>;

/** Looks up a parcel live, without rescheduling its next check. Throws like `CallGate.call`. */
export async function lookUpInstantly(
  core: MonitorCore,
  instant: Instant,
  parcel: Parcel,
  ...[signal, options]: [signal: AbortSignal, options?: Parameters<Instant>[2]]
): Promise<InstantResponse> {
  const { courierCode, extras, trackNo } = parcel;
  const item: InstantItem = { trackNo, courierCode, ...extras };
  const response = await instant(item, signal, options);
  if (response.kind !== 'record') return response;
  const { record } = response;
  const now = core.clock.now();
  const historyId = historyIdOf(parcel);
  const { failure, history } = await core.tryUpdateHistory(historyId, (stored) => mergeHistory(stored, record));
  core.reportProblem('history-write', failure);
  const merge: ParcelChange = (current) => {
    const hasNewCourier = courierCode !== null && !sameCourier(current.courierCode, courierCode);
    if (historyIdOf(current) !== historyId || hasNewCourier) return current;
    const merged = applyRecord(current, history, record, now);
    // Only queries schedule checks, so keep the next update time.
    const nextUpdateTime = current.record?.nextUpdateTime ?? null;
    return merged.record === null ? merged : { ...merged, record: { ...merged.record, nextUpdateTime } };
  };
  await core.tryChange(new Map([[parcel.id, merge]]));
  await core.dropOrphan(parcel, historyId);
  return response;
}

const firstCheckMs = minuteMs;
const checkIntervalMs = 10 * minuteMs;
const maxPerCheck = 10;
/** How long a number must have had no record before it is looked up. Also the delay before the second attempt. */
const noRecordMs = dayMs;
const maxTries = 2;

interface NoRecordLookupsParts {
  readonly core: MonitorCore;
  readonly instant: Instant;
  readonly isEnabled: () => boolean;
  /** Returns a new signal after each stop. */
  readonly signal: () => AbortSignal;
}

/**
 * Looks up a number live once if queries have returned no record for a day. A lookup costs as much as a registration,
 * so only the polling process makes it, and announces and saves it before the request.
 */
export function createNoRecordLookups({ core, instant, isEnabled, signal }: NoRecordLookupsParts) {
  let cancel: CancelTimer | null = null;

  const start = (): void => {
    if (cancel === null) checkDueAfter(firstCheckMs);
  };

  const stop = (): void => {
    cancel?.();
    cancel = null;
  };

  const checkDueAfter = (delayMs: number): void => {
    const { clock, busy } = core;
    cancel = clock.setTimer(delayMs, () => {
      checkDueAfter(checkIntervalMs);
      void busy.during(() => checkDue());
    });
  };

  const checkDue = async (): Promise<void> => {
    if (!isEnabled()) return;
    const stopSignal = signal();
    const due = core.log.parcels().filter((parcel) => isDue(parcel, core.clock.now()));
    if (due.length === 0 || !(await mayCall())) return;
    for (const parcel of due.slice(0, maxPerCheck)) {
      if (stopSignal.aborted || !(await mayCall())) return;
      await lookUp(parcel, stopSignal);
    }
  };

  const mayCall = async (): Promise<boolean> => {
    const { gate } = core;
    await gate.load();
    const isHeldBack = gate.holdReason('poll', 'query') !== null || gate.holdReason('poll', 'register') !== null;
    return !isHeldBack && gate.budget.resumesAt('instant') === null;
  };

  const lookUp = async (parcel: Parcel, signal: AbortSignal): Promise<void> => {
    const { id, instantTries: previous, trackNo } = parcel;
    const now = core.clock.now();
    const announcement = `${trackNo}: no info after ${daysText(now - waitingSince(parcel))}. Looking it up live once, at the cost of one registration.`;
    const tries: InstantTries = { count: (previous?.count ?? 0) + 1, at: isoInstant(now) };
    // Save the attempt first, so that neither a restart nor another process pays twice.
    if (!(await claim(parcel, tries))) return;
    core.notify(announcement);
    let isSent = false;
    try {
      const response = await lookUpInstantly(core, instant, parcel, signal, {
        origin: 'poll',
        onAdmitted: () => {
          isSent = true;
        },
      });
      if (response.kind === 'rejected')
        core.notify(`${trackNo}: the service rejected the live lookup: "${response.rejection.message}".`);
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof StoreError)) throw error;
      // As with registrations, an attempt that fails for lack of credit does not count.
      const isUnpaid = error instanceof ServiceError && isOutOfCredit(error, 'register');
      if (isSent && isUnpaid) await core.gate.backOff(error, 'register');
      if (!isSent || isUnpaid) core.withdraw(announcement);
      else if (!(error instanceof CancelledError)) core.notify(failureText(trackNo, error.message, tries));
      const outcome = isSent && !isUnpaid ? { ...tries, failed: true } : previous;
      await core.tryChange(new Map([[id, withTries(tries, outcome)]]));
    }
  };

  const claim = async ({ id, instantTries: previous }: Parcel, tries: InstantTries): Promise<boolean> => {
    try {
      await core.log.commitChanges(new Map([[id, withTries(previous, tries)]]));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await core.tryChange(new Map([[id, withTries(tries, previous)]]));
      return false;
    }
    return isSameTry(core.log.find(id)?.instantTries, tries);
  };

  return { start, stop };
}

const withTries =
  (before: InstantTries | undefined, after: InstantTries | undefined): ParcelChange =>
  (parcel) => {
    if (!isSameTry(parcel.instantTries, before)) return parcel;
    const { instantTries: _tries, ...others } = parcel;
    return after === undefined ? others : { ...others, instantTries: after };
  };

const isSameTry = (a: InstantTries | undefined, b: InstantTries | undefined): boolean =>
  a?.at === b?.at && a?.count === b?.count;

function isDue(parcel: Parcel, now: EpochMs): boolean {
  const { archivedAt, error, instantTries, nextPollAt, registration } = parcel;
  if (registration !== 'registered' || archivedAt !== null || error !== null || !hasNoRecord(parcel)) return false;
  // If a check is due, wait for its result.
  if (nextPollAt === null || Date.parse(nextPollAt) <= now) return false;
  if (now - waitingSince(parcel) < noRecordMs || courierNeed(parcel) !== null) return false;
  if (instantTries === undefined) return true;
  const { at, count, failed = false } = instantTries;
  return failed && count < maxTries && now - Date.parse(at) >= noRecordMs;
}

const waitingSince = ({ addedAt, registeredAt }: Parcel): EpochMs => Date.parse(registeredAt ?? addedAt);

const daysText = (ms: number): string => (ms < 2 * dayMs ? 'a day' : `${Math.floor(ms / dayMs)} days`);

const failureText = (trackNo: string, message: string, { count }: InstantTries): string =>
  `${trackNo}: the live lookup failed${count < maxTries ? ' and will be retried in a day' : ''}. ${message}`;

export type ExtrasChange = Pick<ParcelEdit, 'phoneSuffix' | 'postalCode'>;

export function presentExtras({ postalCode, phoneSuffix }: ExtrasChange) {
  return { ...(postalCode == null ? {} : { postalCode }), ...(phoneSuffix == null ? {} : { phoneSuffix }) };
}

interface LateExtrasParts {
  readonly core: MonitorCore;
  readonly service: Pick<AccountService, 'edit'>;
  readonly knownExtras: KnownExtras;
  /** Returns a new signal after each stop. */
  readonly signal: () => AbortSignal;
  /** Called after a parcel's extras were sent, which makes it due. */
  readonly onSent: () => void;
}

/** Sends configured extras once if the courier becomes known only after the registration. */
export function sendLateExtras({ core, service, knownExtras, signal, onSent }: LateExtrasParts): void {
  /** Each parcel's `checkedAt` at our last attempt, because there is one attempt per check. */
  const lastAttempts = new Map<string, string | null>();
  const refusedIds = new Set<string>();

  const send = async (parcel: Parcel, edit: TrackingEdit): Promise<void> => {
    try {
      await service.edit(edit, signal());
    } catch (error) {
      // The poller shows other failures, and the next check triggers another attempt.
      if (error instanceof RequestRefusedError || error instanceof OperationMissingError) {
        refusedIds.add(parcel.id);
        core.notify(refusalText(parcel, error));
      }
      return;
    }
    const complete: ParcelChange = (current) =>
      editParcel(current, { ...presentExtras(edit), knownToService: true }, core.clock.now());
    await core.tryChange(new Map([[parcel.id, complete]]));
    onSent();
  };

  core.state.subscribe(() => {
    // Only the process that checked the parcel sends its extras.
    for (const id of core.state.get().checking) {
      const parcel = core.log.find(id);
      if (parcel === null || parcel.checkedAt === null) continue;
      if (lastAttempts.get(id) === parcel.checkedAt || refusedIds.has(id)) continue;
      const edit = editFor(parcel, knownExtras);
      if (edit === null) continue;
      lastAttempts.set(id, parcel.checkedAt);
      void core.busy.during(() => send(parcel, edit));
    }
  });
}

function editFor(parcel: Parcel, knownExtras: KnownExtras): TrackingEdit | null {
  const { archivedAt, courierCode, extras, registration, trackNo } = parcel;
  if (courierCode === null || registration !== 'registered' || archivedAt !== null) return null;
  if (recordStage(parcel) !== 'no-record' || missingNeed(courierCode, extras) === null) return null;
  const completed = completeExtras(parcel, knownExtras(courierCode)).extras;
  return missingNeed(courierCode, completed) === null ? { trackNo, courierCode, ...presentExtras(completed) } : null;
}

function refusalText({ courierCode, trackNo }: Parcel, { message }: ServiceError): string {
  return `${trackNo}: the service did not accept the configured postal code or phone digits for ${courierCode === null ? 'its courier' : nameOfCourier(courierCode)}. ${message} Set them with "parcel-monitor edit", or press p on the board.`;
}
