import { toError } from '../lib/error-text.ts';
import { isSameNumber } from '../lib/text.ts';
import { createIsFirst, sameCourier } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { type HttpTrackingService, identityOf } from '../service/client.ts';
import {
  type AccountService,
  KeyRefusedError,
  OperationMissingError,
  type QueryWindow,
  type Rejection,
  RequestRefusedError,
  ResponseTooLargeError,
  type RetrackOutcome,
  type ServiceError,
  type TrackKey,
} from '../service/port.ts';
import type { TrackingRecord } from '../service/record.ts';
import { isNotRegistered } from '../service/requests.ts';
import { noUsage } from '../store/usage-meter.ts';
import type { CallGate } from './gate/call-gate.ts';
import type { CallOperation, CallOrigin } from './gate/call-rules.ts';
import type { Monitor } from './monitor.ts';
import { type ExtrasChange, type Instant, presentExtras } from './no-record.ts';

type Deletion =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly message: string; readonly code: string | null };

/** Deletes up to one batch. If the service refuses the batch, deletes the numbers one by one. Throws a `ServiceError`. */
export async function deleteAtService(
  service: Pick<AccountService, 'delete'>,
  keys: readonly TrackKey[],
  signal?: AbortSignal,
): Promise<readonly Deletion[]> {
  if (keys.length === 0) return [];
  try {
    const rejections = await service.delete(keys, signal);
    return keys.map((key) => toDeletion(rejections.find((rejection) => concernsKey(rejection, key))));
  } catch (error) {
    if (!(error instanceof RequestRefusedError)) throw error;
    if (keys.length === 1) return [toDeletion({ message: error.message, code: error.code })];
    const deletions: Deletion[] = [];
    for (const key of keys) deletions.push(...(await deleteAtService(service, [key], signal)));
    return deletions;
  }
}

function concernsKey({ trackNo, courierCode }: Rejection, key: TrackKey): boolean {
  const hasOtherCourier =
    courierCode !== null && key.courierCode !== null && !sameCourier(courierCode, key.courierCode);
  return trackNo !== null && isSameNumber(trackNo, key.trackNo) && !hasOtherCourier;
}

function toDeletion(rejection: Pick<Rejection, 'message' | 'code'> | undefined): Deletion {
  if (rejection === undefined) return { kind: 'deleted' };
  const { message, code } = rejection;
  return isNotRegistered(rejection) ? { kind: 'unknown' } : { kind: 'refused', message, code };
}

/** `local`: the change was made only here, because the number is not registered or there is no service. */
export type ChangePath = 'changed' | 'registered-again' | 'local';

const trackKey = ({ courierCode, trackNo }: Parcel): TrackKey => ({ trackNo, courierCode });

const isAtService = (parcel: Parcel): parcel is Parcel & { readonly courierCode: string } =>
  parcel.registration === 'registered' && parcel.courierCode !== null;

/** Actions that change a parcel first at the service and then here. All throw a `ServiceError` or a `StoreError`. */
export type AccountActions = ReturnType<typeof createAccountActions>;

/**
 * Creates the account's actions. Without a service, all changes are local. If the service refuses a change, the number
 * is registered again instead, and `onRefusal` is called with the reason.
 */
export function createAccountActions(
  monitor: Monitor,
  service: AccountService | null,
  onRefusal: (error: ServiceError) => void = () => {},
) {
  const find = (parcelId: string): Parcel => {
    const parcel = monitor.getState().parcels.find((candidate) => candidate.id === parcelId);
    if (parcel === undefined) throw new RequestRefusedError('This parcel is no longer on the list.');
    return parcel;
  };
  const tryAtService = async (change: () => Promise<void>): Promise<ChangePath> => {
    try {
      await change();
      return 'changed';
    } catch (error) {
      if (!(error instanceof RequestRefusedError || error instanceof OperationMissingError)) throw error;
      onRefusal(error);
      return 'registered-again';
    }
  };
  const sendExtras = async (parcel: Parcel, extras: ReturnType<typeof presentExtras>): Promise<ChangePath> => {
    if (service === null || !isAtService(parcel)) return 'local';
    if (Object.keys(extras).length === 0) return 'registered-again';
    const { trackNo, courierCode } = parcel;
    return await tryAtService(() => service.edit({ trackNo, courierCode, ...extras }));
  };
  const deleteTogether = async (parcelIds: readonly string[]): Promise<ReadonlyMap<string, Error>> => {
    const parcels = parcelIds.map(find);
    const registered = service === null ? [] : parcels.filter(({ registration }) => registration === 'registered');
    const deletions = service === null ? [] : await deleteAtService(service, registered.map(trackKey));
    const failures = new Map<string, Error>();
    for (const [position, { id, trackNo }] of registered.entries()) {
      const deletion = deletions[position];
      if (deletion?.kind !== 'refused') continue;
      const { code, message } = deletion;
      const sentence = `The service did not delete ${trackNo}: "${message}".`;
      failures.set(id, new RequestRefusedError(sentence, { code }));
    }
    const deleted = parcels.filter(({ id }) => !failures.has(id));
    // Remove them in parallel, so that they are written together.
    const removals = await Promise.allSettled(
      deleted.map((parcel) => monitor.remove(parcel.id, { deletedAtService: registered.includes(parcel) })),
    );
    for (const [position, { id }] of deleted.entries()) {
      const removal = removals[position];
      if (removal?.status === 'rejected') failures.set(id, toError(removal.reason));
    }
    return failures;
  };

  return {
    /** Makes the service query the courier again (at most once every six hours per number), then queries the service. */
    async retrack(parcelId: string): Promise<RetrackOutcome> {
      if (service === null) {
        throw new KeyRefusedError({
          what: 'No API key is set, so the courier cannot be asked for an update.',
          advice: 'Set PARCEL_MONITOR_API_KEY.',
        });
      }
      const { trackNo, courierCode } = find(parcelId);
      const [outcome] = await service.retrack([{ trackNo, courierCode }]);
      if (outcome?.accepted === true) {
        const { failure } = await monitor.refresh([parcelId]);
        if (failure !== null) throw failure;
      }
      return outcome ?? { trackNo, courierCode, accepted: false, actualRefreshTime: null, message: null };
    },

    /** Deletes up to one batch. A number that the service does not know counts as deleted. Returns failures by parcel id. */
    deleteTogether,

    async changeCourier(parcelId: string, courierCode: string): Promise<ChangePath> {
      const parcel = find(parcelId);
      const key = isAtService(parcel) ? { trackNo: parcel.trackNo, courierCode: parcel.courierCode } : null;
      const path =
        service === null || key === null || key.courierCode === courierCode
          ? 'local'
          : await tryAtService(() => service.changeCourier(key, courierCode));
      await monitor.edit(parcelId, { courierCode, ...(path === 'changed' ? { knownToService: true } : {}) });
      return path;
    },

    async setExtras(parcelId: string, extras: ExtrasChange): Promise<ChangePath> {
      const parcel = find(parcelId);
      const path = await sendExtras(parcel, presentExtras(extras));
      await monitor.edit(parcelId, { ...extras, ...(path === 'changed' ? { knownToService: true } : {}) });
      return path;
    },
  };
}

