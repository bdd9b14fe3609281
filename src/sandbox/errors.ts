import { type ErrorText, NamedError } from '../lib/error-text.ts';

type SandboxErrorKind = 'port-taken' | 'listen-failed' | 'unusable-option';

/** The message tells the user what to do. */
export class SandboxStartError extends NamedError {
  readonly kind: SandboxErrorKind;

  constructor(kind: SandboxErrorKind, text: ErrorText, options?: ErrorOptions) {
    super(text, options);
    this.kind = kind;
  }
}

export function unusableOption(message: ErrorText): SandboxStartError {
  return new SandboxStartError('unusable-option', message);
}
