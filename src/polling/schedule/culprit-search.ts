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

export const mayBeOneCulprit = ({ kind }: ServiceError): boolean => culpritKinds.has(kind);

/** Whether this parcel made a batch fail before and is therefore sent alone. */
export const isSuspect = ({ error, registration }: Parcel): boolean =>
  registration !== 'rejected' && error !== null && culpritKinds.has(error.kind);

interface FailedBatch {
  readonly batch: readonly Parcel[];
  readonly error: ServiceError;
  readonly origin: CallOrigin;
  readonly attempt: number;
  readonly searched: LastSearch | null;
}

export interface LastSearch {
  readonly attempt: number;
  readonly size: number;
}

/**
 * Most failures are temporary, so a poll searches only after the second failure in a row, and then less and less often.
 * It searches immediately if the request was refused, and if the user is waiting, after any failure except a timeout.
 */
export function shouldSearch({ batch, error, origin, attempt, searched }: FailedBatch): boolean {
  if (batch.length < 2 || !mayBeOneCulprit(error)) return false;
  if (error.kind === 'answer-too-large') return true;
  const isUserWaiting = origin !== 'poll' && error.kind !== 'timeout';
  return (
    isUserWaiting ||
    (attempt === 1 && error.kind === 'request-refused') ||
    isSearchedAttempt(attempt, batch.length, searched)
  );
}

function isSearchedAttempt(attempt: number, size: number, searched: LastSearch | null): boolean {
  // After a success, the attempts are counted from 1 again.
  const last = searched !== null && searched.attempt < attempt ? searched : null;
  return attempt >= 2 && (last === null || attempt >= 4 * last.attempt || size >= 2 * last.size);
}

/** Halves a failed batch level by level. If all six parts of the first two levels fail, no single number is the cause. */
export class CulpritSearch {
  #parts: (readonly Parcel[])[];
  #failed: (readonly Parcel[])[] = [];
  #level = 1;
  #hasSucceeded = false;
  #lastError: ServiceError;
  #ended: ServiceError | null = null;
  readonly #failedAlone = new Map<Parcel, ServiceError>();

  constructor(batch: readonly Parcel[], error: ServiceError) {
    this.#parts = halves(batch);
    this.#lastError = error;
  }

  next(): readonly Parcel[] | null {
    if (this.#ended !== null) return null;
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

  note(part: readonly Parcel[], error: ServiceError | null): void {
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
    this.#ended = error;
  }

  get failure(): ServiceError | null {
    return this.#ended;
  }

  get culprits(): ReadonlyMap<Parcel, ServiceError> {
    return this.#hasSucceeded ? this.#failedAlone : new Map();
  }
}

function halves(batch: readonly Parcel[]): (readonly Parcel[])[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)].filter((part) => part.length > 0);
}
