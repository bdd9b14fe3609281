import { StoreError } from '../lib/store-errors.ts';
import { WebhookListenError } from '../polling/webhook/callers.ts';
import { ServiceError, type ServiceErrorKind } from '../service/errors.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { OutputError } from '../system/standard-streams.ts';
import { ApiKeyMissingError, NotWatchedError, UnavailableError, UsageError } from './errors.ts';

interface Failure {
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** The exit code that belongs to a failed call. What to do about it decides: change key or account (3), try again later (4), or change the request (1). */
export const serviceExitCodes: Readonly<Record<ServiceErrorKind, ExitCode>> = {
  unreachable: exitCode.unreachable,
  timeout: exitCode.unreachable,
  'service-trouble': exitCode.unreachable,
  'bad-answer': exitCode.unreachable,
  'key-refused': exitCode.refused,
  'quota-exhausted': exitCode.refused,
  'rate-limited': exitCode.refused,
  'answer-too-large': exitCode.failed,
  'redirect-refused': exitCode.failed,
  'operation-missing': exitCode.failed,
  'request-refused': exitCode.failed,
  cancelled: exitCode.interrupted,
};

const passing: ReadonlySet<ServiceErrorKind> = new Set(['unreachable', 'timeout', 'service-trouble', 'bad-answer']);
/** Of parcels alone, and only while something runs that polls. */
const nextTry = 'Run it again a little later; a running board or "parcel-monitor watch" retries by itself.';

/** Turns what a command threw into a sentence and an exit code; only for a bug with the stack. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError) return { message: error.message, exitCode: exitCode.usage };
  if (error instanceof ApiKeyMissingError) return { message: error.message, exitCode: exitCode.refused };
  if (error instanceof NotWatchedError) return { message: error.message, exitCode: exitCode.rejected };
  if (error instanceof ServiceError) {
    const message = passing.has(error.kind) ? `${error.message} ${nextTry}` : error.message;
    return { message: withTraceId(message, error.traceId), exitCode: serviceExitCodes[error.kind] };
  }
  if (
    error instanceof StoreError ||
    error instanceof OutputError ||
    error instanceof UnavailableError ||
    error instanceof WebhookListenError
  ) {
    return { message: error.message, exitCode: exitCode.failed };
  }
  // What failed at the end of a block, on the way out of which something else had failed.
  if (error instanceof Error && 'suppressed' in error && 'error' in error) return describeFailure(error.error);
  const account = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    message: `This is a bug in parcel-monitor; please report it with these lines.\n${account}`,
    exitCode: exitCode.failed,
  };
}

/** A sentence with the service's identifier of the request, which its support asks for. */
export function withTraceId(sentence: string, traceId: string | null): string {
  return traceId === null ? sentence : `${sentence} (traceId ${traceId})`;
}
