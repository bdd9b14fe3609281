import { NamedError } from '../lib/error-text.ts';

/** The command line or the configuration cannot be used; the message says what to change. Exit code 2. */
export class UsageError extends NamedError {
  readonly kind = 'usage';
}

/** What was typed cannot be used, and no setting has to do with it. */
export class TypedError extends UsageError {}

/** Throws a {@link UsageError} for what stands behind all that an action takes, such as `config set`. */
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
