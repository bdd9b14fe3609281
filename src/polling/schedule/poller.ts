import { createSerialQueue } from '../../lib/async.ts';
import { sleep } from '../../lib/clock.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { MerchantChange } from '../../parcels/parcel-factory.ts';
import {
  KeyRefusedError,
  type MerchantFields,
  type QueryResponse,
  type RegisterResponse,
  type RegistrationItem,
  ServiceError,
  type TrackingService,
  type TrackKey,
} from '../../service/port.ts';
import { formatServiceTime, type ServiceClock } from '../../service/service-clock.ts';
import { noUsage } from '../../store/usage-meter.ts';
import type { CallOrigin } from '../gate/call-rules.ts';
import type { MonitorCore } from '../monitor-core.ts';
import type { ResponseRecorder } from '../response-recorder.ts';
import type { RefreshOptions, RefreshOutcome } from '../state.ts';
import { BatchCaller, type CheckRun, toServiceError } from './batch-caller.ts';
import type { DueParcels } from './due-queue.ts';

export type Poller = ReturnType<typeof createPoller>;

export function createPoller(
  core: MonitorCore,
  service: TrackingService | null,
  recorder: ResponseRecorder,
  due: DueParcels,
) {
  const caller = new BatchCaller(core, recorder);
  const queue = createSerialQueue();

  const isBusy = (): boolean => !queue.isEmpty();

  /** Checks everything that is due. Failures are recorded in the state. Never throws. */
  const pollDue = async (signal: AbortSignal): Promise<void> => {
    await enqueue(async () => {
      await catchUp();
      if (signal.aborted) return;
      const parcels = due.take(core.clock.now());
      if (parcels.length > 0) await check(parcels, createRun('poll', signal, false));
    }).catch(async (error: unknown) => {
      const failure = toServiceError(error);
      await caller.recordFailure(failure, 'query');
      await caller.recordFailure(failure, 'register');
    });
  };

  /**
   * Checks parcels now. Skips archived parcels, registers rejected ones again, and queries newly registered ones after
   * the ladder's first delay. Throws a `StoreError`. Other failures are part of the outcome.
   */
  const refresh = async (
    parcelIds: readonly string[],
    stopSignal: AbortSignal,
    { beyondBudget = false, registersOnly = false, signal: ownSignal }: RefreshOptions = {},
  ): Promise<RefreshOutcome> => {
    const ids = new Set(parcelIds);
    const signal = ownSignal === undefined ? stopSignal : AbortSignal.any([stopSignal, ownSignal]);
    const run = createRun('user', signal, beyondBudget);
    await enqueue(async () => {
      await catchUp();
      const parcels = core.log.parcels().filter(({ id, archivedAt }) => ids.has(id) && archivedAt === null);
      if (parcels.length === 0) return;
      await recorder.reopen(parcels.filter((parcel) => parcel.registration === 'rejected'));
      const current = parcels.flatMap(({ id }) => core.log.find(id) ?? []);
      await check(registersOnly ? current.filter(({ registration }) => registration === 'pending') : current, run);
      if (registersOnly) return;
      const fresh = findNewlyRegistered(parcels);
      if (fresh.length === 0) return;
      const wait = fresh.some((parcel) => parcel.registeredAt !== null) ? (core.policy.ladderMs[0] ?? 0) : 0;
      await sleep(core.clock, wait, signal);
      await core.gate.load();
      // Otherwise, the numbers are polled later.
      if (core.gate.holdReason(run.origin, 'query') === null) await check(findNewlyRegistered(parcels), run);
    });
    return caller.summarise(run);
  };

  const enqueue = <Result>(work: () => Promise<Result>): Promise<Result> => core.busy.during(() => queue.run(work));

  const catchUp = async (): Promise<void> => {
    await core.follow();
    await core.gate.load();
  };

  /** Queries and registers. If one fails, the other still runs. */
  const check = async (parcels: readonly Parcel[], run: CheckRun): Promise<void> => {
    core.change({ checking: new Set(parcels.map(({ id }) => id)) });
    core.changePolling({ phase: 'checking' });
    const registered = parcels.filter(({ registration }) => registration === 'registered');
    const pending = parcels.filter(({ registration }) => registration === 'pending');
    try {
      if (registered.length > 0) await captureFailure(run, () => query(registered, run));
      if (pending.length > 0) await captureFailure(run, () => register(pending, run));
    } finally {
      core.change({ checking: new Set() });
      await core.tryFlush();
    }
  };

  const captureFailure = async (run: CheckRun, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      run.failures.push(error);
    }
  };

  const query = async (parcels: readonly Parcel[], run: CheckRun): Promise<void> => {
    const service = requireService();
    await caller.callAll<QueryResponse>(
      parcels,
      {
        operation: 'query',
        batchLimit: service.batchLimits.query,
        send: (batch, signal) => service.query(batch.map(queryKey), signal),
        record: (batch, response, sending) => recorder.recordQuery(batch, response, sending),
        usageOf: ({ calls = 1 }, numbers) => ({ calls, queries: calls, numbers, registrations: 0 }),
      },
      run,
    );
  };

  const register = async (parcels: readonly Parcel[], run: CheckRun): Promise<void> => {
    const service = requireService();
    const { serviceClock } = core.state.get();
    await caller.callAll<RegisterResponse>(
      await recorder.completePending(parcels),
      {
        operation: 'register',
        batchLimit: service.batchLimits.register,
        send: (batch, signal) =>
          service.register(
            batch.map((parcel) => registrationItem(parcel, serviceClock)),
            signal,
          ),
        record: (batch, response) => recorder.recordRegistration(batch, response),
        usageOf: ({ accepted }) => ({ ...noUsage, calls: 1, registrations: accepted.length }),
      },
      run,
    );
  };

  const findNewlyRegistered = (parcels: readonly Parcel[]): readonly Parcel[] => {
    return parcels.flatMap((before) => {
      const parcel = core.log.find(before.id);
      const isNew = before.registration !== 'registered' && parcel?.registration === 'registered';
      return isNew && parcel.archivedAt === null ? [parcel] : [];
    });
  };

  const requireService = (): TrackingService => {
    if (service !== null) return service;
    throw new KeyRefusedError({
      what: 'No API key is set, so nothing can be checked.',
      advice: 'Set PARCEL_MONITOR_API_KEY, or add the key to config.json.',
    });
  };

  return { isBusy, pollDue, refresh };
}

