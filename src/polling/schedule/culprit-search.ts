import type { Parcel } from '../../parcels/parcel.ts';
import type { ServiceError, ServiceErrorKind } from '../../service/port.ts';
import type { CallOrigin } from '../gate/call-rules.ts';

/** Failures that a single number in a batch can cause. */
const culpritKinds: ReadonlySet<string> = new Set<ServiceErrorKind>([
  'request-refused',
  'answer-too-large',
  'service-trouble',
  'timeout',
  'bad-answer',
]);

export const mayHaveCulprit = ({ kind }: ServiceError): boolean => culpritKinds.has(kind);

/** Whether this parcel made a batch fail before and is therefore sent alone. */
export const isSuspect = ({ error, registration }: Parcel): boolean =>
  registration !== 'rejected' && error !== null && culpritKinds.has(error.kind);

interface FailedBatch {
  readonly batch: readonly Parcel[];
  readonly error: ServiceError;
  readonly origin: CallOrigin;
  readonly attempt: number;
  readonly lastSearch: LastSearch | null;
}

export interface LastSearch {
  readonly attempt: number;
  readonly size: number;
}

/**
 * Most failures are temporary, so a poll searches only after the second failure in a row, and then less and less often.
 * It searches immediately if the request was refused, and if the user is waiting, after any failure except a timeout.
 */
export function shouldSearch({ batch, error, origin, attempt, lastSearch }: FailedBatch): boolean {
  if (batch.length < 2 || !mayHaveCulprit(error)) return false;
  if (error.kind === 'answer-too-large') return true;
  const isUserWaiting = origin !== 'poll' && error.kind !== 'timeout';
  return (
    isUserWaiting ||
    (attempt === 1 && error.kind === 'request-refused') ||
    isSearchAttempt(attempt, batch.length, lastSearch)
  );
}

function isSearchAttempt(attempt: number, size: number, lastSearch: LastSearch | null): boolean {
  // After a success, the attempts are counted from 1 again.
  const previous = lastSearch !== null && lastSearch.attempt < attempt ? lastSearch : null;
  return attempt >= 2 && (previous === null || attempt >= 4 * previous.attempt || size >= 2 * previous.size);
}

/** Halves a failed batch level by level. If all six parts of the first two levels fail, no single number is to blame. */
export class CulpritSearch {
  #parts: (readonly Parcel[])[];
  #failed: (readonly Parcel[])[] = [];
  #level = 1;
  #hasSucceeded = false;
  #lastError: ServiceError;
  #failure: ServiceError | null = null;
  readonly #failedAlone = new Map<Parcel, ServiceError>();

  constructor(batch: readonly Parcel[], error: ServiceError) {
    this.#parts = halves(batch);
    this.#lastError = error;
  }

  next(): readonly Parcel[] | null {
    if (this.#failure !== null) return null;
    if (this.#parts.length === 0) {
      if (!this.#hasSucceeded && (this.#level === 2 || this.#failed.length === 0)) {
        this.end(this.#lastError);
        return null;
      }
      this.#parts = this.#failed.flatMap(halves);
      this.#failed = [];
      this.#level += 1;
    }
    return this.#parts.shift() ?? null;
  }

  record(part: readonly Parcel[], error: ServiceError | null): void {
    const [only] = part;
    if (error === null) {
      this.#hasSucceeded = true;
      return;
    }
    this.#lastError = error;
    if (part.length === 1 && only !== undefined) this.#failedAlone.set(only, error);
    else this.#failed.push(part);
  }

  end(error: ServiceError = this.#lastError): void {
    this.#failure = error;
  }

  get failure(): ServiceError | null {
    return this.#failure;
  }

  get culprits(): ReadonlyMap<Parcel, ServiceError> {
    return this.#hasSucceeded ? this.#failedAlone : new Map();
  }
}

function halves(batch: readonly Parcel[]): (readonly Parcel[])[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)].filter((part) => part.length > 0);
}
