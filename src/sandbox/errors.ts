import { type ErrorText, NamedError } from '../lib/error-text.ts';

/**
 * Why the sandbox cannot start, or cannot take what it was given: another program listens on the port, the system does
 * not let it listen for another reason, or an option is none that it can work with (a host that is not this machine, a
 * speed of nothing, a parcel that it cannot place, a fault that it does not know).
 */
export type SandboxErrorKind = 'port-taken' | 'listen-failed' | 'unusable-option';

/** The sandbox could not start; `message` is a sentence for the user and says what to do next. */
export class SandboxStartError extends NamedError {
  readonly kind: SandboxErrorKind;

  constructor(kind: SandboxErrorKind, text: ErrorText, options?: ErrorOptions) {
    super(text, options);
    this.kind = kind;
  }
}

/** For an option that cannot be used. */
export function unusableOption(message: ErrorText): SandboxStartError {
  return new SandboxStartError('unusable-option', message);
}
