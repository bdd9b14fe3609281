import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { NamedError, systemText } from '../../lib/error-text.ts';

interface Caller {
  /** Number of complete requests that are waiting for a reply. */
  awaiting: number;
  /** Number of bytes received so far of an incomplete body. */
  bytes: number;
}

/**
 * Limits connections and memory. Never refuses a new connection: instead, it closes the oldest one that is not waiting
 * for a reply.
 */
export class ConnectionLimiter {
  readonly #limits: { readonly connections: number; readonly unfinishedBytes: number };
  /** Ordered by last reply, or by arrival before the first reply. */
  readonly #callers = new Map<Socket, Caller>();
  #bytes = 0;

  constructor(limits: { readonly connections: number; readonly unfinishedBytes: number }) {
    this.#limits = limits;
  }

  enter(socket: Socket): void {
    this.#callers.set(socket, { awaiting: 0, bytes: 0 });
    socket.once('close', () => this.#leave(socket));
    while (this.#callers.size > this.#limits.connections && this.#dropOldest(() => true));
  }

  addBodyBytes(socket: Socket, bytes: number): void {
    this.#addBytes(this.#callers.get(socket), bytes);
    while (this.#bytes > this.#limits.unfinishedBytes && this.#dropOldest((caller) => caller.bytes > 0));
  }

  /** Call this when the body is complete, and call the returned function after the reply. */
  finish(socket: Socket): () => void {
    const caller = this.#callers.get(socket);
    if (caller === undefined) return () => undefined;
    this.#addBytes(caller, -caller.bytes);
    caller.awaiting += 1;
    return () => {
      caller.awaiting -= 1;
      if (caller.awaiting === 0 && this.#callers.delete(socket)) this.#callers.set(socket, caller);
    };
  }

  #dropOldest(isCandidate: (caller: Caller) => boolean): boolean {
    const oldest = [...this.#callers].find(([, caller]) => caller.awaiting === 0 && isCandidate(caller));
    if (oldest === undefined) return false;
    // Remove it right away, because the 'close' event comes later.
    this.#leave(oldest[0]);
    oldest[0].destroy();
    return true;
  }

  #leave(socket: Socket): void {
    const caller = this.#callers.get(socket);
    this.#addBytes(caller, -(caller?.bytes ?? 0));
    this.#callers.delete(socket);
  }

  #addBytes(caller: Caller | undefined, bytes: number): void {
    if (caller === undefined) return;
    this.#bytes += bytes;
    caller.bytes += bytes;
  }
}

/** Returns a function that checks a request's path in constant time. A null path accepts any path. */
export function createPathCheck(path: string | null): (target: string) => boolean {
  if (path === null) return () => true;
  const secret = digestOf(`/${path}`);
  return (target) => timingSafeEqual(digestOf(target.replace(/\?.*$/s, '').replace(/\/$/, '')), secret);
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export interface ListenAddress {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
}

export class UnusableListenAddressError extends NamedError {
  readonly kind = 'unusable-listen-address';
}

const addressPattern = /^(?:(?<host>\[[^\]]*\]|[^:[\]]*):)?(?<port>\d{1,5})$/;
const hostNamePattern = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
const loopback = '127.0.0.1';

/**
 * Parses `PORT`, `:PORT`, `HOST:PORT` or `[IPV6]:PORT`. The host defaults to loopback. Throws an {@link
 * UnusableListenAddressError}.
 */
export function parseHostPort(text: string): ListenAddress {
  const { host: hostPart = '', port: portPart } = addressPattern.exec(text.trim())?.groups ?? {};
  const isBracketed = hostPart.startsWith('[');
  const host = isBracketed ? hostPart.slice(1, -1) : hostPart;
  const isHost = isBracketed ? isIP(host) === 6 : host === '' || isIP(host) === 4 || hostNamePattern.test(host);
  if (portPart === undefined || !isHost) {
    throw new UnusableListenAddressError({
      what: `"${text}" is not a valid listen address.`,
      advice: 'Use PORT, HOST:PORT or [IPV6]:PORT, such as 8787 or 0.0.0.0:8787.',
    });
  }
  const port = Number(portPart);
  if (port > 65_535) {
    throw new UnusableListenAddressError({
      what: `${portPart} is not a valid port.`,
      advice: 'Use a port up to 65535, or 0 for any free port.',
    });
  }
  return { host: host === '' ? loopback : host, port };
}

/** Returns a warning if other machines can reach the address, or null. */
export function exposureWarning(address: string): string | null {
  if (/^(?:127\.|\[::1\]|\[::ffff:127\.)/.test(address)) return null;
  return `Any machine that can reach ${address} can call the webhook receiver over plain HTTP. Put a TLS proxy in front of it; if the proxy runs on this machine, listen on ${loopback}.`;
}

export function formatHostPort({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

type ListenFailure = 'port-taken' | 'not-permitted' | 'no-such-address' | 'listen-failed';

export class WebhookListenError extends NamedError {
  readonly kind: ListenFailure;

  constructor(kind: ListenFailure, message: string, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const failures: readonly {
  readonly kind: ListenFailure;
  readonly codes: readonly string[];
  readonly text: (address: string) => string;
}[] = [
  {
    kind: 'port-taken',
    codes: ['EADDRINUSE'],
    text: (address) =>
      `cannot listen on ${address}: another program is using the port. Choose a different port, or 0 for any free port.`,
  },
  {
    kind: 'not-permitted',
    codes: ['EACCES', 'EPERM'],
    text: (address) => `is not allowed to listen on ${address}. Choose a port of 1024 or higher.`,
  },
  {
    kind: 'no-such-address',
    codes: ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'],
    text: (address) =>
      `cannot listen on ${address}: this machine does not have that address. Leave out the host, or use one of this machine's addresses.`,
  },
];

export function toWebhookListenError(cause: NodeJS.ErrnoException, address: string): WebhookListenError {
  const { code = '', message } = cause;
  const failure = failures.find(({ codes }) => codes.includes(code));
  const text =
    failure?.text(address) ??
    `cannot listen on ${address}${code === '' ? ` (${message})` : systemText(code)}. Choose a different address.`;
  return new WebhookListenError(failure?.kind ?? 'listen-failed', `The webhook receiver ${text}`, cause);
}