const maxPages = 10_000;
/** Maximum number of pages (ten thousand records) if the service does not report a total. */
const plausiblePages = 100;

export class EndlessAccountError extends ResponseTooLargeError {}

/**
 * Yields an account's records page by page, without duplicates. Throws the `ServiceError` of a page, or an {@link
 * EndlessAccountError} if there are more pages than announced, because each page costs a query.
 * @param shouldContinue decides whether to read the same number of pages again
 */
export async function* listAccount(
  service: Pick<AccountService, 'search'>,
  window: QueryWindow,
  signal: AbortSignal,
  shouldContinue: (sentence: string) => Promise<boolean> = async () => false,
): AsyncGenerator<readonly TrackingRecord[], void> {
  const isFirst = createIsFirst();
  let cursor = '';
  let allowedPages = plausiblePages;
  let isAnnounced = false;
  for (let page = 1; ; page += 1) {
    const { records, next, totalPages } = await service.search(window, cursor, signal);
    if (page === 1 && totalPages !== null) {
      isAnnounced = totalPages < maxPages;
      allowedPages = Math.min(maxPages, Math.max(1, totalPages) + 1);
    }
    const newRecords = records.filter((record) => isFirst(identityOf(record)));
    const inWindow = newRecords.filter((record) => isInWindow(record, window));
    if (inWindow.length > 0) yield inWindow;
    if (next === null || newRecords.length === 0) return;
    if (page >= allowedPages) {
      const sentence = `The service sent ${page} account pages, more than ${isAnnounced ? 'it announced' : 'is plausible'}, and there are still more.`;
      if (!(await shouldContinue(sentence))) throw new EndlessAccountError(sentence);
      allowedPages += page;
    }
    cursor = next;
  }
}

function isInWindow({ createTime }: TrackingRecord, { createTimeStart = '', createTimeEnd }: QueryWindow): boolean {
  if (createTime === null) return true;
  return createTime >= createTimeStart && (createTimeEnd === undefined || createTime <= createTimeEnd);
}

export interface GatedService extends HttpTrackingService {
  readonly gate: CallGate;
  readonly instant: Instant;
}

/**
 * Puts a service behind the gate, except for registrations and queries: the monitor sends those through the gate itself,
 * because the budget may cover only part of a batch.
 */
export function gatedService(service: HttpTrackingService, gate: CallGate, origin: CallOrigin): GatedService {
  const throughGate =
    <Args extends readonly unknown[], Result>(operation: CallOperation, call: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      const signal = args.find((value) => value instanceof AbortSignal);
      return gate.call({ operation, origin, signal, send: () => call(...args) });
    };
  return {
    ...service,
    gate,
    couriers: throughGate('couriers', service.couriers),
    edit: throughGate('edit', service.edit),
    changeCourier: throughGate('changeCourier', service.changeCourier),
    delete: throughGate('delete', service.delete),
    retrack: throughGate('retrack', service.retrack),
    instant: (item, signal, options = {}) =>
      gate.call({ origin, ...options, operation: 'instant', signal, send: () => service.instant(item, signal) }),
    search: (window, cursor, signal) =>
      gate.call({
        operation: 'search',
        origin,
        signal,
        send: () => service.search(window, cursor, signal),
        usageOf: ({ records }) => ({ ...noUsage, calls: 1, queries: 1, numbers: records.length }),
      }),
  };
}
