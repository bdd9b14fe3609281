import type { Courier, QueryAnswer, RegisterAnswer, RegistrationItem, TrackKey } from './record.ts';

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
