import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { NamedError, systemWords } from '../../lib/error-text.ts';

interface RoomLimits {
  readonly connections: number;
  /** Bytes of bodies that have begun to come and are not whole yet. */
  readonly unfinishedBytes: number;
}

interface Caller {
  awaiting: number;
  /** Bytes of the body that is coming. */
  bytes: number;
}

/**
 * Turns no new caller away: the one that has taken longest to send its request makes way, so slow connections hold up
 * no complete request.
 */
export class CallerRoom {
  readonly #limits: RoomLimits;
  /** Those that nothing is owed to in the order in which that began. */
  readonly #callers = new Map<Socket, Caller>();
  #bytes = 0;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  enter(socket: Socket): void {
    this.#callers.set(socket, { awaiting: 0, bytes: 0 });
    socket.once('close', () => this.#leave(socket));
    while (this.#callers.size > this.#limits.connections && this.#sendAway(() => true));
  }

  /** Counts bytes of a body that is coming. */
  note(socket: Socket, bytes: number): void {
    const caller = this.#callers.get(socket);
    if (caller === undefined) return;
    this.#setBytes(caller, caller.bytes + bytes);
    while (this.#bytes > this.#limits.unfinishedBytes && this.#sendAway(({ bytes: held }) => held > 0));
  }

  finish(socket: Socket): () => void {
    const caller = this.#callers.get(socket);
    if (caller === undefined) return () => undefined;
    this.#setBytes(caller, 0);
    caller.awaiting += 1;
    return () => {
      caller.awaiting -= 1;
      if (caller.awaiting === 0 && this.#callers.delete(socket)) this.#callers.set(socket, caller);
    };
  }

  #sendAway(isMeant: (caller: Caller) => boolean): boolean {
    for (const [socket, caller] of this.#callers) {
      if (caller.awaiting > 0 || !isMeant(caller)) continue;
      // Counted out at once; the event that it is closed comes later.
      this.#leave(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #leave(socket: Socket): void {
    const caller = this.#callers.get(socket);
    if (caller === undefined) return;
    this.#setBytes(caller, 0);
    this.#callers.delete(socket);
  }

  #setBytes(caller: Caller, bytes: number): void {
    this.#bytes += bytes - caller.bytes;
    caller.bytes = bytes;
  }
}

/** Takes as long for a path that is nearly right as for any other. Null takes any path. */
export function createPathCheck(path: string | null): (target: string) => boolean {
  if (path === null) return () => true;
  const secret = digestOf(`/${path}`);
  return (target) => timingSafeEqual(digestOf(target.replace(/\?.*$/s, '').replace(/\/$/, '')), secret);
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

export class UnusableListenAddressError extends NamedError {
  readonly kind = 'unusable-listen-address';
}

const shape = /^(?:(?<host>\[[^\]]*\]|[^:[\]]*):)?(?<port>\d{1,5})$/;
const hostName = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
const loopback = '127.0.0.1';

/**
 * Reads `PORT`, `:PORT`, `HOST:PORT` or `[IPV6]:PORT`; without a host this machine only. Throws an {@link
 * UnusableListenAddressError}.
 */
export function parseHostPort(text: string): ListenAddress {
  const { host: writtenHost = '', port: writtenPort } = shape.exec(text.trim())?.groups ?? {};
  const isBracketed = writtenHost.startsWith('[');
  const host = isBracketed ? writtenHost.slice(1, -1) : writtenHost;
  const isHost = isBracketed ? isIP(host) === 6 : host === '' || isIP(host) === 4 || hostName.test(host);
  if (writtenPort === undefined || !isHost) {
    throw new UnusableListenAddressError({
      what: `"${text}" is no address to listen on.`,
      advice: 'Write PORT, HOST:PORT or [IPV6]:PORT, such as 8787 or 0.0.0.0:8787.',
    });
  }
  const port = Number(writtenPort);
  if (port > 65_535) {
    throw new UnusableListenAddressError({
      what: `The port ${writtenPort} does not exist.`,
      advice: 'Use one up to 65535, or 0 for any free one.',
    });
  }
  return { host: host === '' ? loopback : host, port };
}

/** A warning where others than this machine can reach an address that is listened on; null where they cannot. */
export function openToOthers(address: string): string | null {
  if (/^(?:127\.|\[::1\]|\[::ffff:127\.)/.test(address)) return null;
  return `Every machine that can reach ${address} can call the webhook receiver, in plain HTTP. Put a proxy with TLS before it, and let it listen on ${loopback} where the proxy runs on this machine.`;
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

const failures: Readonly<Record<string, ListenFailure>> = {
  EADDRINUSE: 'port-taken',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  EADDRNOTAVAIL: 'no-such-address',
  ENOTFOUND: 'no-such-address',
  EAI_AGAIN: 'no-such-address',
};

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
