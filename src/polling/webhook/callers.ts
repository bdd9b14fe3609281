import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';

/** How much room all callers have together. */
interface RoomLimits {
  /** Connections at a time. */
  readonly connections: number;
  /** Bytes of bodies that have begun to come and are not whole yet. */
  readonly unfinishedBytes: number;
}

interface Caller {
  /** Requests that are whole and wait for their answer. */
  awaiting: number;
  /** Bytes of the body that is coming. */
  bytes: number;
}

/**
 * Keeps callers within their room without ever turning a new one away: the one that has taken longest to send its
 * request makes way. So slow and idle connections, however many, hold up no complete request. One that waits for its answer stays.
 */
export class CallerRoom {
  readonly #limits: RoomLimits;
  /** Those that nothing is owed to in the order in which that began. */
  readonly #callers = new Map<Socket, Caller>();
  #bytes = 0;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  /** Lets a new connection in. */
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

  /** A request is whole, or refused before it was; answers how to say that it is answered. */
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

  /** Ends the longest unfinished connection of a kind; false when there is none. */
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

/**
 * Makes the check whether a request goes to the secret path, with or without a slash at its end; any path will do where
 * there is none. Takes as long for a path that is nearly right as for any other.
 */
export function createPathCheck(path: string | null): (target: string) => boolean {
  if (path === null) return () => true;
  const secret = digestOf(`/${path}`);
  return (target) => timingSafeEqual(digestOf(target.replace(/\?.*$/s, '').replace(/\/$/, '')), secret);
}

/** Of any two texts, as long as each other. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
