/** Parses the stream of a PostgreSQL connection, as far as a proxy needs it. */

/** Bytes that belong together. */
export interface WirePart {
  readonly bytes: Buffer;
  /** The statement that they contain, up to the point where the server responds, or null. */
  readonly statement: string | null;
  /** Whether they are the server's message that a statement has finished. */
  readonly isReady: boolean;
}

/**
 * Creates a reader that takes each chunk of one direction and returns the parts that are complete by then. From a
 * client, all messages of one statement are one part.
 */
export function createMessageReader(side: 'client' | 'server'): (chunk: Buffer) => readonly WirePart[] {
  let rest: Buffer = Buffer.alloc(0);
  // A client's first message has no letter.
  let isFirst = side === 'client';
  let pending: Buffer[] = [];
  let text = '';
  return (chunk) => {
    const bytes = Buffer.concat([rest, chunk]);
    const parts: WirePart[] = [];
    let at = 0;
    for (;;) {
      const lengthAt = isFirst ? at : at + 1;
      if (bytes.length < lengthAt + 4) break;
      const end = lengthAt + bytes.readInt32BE(lengthAt);
      if (bytes.length < end) break;
      const message = bytes.subarray(at, end);
      const letter = isFirst ? '' : String.fromCharCode(message[0] ?? 0);
      // A request for TLS is followed by another first message.
      isFirst &&= message.length === 8;
      at = end;
      pending.push(message);
      if (side === 'client' && (letter === 'P' || letter === 'Q')) text = statementOf(letter, message);
      const isWhole = side === 'server' || !'PBDEHC'.includes(letter) || letter === '';
      if (!isWhole) continue;
      parts.push({
        bytes: Buffer.concat(pending),
        statement: side === 'client' && (letter === 'Q' || letter === 'S') ? text : null,
        isReady: side === 'server' && letter === 'Z',
      });
      pending = [];
    }
    rest = bytes.subarray(at);
    return parts;
  };
}

/** A query contains its text. The message `Parse` has a name before it. Both end with a null byte. */
function statementOf(letter: string, message: Buffer): string {
  const start = letter === 'Q' ? 5 : message.indexOf(0, 5) + 1;
  return message.toString('utf8', start, message.indexOf(0, start));
}
