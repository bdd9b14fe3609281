import { NamedError } from '../lib/error-text.ts';
import { ServiceError, type ServiceErrorKind } from '../service/port.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

/** The command line or the configuration cannot be used. The message tells the user what to change. Exit code 2. */
export class UsageError extends NamedError {
  readonly kind = 'usage';
}

/** The command line or typed text cannot be used. Not for settings, where {@link UsageError} points to the setting. */
export class InputError extends UsageError {}

/** A command lacks an argument that it needs. The first examples from its help follow the message. */
export class MissingArgumentError extends InputError {}

/** Throws a {@link UsageError} if an action such as `config set` has more than `max` arguments. */
export function assertNoMoreArguments(action: string, words: readonly string[], max: number): void {
  const more = words[max];
  if (more === undefined) return;
  throw new UsageError({
    what: `Unexpected argument "${more}" after "${action}".`,
    advice: `See "parcel-monitor ${action.split(' ')[0]} --help".`,
  });
}

/**
 * A command needs the API key, but it is not set or cannot be fetched. Exit code 3, as when the service rejects it.
 */
export class ApiKeyMissingError extends NamedError {}

/** Numbers on the command line are not on the watchlist. Exit code 5. */
export class NotWatchedError extends NamedError {}

/**
 * Something that a command needs is missing, such as a home folder or a port for the sandbox. The message tells the
 * user what to do. Exit code 1.
 */
export class UnavailableError extends NamedError {}

/** Returns the result of `read`, and converts an error of this class into a {@link UsageError}. */
export function orUsageError<Value>(errorClass: new (...args: never[]) => Error, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof errorClass)) throw error;
    throw new UsageError(error instanceof NamedError ? error : error.message, { cause: error });
  }
}

/**
 * Exit codes of failed requests, by what the user can do: change the key or account (3), try again later (4), change
 * the request (1).
 */
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

const transientKinds: ReadonlySet<ServiceErrorKind> = new Set([
  'unreachable',
  'timeout',
  'service-trouble',
  'bad-answer',
]);
/** Ends a message about parcels that a polling process retries. */
const retryHint = 'try again a little later; a running board or "parcel-monitor watch" retries automatically.';

export interface ProgramFacts {
  readonly version: string;
  readonly nodeVersion: string;
  readonly platform: string;
  /** Where users report bugs; absent if package.json does not say. */
  readonly reportAt?: string | undefined;
}

/** Turns an error of a command into a message and an exit code. Only a bug includes the stack. */
export function describeFailure(
  error: unknown,
  facts?: ProgramFacts,
): { readonly message: string; readonly exitCode: ExitCode } {
  if (error instanceof UsageError) return { message: error.message, exitCode: exitCode.usage };
  if (error instanceof ApiKeyMissingError) return { message: error.message, exitCode: exitCode.refused };
  if (error instanceof NotWatchedError) return { message: error.message, exitCode: exitCode.rejected };
  if (error instanceof ServiceError) {
    const message = transientKinds.has(error.kind) ? withRetryHint(error) : error.message;
    return { message: withTraceId(message, error.traceId), exitCode: serviceExitCodes[error.kind] };
  }
  if (error instanceof NamedError) return { message: error.message, exitCode: exitCode.failed };
  // If leaving the block also failed, this is the error of the block itself.
  if (error instanceof Error && 'suppressed' in error && 'error' in error) return describeFailure(error.error, facts);
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const destination = facts?.reportAt === undefined ? '' : ` at ${facts.reportAt}`;
  const versions =
    facts === undefined ? '' : `parcel-monitor ${facts.version}, Node ${facts.nodeVersion}, ${facts.platform}\n`;
  return {
    message: `This is a bug in parcel-monitor; please report it${destination} with these lines.\n${versions}${details}`,
    exitCode: exitCode.failed,
  };
}

/** Keeps the message to two sentences. */
const withRetryHint = ({ advice, message }: ServiceError): string =>
  advice === null ? `${message} ${retryHint.replace('t', 'T')}` : `${message.replace(/\.$/, '')}, or ${retryHint}`;

/** Appends the trace ID of a request, which the service's support team asks for. */
export function withTraceId(sentence: string, traceId: string | null): string {
  return traceId === null ? sentence : `${sentence} (traceId ${traceId})`;
}
