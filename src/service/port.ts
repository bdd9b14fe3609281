import type {
  AccountPage,
  Courier,
  InstantAnswer,
  InstantItem,
  QueryAnswer,
  QueryWindow,
  RegisterAnswer,
  RegistrationItem,
  Rejection,
  RetrackOutcome,
  TrackingEdit,
  TrackKey,
} from './record/record.ts';

/**
 * The service as the rooms above see it. Every method makes the calls it needs at the permitted rate, splits what
 * exceeds a batch, and rejects with a `ServiceError`; it never retries (design.md, decision 7).
 */
export interface TrackingService {
  /** Interface section 4.1. At most the batch limit of items a call. */
  register(items: readonly RegistrationItem[], signal?: AbortSignal): Promise<RegisterAnswer>;
  /** Interface section 4.3 (or 4.2 where configured); reads all pages. At most the batch limit of keys a call. */
  query(keys: readonly TrackKey[], signal?: AbortSignal): Promise<QueryAnswer>;
  /** Interface section 4.4. */
  couriers(signal?: AbortSignal): Promise<readonly Courier[]>;
  /** Most numbers that one call of each operation takes. */
  readonly batchLimits: { readonly register: number; readonly query: number };
}

/** Everything else that an account can do; paths and bodies are public facts of the service. */
export interface AccountService {
  /** A page of the records of a window of the account, in one call; the first has the cursor "". */
  search(window: QueryWindow, cursor: string, signal?: AbortSignal): Promise<AccountPage>;
  /** Deletes numbers at the service; answers what it did not delete. At most the batch limit of keys a call. */
  delete(keys: readonly TrackKey[], signal?: AbortSignal): Promise<readonly Rejection[]>;
  /** Changes what the account holds about a number. */
  edit(edit: TrackingEdit, signal?: AbortSignal): Promise<void>;
  /** Moves a number to another courier. */
  changeCourier(key: TrackKey & { courierCode: string }, newCourierCode: string, signal?: AbortSignal): Promise<void>;
  /** Lets the service ask the couriers now: once in six hours for a number. It brings no record; query afterwards. */
  retrack(keys: readonly TrackKey[], signal?: AbortSignal): Promise<readonly RetrackOutcome[]>;
  /** Asks the courier now about a number that need not be registered; costs one tracking quota, once a second. */
  instant(item: InstantItem, signal?: AbortSignal): Promise<InstantAnswer>;
  /**
   * How far the service's clock is ahead of ours, in milliseconds, by the Date header of the newest answer; null before
   * the first. Seconds matter little: the header has no parts of a second and the way takes time.
   */
  clockSkew(): number | null;
}
