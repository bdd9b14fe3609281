import type { Envelope } from './decode-answer.ts';
import {
  BadAnswerError,
  KeyRefusedError,
  OperationMissingError,
  QuotaExhaustedError,
  RateLimitedError,
  RequestRefusedError,
  type ServiceError,
  type ServiceErrorDetails,
  ServiceTroubleError,
} from './errors.ts';
import type { Operation } from './operations.ts';

/** What is known of an answer that reports a failure. */
export interface FailedAnswer {
  readonly operation: Operation;
  readonly httpStatus: number;
  /** Null when the body is no JSON object. */
  readonly envelope: Envelope | null;
  /** From Retry-After, in milliseconds. */
  readonly retryAfterMs: number | null;
}

/** The code of success (interface section 7); compared as text. */
export const successCode = '00000';

type Verdict = 'key' | 'quota' | 'rate' | 'missing' | 'request' | 'trouble';

/** Meanings of the codes: public facts of the service, its own table of status codes. */
function verdictOfCode(code: string): Verdict | null {
  if (code === 'A0706' || code === 'B0210') return 'rate';
  if (code === '101107') return 'quota';
  if (code === 'C0113') return 'missing';
  if (/^A0[23]\d\d$/.test(code)) return 'key';
  if (/^A\d{4}$/.test(code)) return 'request';
  return /^[BCD]\d{4}$/.test(code) ? 'trouble' : null;
}

function verdictOfStatus(httpStatus: number): Verdict | null {
  if (httpStatus === 401 || httpStatus === 403) return 'key';
  if (httpStatus === 402) return 'quota';
  if (httpStatus === 404) return 'missing';
  if (httpStatus === 429) return 'rate';
  if (httpStatus >= 500) return 'trouble';
  return httpStatus >= 400 ? 'request' : null;
}

/** The named error for an answer that is not a success. */
export function failureOf(answer: FailedAnswer): ServiceError {
  const { envelope, httpStatus, operation, retryAfterMs } = answer;
  const code = envelope?.code ?? null;
  const details: ServiceErrorDetails = { code, httpStatus, traceId: envelope?.traceId ?? null };
  const reason = code ?? `HTTP ${httpStatus}`;
  const words = envelope?.message == null ? '' : ` It says: "${envelope.message}".`;
  const verdict = (code === null || code === successCode ? null : verdictOfCode(code)) ?? verdictOfStatus(httpStatus);
  switch (verdict) {
    case 'key':
      return new KeyRefusedError(
        `The service refused the API key (${reason}).${words} Check the key and its header, and that this machine's address is on the account's allowlist.`,
        details,
      );
    case 'quota':
      return new QuotaExhaustedError(
        `The account's credit is used up (${reason}).${words} Add credit in the provider's portal, then refresh.`,
        details,
      );
    case 'rate':
      return new RateLimitedError(
        `The service asks for fewer calls (${reason}). Asking goes on by itself, more slowly.`,
        retryAfterMs,
        details,
      );
    case 'missing':
      return new OperationMissingError(
        `The service has no operation "${operation.title}" at ${operation.path} (${reason}). Check the base URL and the profile.`,
        details,
      );
    case 'request':
      return new RequestRefusedError(
        `The service did not accept the request "${operation.title}" (${reason}).${words}`,
        details,
      );
    case 'trouble':
      return new ServiceTroubleError(
        `The service is in trouble (${reason}).${words} The last good data stays; the next try follows by itself.`,
        retryAfterMs,
        details,
      );
    case null:
      return code === null
        ? new BadAnswerError(
            `The answer to "${operation.title}" is not the service's: it carries no code.${words} Check the base URL.`,
            details,
          )
        : new ServiceTroubleError(
            `The service reports a failure that is not known here (${reason}).${words}`,
            retryAfterMs,
            details,
          );
  }
}
