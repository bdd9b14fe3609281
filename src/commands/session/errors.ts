/** The command line or the configuration cannot be used; the message says what to change. Exit code 2. */
export class UsageError extends Error {
  readonly kind = 'usage';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}

/** A command needs the API key and there is none, or it cannot be had. Exit code 3, as the service would refuse. */
export class ApiKeyMissingError extends Error {
  readonly kind = 'api-key-missing';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiKeyMissingError';
  }
}

/** Numbers that were named are not on the watchlist. Exit code 5. */
export class NotWatchedError extends Error {
  readonly kind = 'not-watched';

  constructor(message: string) {
    super(message);
    this.name = 'NotWatchedError';
  }
}

/** The embedded service cannot start; the message says what to do. Exit code 1. */
export class SandboxUnavailableError extends Error {
  readonly kind = 'sandbox-unavailable';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SandboxUnavailableError';
  }
}

/** The system knows no home folder of the user, and files would belong there; the message says what to do. Exit code 1. */
export class HomeUnknownError extends Error {
  readonly kind = 'home-unknown';

  constructor(message: string) {
    super(message);
    this.name = 'HomeUnknownError';
  }
}
