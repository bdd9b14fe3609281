import { fstatSync, type Stats, writeSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { NamedError, systemWords } from '../lib/error-text.ts';

type Written = (error?: Error | null) => void;

export interface StandardStream {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableLength: number;
  write(text: string | Uint8Array, written?: Written): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface OwnStream extends StandardStream {
  opened(): StandardStream;
}

interface DescriptorSource {
  readonly descriptor: number;
  readonly platform: string;
  readonly isTerminal: (descriptor: number) => boolean;
}

/** Linux: the devices that are memory, such as /dev/null; none is a terminal. */
const memoryDevices = 1;

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

interface OwnStreamSource {
  readonly open: () => StandardStream;
  readonly beforeWriting?: () => void;
}

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

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number | null;
  readonly rows: number | null;
}

/** Writes bytes and answers how many the system took, which may be fewer; throws what the system throws. */
export type WriteBytes = (bytes: Uint8Array) => number;

export interface OutputFacts {
  readonly size: { readonly columns: number | null; readonly rows: number | null } | null;
  /** Writes past the stream; null where the stream itself writes everything, or says that it could not. */
  readonly writeBytes: WriteBytes | null;
}

interface OutputSource {
  readonly stream: StandardStream;
  readonly facts: () => OutputFacts;
  readonly onFailure: (error: NodeJS.ErrnoException) => void;
}

export function createOutput({ stream, facts, onFailure }: OutputSource): Output {
  let known: OutputFacts | null = null;
  const own = (): OutputFacts => {
    known ??= facts();
    return known;
  };
  let hasFailed = false;
  const fail = (error: NodeJS.ErrnoException): void => {
    if (!hasFailed) onFailure(error);
    hasFailed = true;
  };
  const onStreamWritten = (error?: Error | null): void => {
    if (error === null || error === undefined) return;
    if (isReaderGone(error)) hasFailed = true;
    else fail(error);
  };
  return {
    write(text) {
      if (hasFailed || stream.destroyed) return;
      const { writeBytes } = own();
      if (writeBytes === null) {
        stream.write(text, onStreamWritten);
        return;
      }
      try {
        writeEverything(writeBytes, Buffer.from(text, 'utf8'));
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    },
    get isTerminal() {
      return own().size !== null;
    },
    get columns() {
      return own().size?.columns ?? null;
    },
    get rows() {
      return own().size?.rows ?? null;
    },
  };
}

function writeEverything(writeBytes: WriteBytes, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0; ) {
    const taken = writeBytes(rest);
    if (taken === 0) throw Object.assign(new Error('The system takes no bytes.'), { code: 'ENOSPC' });
    rest = rest.subarray(taken);
  }
}

/** A file on a full disk takes a part and says nothing until the next write, for which Node's stream does not wait. */
export const bytesWriter =
  (descriptor: number): WriteBytes =>
  (bytes) =>
    writeSync(descriptor, bytes);

export function isReaderGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO' || code === 'ECONNRESET';
}

export class OutputError extends NamedError {
  readonly kind = 'output';
}

export function outputError(cause: NodeJS.ErrnoException): OutputError {
  return new OutputError(sentenceOf(cause), { cause });
}

function sentenceOf({ code, message }: NodeJS.ErrnoException): string {
  const incomplete = 'The output is not complete';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `${incomplete}: no space is left where standard output goes. Free some, or write elsewhere.`;
    case 'EFBIG':
      return `${incomplete}: the file that standard output goes to has reached its size limit. Raise the limit (ulimit -f), or write elsewhere.`;
    case 'EBADF':
    case 'EISDIR':
      return `Nothing was written: standard output is not open for writing (${code}). Open it with > or >>.`;
    default:
      return `${incomplete}: standard output could not be written${code === undefined ? ` (${message})` : systemWords(code)}. Check where it goes.`;
  }
}

export function consoleInputFile(platform: string): { readonly path: string; readonly flags: 'r' | 'r+' } {
  // Windows changes the mode of a console only for a process that may write to it.
  return platform === 'win32' ? { path: '\\\\.\\CONIN$', flags: 'r+' } : { path: '/dev/tty', flags: 'r' };
}

/** Opens the keyboard of the terminal, also where standard input is a pipe or a file. Throws where there is no terminal. */
export async function openConsoleInput(platform: string): Promise<ReadStream> {
  const [{ openSync }, { ReadStream }] = await Promise.all([import('node:fs'), import('node:tty')]);
  const { flags, path } = consoleInputFile(platform);
  return new ReadStream(openSync(path, flags));
}

interface TerminalHandle {
  setBlocking?(isBlocking: boolean): number;
}

/** A blocked write to a terminal would stop the whole process. Does nothing without a terminal, and on Windows. */
export function neverBlock(stream: NodeJS.WriteStream): void {
  if (stream.isTTY !== true || process.platform === 'win32') return;
  const { _handle: handle } = stream as { readonly _handle?: TerminalHandle | null };
  handle?.setBlocking?.(false);
}
