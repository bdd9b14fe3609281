/** The webhook receiver cannot listen; the message says what to do. */
export abstract class WebhookListenError extends Error {
  abstract readonly kind: 'port-taken' | 'not-permitted' | 'no-such-address' | 'listen-failed';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Another program listens on that port. */
export class WebhookPortTakenError extends WebhookListenError {
  readonly kind = 'port-taken';
}

/** The system reserves that port, as it does below 1024. */
export class WebhookPortForbiddenError extends WebhookListenError {
  readonly kind = 'not-permitted';
}

/** This machine has no such address. */
export class WebhookAddressError extends WebhookListenError {
  readonly kind = 'no-such-address';
}

/** Anything else that the system reports. */
export class WebhookListenFailedError extends WebhookListenError {
  readonly kind = 'listen-failed';
}

/** The named error for what listening on `address` failed with. */
export function toWebhookListenError(cause: NodeJS.ErrnoException, address: string): WebhookListenError {
  switch (cause.code) {
    case 'EADDRINUSE':
      return new WebhookPortTakenError(
        `The webhook receiver cannot listen on ${address}: another program does. Choose another port, or 0 for any free one.`,
        { cause },
      );
    case 'EACCES':
    case 'EPERM':
      return new WebhookPortForbiddenError(
        `The webhook receiver may not listen on ${address}. Choose a port from 1024 on.`,
        { cause },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new WebhookAddressError(
        `The webhook receiver cannot listen on ${address}: this machine has no such address. Leave the host out, or name an address of this machine.`,
        { cause },
      );
    default:
      return new WebhookListenFailedError(
        `The webhook receiver cannot listen on ${address} (${cause.code ?? cause.message}). Choose another address.`,
        { cause },
      );
  }
}
