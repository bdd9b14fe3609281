import { NamedError } from '../../lib/error-text.ts';
import { assumedServiceClock, formatServiceTime } from '../../service/service-clock.ts';
import type { WireEnvelope, WireFailure } from '../../service/wire.ts';
import { hashText } from '../seeded-random.ts';

type HttpStatus = 200 | 400 | 401 | 404 | 413 | 429 | 500;

/**
 * A call that fails as a whole, with the public service's codes. The mapping from codes to HTTP statuses is undocumented:
 * we captured 400 for bad parameters and chose the others according to the HTTP standard.
 */
export class RefusedCallError extends NamedError {
  readonly kind = 'refused-call';
  readonly httpStatus: HttpStatus;
  readonly code: string;
  /** The public service sometimes returns `N/A` instead of a trace id. */
  readonly isTraced: boolean;
  /** For `Retry-After`, in seconds. */
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

export function rateLimited(waitMs: number): RefusedCallError {
  return new RefusedCallError(429, 'A0706', 'too many requests', { retryAfter: Math.ceil(waitMs / 1000) });
}

/** The public service uses this wording for invalid JSON, the wrong shape and the wrong method. */
export function badFormat(): RefusedCallError {
  return new RefusedCallError(400, 'A0400', 'params format error', { isTraced: false });
}

export function badParameter(message: string): RefusedCallError {
  return new RefusedCallError(400, 'A0400', message);
}

export function missingParameter(message: string): RefusedCallError {
  return new RefusedCallError(400, 'A0410', message);
}

/** The trace IDs have 32 hexadecimal digits. The same seed produces the same IDs in the same order. */
export function createTraceIds(seed: number): () => string {
  let count = 0;
  return () => {
    count += 1;
    return [0, 1, 2, 3].map((part) => hashText(`${seed}:${count}:${part}`).toString(16).padStart(8, '0')).join('');
  };
}

export function success<Data>(data: Data, traceId: string): WireEnvelope<Data> {
  return { code: '00000', data, msg: 'Success', traceId };
}

export function failure(error: RefusedCallError, traceId: string): WireFailure {
  return { code: error.code, msg: error.message, traceId: error.isTraced ? traceId : 'N/A' };
}

/**
 * The web framework's response for an unknown path, as captured from the public service, without an envelope. We assume
 * that its timestamp uses the service clock.
 */
export function notFoundPage(path: string, now: number): Readonly<Record<string, string | number>> {
  const timestamp = formatServiceTime(now, assumedServiceClock);
  return { timestamp, status: 404, error: 'Not Found', message: '', path };
}

/** How many registrations and instant calls are left. Null means no limit. */
export class Credit {
  left: number | null;

  constructor(left: number | null) {
    this.left = left;
  }

  /**
   * Throws a {@link RefusedCallError} and uses nothing if the credit is too small. The code comes from a client of
   * the public service; the wording and the HTTP status are guesses.
   */
  spend(amount: number): void {
    if (this.left === null) return;
    if (amount > this.left) throw new RefusedCallError(200, '101107', 'The tracking credit of the account is used up');
    this.left -= amount;
  }
}