function createRun(origin: CallOrigin, signal: AbortSignal, beyondBudget: boolean): CheckRun {
  return { origin, signal, beyondBudget, heldBack: new Map(), outcomes: [], failures: [] };
}

/** Leaves out a courier that the service detected, because it may have detected a different one since. */
function queryKey({ trackNo, courierCode, courierPinned }: Parcel): TrackKey {
  return { trackNo, courierCode: courierPinned ? courierCode : null };
}

function registrationItem(parcel: Parcel, serviceClock: ServiceClock): RegistrationItem {
  const { trackNo, courierCode, extras, merchant = {} } = parcel;
  const { postalCode, phoneSuffix } = extras;
  return { trackNo, courierCode, postalCode, phoneSuffix, ...merchantFields(merchant, serviceClock) };
}

/**
 * Returns the fields in the service's format: an empty string clears a field, and the shipping time is on the service
 * clock.
 */
export function merchantFields({ shippedAt, ...texts }: MerchantChange, serviceClock: ServiceClock): MerchantFields {
  const fields = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value ?? '']));
  if (shippedAt === null) return { ...fields, shipTime: '' };
  const shipTime = shippedAt === undefined ? '' : formatServiceTime(Date.parse(shippedAt), serviceClock);
  return shipTime === '' ? fields : { ...fields, shipTime };
}
