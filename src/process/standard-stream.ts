import { fstatSync, type Stats } from 'node:fs';

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

/** A stream of Node's that is opened when it is first needed. */
export interface OwnStream extends StandardStream {
  /** Node's own, opened if need be. */
  opened(): StandardStream;
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

/** Null for a descriptor that is closed: Node's stream says what is wrong. */
function factsOf(descriptor: number): Stats | null {
  try {
    return fstatSync(descriptor);
  } catch {
    return null;
  }
}

/** What a standard stream is made of. */
interface OwnStreamSource {
  /** Node's own stream. */
  readonly open: () => StandardStream;
  /** Called before anything is written. */
  readonly beforeWriting?: () => void;
}

/** Makes a stream that opens Node's with the first write: a command that writes to a file needs none. */
export function createOwnStream({ open, beforeWriting }: OwnStreamSource): OwnStream {
  let stream: StandardStream | null = null;
  const listeners: ((error: Error) => void)[] = [];
  const opened = (): StandardStream => {
    if (stream !== null) return stream;
    stream = open();
    for (const listener of listeners) stream.on('error', listener);
    return stream;
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
      return stream?.writableLength ?? 0;
    },
    write(text, written) {
      if (text.length > 0) beforeWriting?.();
      return opened().write(text, written);
    },
    on(event, listener) {
      listeners.push(listener);
      return stream?.on(event, listener);
    },
  };
}
