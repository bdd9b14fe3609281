import type { SkewBounds } from './clock/skew-meter.ts';
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

/** Most numbers that one call of each operation takes. */
export interface BatchLimits {
  readonly register: number;
  readonly query: number;
}

/**
 * The service as the rooms above see it. Every method makes the calls it needs at the permitted rate, splits what
 * exceeds a batch, and rejects with a `ServiceError`; it never retries: the gate above it decides that.
 */
export interface TrackingService {
  /** Registers numbers. At most the batch limit of items a call. */
  register(items: readonly RegistrationItem[], signal?: AbortSignal): Promise<RegisterAnswer>;
  /** What the service knows of numbers, all pages together. At most the batch limit of keys a call. */
  query(keys: readonly TrackKey[], signal?: AbortSignal): Promise<QueryAnswer>;
  /** All couriers of the service (Get Carriers). */
  couriers(signal?: AbortSignal): Promise<readonly Courier[]>;
  readonly batchLimits: BatchLimits;
  /** Between what the difference to the service's clock is, by the last answers; null where it is not known or when left out. */
  skewBounds?(): SkewBounds | null;
  /** Whether the newest answer is of the embedded sandbox on this machine; not when left out. */
  isSandbox?(): boolean;
}

/** Everything else that an account can do. */
export interface AccountService {
  /** A page of the records of a window of the account, in one call; the first has the cursor "". */
  search(window: QueryWindow, cursor: string, signal?: AbortSignal): Promise<AccountPage>;
  /** Deletes numbers at the service; answers what it did not delete. At most the batch limit of keys a call. */
  delete(keys: readonly TrackKey[], signal?: AbortSignal): Promise<readonly Rejection[]>;
  /** Changes what the account holds about a number. */
  edit(edit: TrackingEdit, signal?: AbortSignal): Promise<void>;
  /** Moves a number to another courier. */
  changeCourier(key: TrackKey & { courierCode: string }, newCourierCode: string, signal?: AbortSignal): Promise<void>;
  /**
   * Makes the service query the couriers now: once in six hours for a number. It brings no record; query afterwards.
   */
  retrack(keys: readonly TrackKey[], signal?: AbortSignal): Promise<readonly RetrackOutcome[]>;
  /** What the courier knows now of a number, registered or not; costs one tracking quota, once a second. */
  instant(item: InstantItem, signal?: AbortSignal): Promise<InstantAnswer>;
  /**
   * How far the service's clock is ahead of ours, in milliseconds, by the Date headers of the last answers; null before
   * the first. It is known to about a second: the header has no parts of one and the way takes time.
   */
  clockSkew(): number | null;
}
