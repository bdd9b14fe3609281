import { NamedError } from '../../lib/error-text.ts';
import { assumedServiceClock, formatServiceTime } from '../../service/service-clock.ts';
import type { WireEnvelope, WireFailure } from '../../service/wire.ts';
import { hashOf } from '../seeded-random.ts';

/** HTTP statuses that the sandbox answers with. */
type HttpStatus = 200 | 400 | 401 | 404 | 413 | 429 | 500;

/**
 * A call that fails as a whole. The codes are the public service's; which HTTP status goes with which code is
 * documented nowhere. The sandbox takes 400 for parameters (as captured), and the ones of the HTTP standard for the
 * rest: clients of the public service look out for them.
 */
export class RefusedCallError extends NamedError {
  readonly kind = 'refused-call';
  readonly httpStatus: HttpStatus;
  readonly code: string;
  /** False where the public service answers `N/A` in place of a trace identifier. */
  readonly isTraced: boolean;
  /** For Retry-After, in whole seconds; null for none. */
  readonly retryAfter: number | null;

  constructor(
    httpStatus: HttpStatus,
    code: string,
    message: string,
    { isTraced = true, retryAfter = null }: { readonly isTraced?: boolean; readonly retryAfter?: number | null } = {},
  ) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
    this.isTraced = isTraced;
    this.retryAfter = retryAfter;
  }
}

/** A call over the rate; the next one is let through so many milliseconds later. */
export function refusedForRate(waitMs: number): RefusedCallError {
  return new RefusedCallError(429, 'A0706', 'too many requests', { retryAfter: Math.ceil(waitMs / 1000) });
}

/** A body that is no JSON, of another shape, or sent by another method: the public service's own words. */
export function badFormat(): RefusedCallError {
  return new RefusedCallError(400, 'A0400', 'params format error', { isTraced: false });
}

/** A parameter whose value the service does not take. */
export function badParameter(message: string): RefusedCallError {
  return new RefusedCallError(400, 'A0400', message);
}

export function missingParameter(message: string): RefusedCallError {
  return new RefusedCallError(400, 'A0410', message);
}

/** Makes trace identifiers of 32 hexadecimal characters, the same ones in the same order for the same seed. */
export function createTraceIds(seed: number): () => string {
  let count = 0;
  return () => {
    count += 1;
    return [0, 1, 2, 3].map((part) => hashOf(`${seed}:${count}:${part}`).toString(16).padStart(8, '0')).join('');
  };
}

/** Envelope of a call that went well. */
export function success<Data>(data: Data, traceId: string): WireEnvelope<Data> {
  return { code: '00000', data, msg: 'Success', traceId };
}

/** Envelope of a call that failed; it carries no data. */
export function failure(error: RefusedCallError, traceId: string): WireFailure {
  return { code: error.code, msg: error.message, traceId: error.isTraced ? traceId : 'N/A' };
}

/**
 * The web framework's page for a path that does not exist, as it was captured from the public service, which answers it
 * outside of its envelope. That its time is on the service clock is an assumption.
 */
export function notFoundPage(path: string, now: number): Readonly<Record<string, string | number>> {
  const timestamp = formatServiceTime(now, assumedServiceClock);
  return { timestamp, status: 404, error: 'Not Found', message: '', path };
}

/** What the account may still have tracked: one for every registration and every instant call. */
export class Credit {
  #left: number | null;

  /** Null for no limit. */
  constructor(limit: number | null) {
    this.#left = limit;
  }

  /** Null for no limit. */
  get left(): number | null {
    return this.#left;
  }

  set left(limit: number | null) {
    this.#left = limit;
  }

  /**
   * Uses credit up. Throws a {@link RefusedCallError} when there is too little, and then uses none. A client of the
   * public service has met the code; words and HTTP status are assumptions.
   */
  spend(amount: number): void {
    if (this.#left === null) return;
    if (amount > this.#left) throw new RefusedCallError(200, '101107', 'The tracking credit of the account is used up');
    this.#left -= amount;
  }
}
