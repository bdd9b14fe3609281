import type { Socket } from 'node:net';

/** `100 Continue`, `103 Early Hints` and the like; 101 changes the protocol, which is never requested here. */
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const interimLength = 'HTTP/1.1 100'.length;
const headEnd = '\r\n\r\n';
/** A longer interim answer is left to the parser, which refuses it: nothing is held without a limit. */
const longestHeld = 16 * 1024;

/**
 * Passes over the interim answers that a server or a gateway sends before the real one, as HTTP wants it of every
 * client. undici ends the connection at a `100 Continue` and has no option for it. For a socket on which one request is
 * under way at a time, and which is read by `read` only.
 */
export function passOverInterim<Connection extends Socket>(socket: Connection): Connection {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let isAnswerNext = true;
  let held: Buffer | null = null;

  socket.write = (...given: unknown[]): boolean => {
    // A request is written whole before any of its answer is read.
    isAnswerNext = true;
    return write(...given);
  };
  socket.read = (size?: number): Buffer | null => {
    const piece = read(size);
    if (!isAnswerNext || piece === null) return piece;
    held = withoutInterim(held === null ? piece : Buffer.concat([held, piece]));
    if (mayBeInterim(held)) return null;
    const rest = held;
    held = null;
    isAnswerNext = false;
    return rest;
  };
  return socket;
}

const startOf = (bytes: Buffer): string => bytes.toString('latin1', 0, interimLength);

function withoutInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  while (interim.test(startOf(rest))) {
    const end = rest.indexOf(headEnd);
    if (end === -1) return rest;
    rest = rest.subarray(end + headEnd.length);
  }
  return rest;
}

/** Whether more has to come before it is known what these bytes are. */
function mayBeInterim(bytes: Buffer): boolean {
  if (bytes.length > longestHeld) return false;
  const start = startOf(bytes);
  return interim.test(start + 'HTTP/1.1 100'.slice(start.length)) && !start.startsWith('HTTP/1.1 101');
}
