import { NamedError } from '../../service/failures/named-error.ts';
import { systemWords } from '../../service/failures/system-words.ts';

/** Why the webhook receiver cannot listen; what the system reports beyond that is `listen-failed`. */
export type ListenFailure = 'port-taken' | 'not-permitted' | 'no-such-address' | 'listen-failed';

/** The webhook receiver cannot listen; the message says what to do. */
export class WebhookListenError extends NamedError {
  readonly kind: ListenFailure;

  constructor(kind: ListenFailure, message: string, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const failures: Readonly<Record<string, ListenFailure>> = {
  EADDRINUSE: 'port-taken',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  EADDRNOTAVAIL: 'no-such-address',
  ENOTFOUND: 'no-such-address',
  EAI_AGAIN: 'no-such-address',
};

/** The error for what listening on `address` failed with. */
export function toWebhookListenError(cause: NodeJS.ErrnoException, address: string): WebhookListenError {
  const kind = failures[cause.code ?? ''] ?? 'listen-failed';
  const sentences: Readonly<Record<ListenFailure, string>> = {
    'port-taken': `cannot listen on ${address}: another program does. Choose another port, or 0 for any free one.`,
    'not-permitted': `may not listen on ${address}. Choose a port from 1024 on.`,
    'no-such-address': `cannot listen on ${address}: this machine has no such address. Leave the host out, or name an address of this machine.`,
    'listen-failed': `cannot listen on ${address}${cause.code === undefined ? ` (${cause.message})` : systemWords(cause.code)}. Choose another address.`,
  };
  return new WebhookListenError(kind, `The webhook receiver ${sentences[kind]}`, cause);
}
