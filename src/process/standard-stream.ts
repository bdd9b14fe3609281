import { fstatSync, type Stats, write } from 'node:fs';

/** Called when a text is written, or could not be. */
type Written = (error?: Error | null) => void;

/** What the program needs of Node's streams for standard output and standard error. */
export interface StandardStream {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  /** More than 0 while something is on its way. */
  readonly writableLength: number;
  write(text: string | Uint8Array, written?: Written): unknown;
  /** Hears of writes that failed. */
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** A stream that Node's own need not be opened for. */
export interface OwnStream extends StandardStream {
  /** Node's own, opened if need be, which tries at once to write what it is given. */
  opened(): StandardStream;
}

/** Whether a descriptor leads to a pipe or socket to which the program itself can write; to those of Windows only Node can. */
export function isPipe(descriptor: number, platform: string): boolean {
  if (platform === 'win32') return false;
  const facts = factsOf(descriptor);
  return facts !== null && (facts.isFIFO() || facts.isSocket());
}

/** What it takes to find out what a descriptor leads to. */
interface DescriptorSource {
  readonly descriptor: number;
  readonly platform: string;
  /** Loads what knows streams, so it is asked only where it could be one. */
  readonly isTerminal: (descriptor: number) => boolean;
}

/** Linux: the devices that are memory, such as /dev/null, of which none is a terminal. */
const memoryDevices = 1;

/** What a file descriptor leads to, as far as writing to it is concerned. */
export function descriptorKind({ descriptor, isTerminal, platform }: DescriptorSource): 'terminal' | 'file' | 'other' {
  const facts = factsOf(descriptor);
  // Of a console Windows knows little else.
  if ((facts === null || platform === 'win32') && isTerminal(descriptor)) return 'terminal';
  if (facts === null) return 'other';
  if (facts.isCharacterDevice()) {
    const isMemory = platform === 'linux' && facts.rdev >> 8 === memoryDevices;
    return !isMemory && isTerminal(descriptor) ? 'terminal' : 'file';
  }
  // A folder can be opened for reading and handed over as well; writing to it says what is wrong.
  return facts.isFile() || facts.isBlockDevice() || facts.isDirectory() ? 'file' : 'other';
}

/** Null for a descriptor that is closed, of which nothing is known: Node's stream shall try. */
function factsOf(descriptor: number): Stats | null {
  try {
    return fstatSync(descriptor);
  } catch {
    return null;
  }
}

/** Whether two descriptors lead to the same pipe: then what goes to one must not overtake what goes to the other. */
export function isSamePipe(one: number, other: number): boolean {
  const [a, b] = [factsOf(one), factsOf(other)];
  return a !== null && b !== null && a.dev === b.dev && a.ino === b.ino;
}

/** Writes bytes and says how many the system took, or why none. */
type WriteLater = (bytes: Uint8Array, taken: (error: NodeJS.ErrnoException | null, count: number) => void) => void;

/** What a standard stream is made of. */
interface OwnStreamSource {
  /** Node's own stream. To open one takes as long as all that a short command does, so it is opened when it is needed. */
  readonly open: () => StandardStream;
  /** Writes without Node's stream; null where only that can. */
  readonly writeLater: WriteLater | null;
  /** Called before anything is written. */
  readonly beforeWriting?: () => void;
}

/** Writes to a pipe or socket on another thread, so that a reader that does not read holds nothing up. */
export const pipeWriter =
  (descriptor: number): WriteLater =>
  (bytes, taken) =>
    write(descriptor, bytes, taken);

interface Piece {
  bytes: Uint8Array;
  readonly written: Written;
}

/** Makes a stream that writes by itself as long as it can, in the order of the calls, and then by Node's. */
export function createOwnStream({ open, writeLater, beforeWriting }: OwnStreamSource): OwnStream {
  let stream: StandardStream | null = null;
  const listeners: ((error: Error) => void)[] = [];
  const pieces: Piece[] = [];
  const opened = (): StandardStream => {
    if (stream !== null) return stream;
    stream = open();
    for (const listener of listeners) stream.on('error', listener);
    return stream;
  };
  const next = (): void => {
    const [piece] = pieces;
    if (piece === undefined || writeLater === null) return;
    writeLater(piece.bytes, (error, count) => {
      const isWhole = error === null && count === piece.bytes.length;
      // Somebody else who has the same pipe does not want to wait for it: Node's stream knows when there is room again.
      if (error?.code === 'EAGAIN' || (error === null && count === 0 && !isWhole)) return handOver();
      if (error === null && !isWhole) {
        piece.bytes = piece.bytes.subarray(count);
        return next();
      }
      pieces.shift();
      if (error !== null) for (const listener of listeners) listener(error);
      piece.written(error);
      next();
    });
  };
  const handOver = (): void => {
    for (const { bytes, written } of pieces.splice(0)) opened().write(bytes, written);
  };
  return {
    opened,
    get destroyed() {
      return stream?.destroyed ?? false;
    },
    get writableEnded() {
      return stream?.writableEnded ?? false;
    },
    get writableLength() {
      return stream?.writableLength ?? pieces.length;
    },
    write(text, written = () => undefined) {
      if (text.length > 0) beforeWriting?.();
      if (writeLater === null || stream !== null) return opened().write(text, written);
      pieces.push({ bytes: typeof text === 'string' ? Buffer.from(text, 'utf8') : text, written });
      if (pieces.length === 1) next();
      return false;
    },
    on(event, listener) {
      listeners.push(listener);
      return stream?.on(event, listener);
    },
  };
}
