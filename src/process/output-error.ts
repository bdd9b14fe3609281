/** Results could not be written where they should go; the message says what to do. Exit code 1. */
export class OutputError extends Error {
  readonly kind = 'output';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutputError';
  }
}
