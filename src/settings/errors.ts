import { NamedError } from '../lib/error-text.ts';
import { StoreError } from '../lib/store-errors.ts';
import { WebhookListenError } from '../polling/webhook/callers.ts';
import { ServiceError, type ServiceErrorKind } from '../service/errors.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { OutputError } from '../system/standard-streams.ts';

/** The command line or the configuration cannot be used; the message says what to change. Exit code 2. */
export class UsageError extends NamedError {
  readonly kind = 'usage';
}

/** What was typed cannot be used, and no setting has to do with it. */
export class TypedError extends UsageError {}

/** Throws a {@link UsageError} for arguments after the last one that an action takes, such as `config set`. */
export function refuseMore(action: string, words: readonly string[], most: number): void {
  const more = words[most];
  if (more === undefined) return;
  throw new UsageError({
    what: `"${action}" does not take "${more}".`,
    advice: `See "parcel-monitor ${action.split(' ')[0]} --help".`,
  });
}

/** A command needs the API key and there is none, or it cannot be had. Exit code 3, as the service would refuse. */
export class ApiKeyMissingError extends NamedError {
  readonly kind = 'api-key-missing';
}

/** Numbers that were named are not on the watchlist. Exit code 5. */
export class NotWatchedError extends NamedError {
  readonly kind = 'not-watched';
}

/** Something that a command needs is not there: a home folder, a port for the sandbox; the message says what to do. Exit code 1. */
export class UnavailableError extends NamedError {
  readonly kind = 'unavailable';
}

/** What `read` answers. An error of the class becomes a {@link UsageError}. */
export function orUsageError<Value>(complaint: new (...given: never[]) => Error, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof complaint)) throw error;
    throw new UsageError(error instanceof NamedError ? error : error.message, { cause: error });
  }
}

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
const nextTry = 'Try again a little later; a running board or "parcel-monitor watch" retries by itself.';

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
  // The error of the block itself, if leaving the block failed as well.
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
