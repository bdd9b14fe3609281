/** Why the sandbox could not start. */
export type SandboxStartErrorKind = 'port-taken' | 'listen-failed' | 'unusable-option';

/** The sandbox could not start; `message` is a sentence for the user and says what to do next. */
export abstract class SandboxStartError extends Error {
  abstract readonly kind: SandboxStartErrorKind;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Another program listens on the port. */
export class PortTakenError extends SandboxStartError {
  readonly kind = 'port-taken';
}

/** The system does not let the sandbox listen, for another reason than a taken port. */
export class ListenFailedError extends SandboxStartError {
  readonly kind = 'listen-failed';
}

/**
 * An option that the sandbox cannot work with: another host than loopback, a speed of nothing, a parcel it cannot
 * place.
 */
export class UnusableOptionError extends SandboxStartError {
  readonly kind = 'unusable-option';
}

/**
 * A fault that the sandbox does not know, or that is written in a way that it does not understand; `message` lists what
 * there is.
 */
export class UnusableFaultError extends UnusableOptionError {}
