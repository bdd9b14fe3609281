import { type ErrorText, NamedError } from '../lib/error-text.ts';

export type ServiceErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'bad-answer'
  | 'answer-too-large'
  | 'redirect-refused'
  | 'operation-missing'
  | 'key-refused'
  | 'quota-exhausted'
  | 'rate-limited'
  | 'request-refused'
  | 'service-trouble'
  | 'cancelled';

export interface ServiceErrorDetails {
  /** A service code (`A0230`) or a network code (`ECONNREFUSED`). */
  readonly code?: string | null;
  readonly httpStatus?: number | null;
  readonly traceId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** `message` tells the user what to do. It never contains the API key, a postal code or a phone number. */
export abstract class ServiceError extends NamedError {
  abstract readonly kind: ServiceErrorKind;
  readonly code: string | null;
  readonly httpStatus: number | null;
  readonly traceId: string | null;
  readonly retryAfterMs: number | null;

  constructor(text: ErrorText, details: ServiceErrorDetails = {}) {
    super(text, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code ?? null;
    this.httpStatus = details.httpStatus ?? null;
    this.traceId = details.traceId ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

export class UnreachableError extends ServiceError {
  readonly kind = 'unreachable';
}

export class ServiceTimeoutError extends ServiceError {
  readonly kind = 'timeout';
}

export class BadResponseError extends ServiceError {
  readonly kind = 'bad-answer';
}

export class ResponseTooLargeError extends ServiceError {
  readonly kind = 'answer-too-large';
}

export class RedirectRefusedError extends ServiceError {
  readonly kind = 'redirect-refused';
}

/** 404 or C0113: the service does not have this path below the base URL. */
export class OperationMissingError extends ServiceError {
  readonly kind = 'operation-missing';
}

/** 401, 403, A02xx, A03xx: the key is not valid, or not allowed from this address. Polling stops. */
export class KeyRefusedError extends ServiceError {
  readonly kind = 'key-refused';
}

export class QuotaExhaustedError extends ServiceError {
  readonly kind = 'quota-exhausted';
}

/** 429, A05xx, A0706, B0210: too many requests. */
export class RateLimitedError extends ServiceError {
  readonly kind = 'rate-limited';
}

/** A0001, A04xx, HTTP 400: retrying would fail again. */
export class RequestRefusedError extends ServiceError {
  readonly kind = 'request-refused';
}

/** 5xx, Bxxxx and other codes. A 503 may include Retry-After. */
export class ServiceTroubleError extends ServiceError {
  readonly kind = 'service-trouble';
}

/** We aborted the request, for example because the program is quitting. */
export class CancelledError extends ServiceError {
  readonly kind = 'cancelled';
}
