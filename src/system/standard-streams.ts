import { fstatSync, writeSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { NamedError, systemText } from '../lib/error-text.ts';

export interface StandardStream {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableLength: number;
  write(text: string | Uint8Array, written?: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Whether a descriptor is a file, a device or a folder rather than a pipe or a socket. */
export function isFile(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return !stats.isFIFO() && !stats.isSocket();
  } catch {
    // The descriptor is closed, which Node's stream reports.
    return false;
  }
}

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number | null;
  readonly rows: number | null;
}

/** Returns how many bytes were written, which may be fewer than given. Throws the system's error. */
export type WriteBytes = (bytes: Uint8Array) => number;

interface OutputSource {
  readonly stream: StandardStream;
  /** Null if the stream is not a terminal. */
  readonly size: { readonly columns: number | null; readonly rows: number | null } | null;
  /** Bypasses the stream. Null if the stream itself reports every failure. */
  readonly writeBytes: WriteBytes | null;
  readonly beforeWriting?: () => void;
  readonly onFailure: (error: NodeJS.ErrnoException) => void;
}

export function createOutput({ stream, size, writeBytes, beforeWriting, onFailure }: OutputSource): Output {
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
      if (text !== '') beforeWriting?.();
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
    isTerminal: size !== null,
    columns: size?.columns ?? null,
    rows: size?.rows ?? null,
  };
}

function writeEverything(writeBytes: WriteBytes, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0; ) {
    const written = writeBytes(rest);
    if (written === 0) throw Object.assign(new Error('The system accepted no bytes.'), { code: 'ENOSPC' });
    rest = rest.subarray(written);
  }
}

/** On a full disk, a write can be incomplete without an error, which Node's stream ignores. */
export const createByteWriter =
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
  return new OutputError(errorSentence(cause), { cause });
}

function errorSentence({ code, message }: NodeJS.ErrnoException): string {
  const incomplete = 'The output is not complete';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `${incomplete}: there is no space left to write standard output. Free some space, or write it somewhere else.`;
    case 'EFBIG':
      return `${incomplete}: the file for standard output reached its size limit. Raise the limit (ulimit -f), or write it somewhere else.`;
    case 'EBADF':
    case 'EISDIR':
      return `Nothing was written: standard output is not open for writing (${code}). Redirect it with > or >>.`;
    default:
      return `${incomplete}: standard output could not be written${code === undefined ? ` (${message})` : systemText(code)}. Check its destination.`;
  }
}

export function consoleInputFile(platform: string): { readonly path: string; readonly flags: 'r' | 'r+' } {
  // On Windows, changing the mode of a console requires write access.
  return platform === 'win32' ? { path: '\\\\.\\CONIN$', flags: 'r+' } : { path: '/dev/tty', flags: 'r' };
}

/** Opens the terminal for input, even if standard input is a pipe or a file. Throws if there is no terminal. */
export async function openConsoleInput(platform: string): Promise<ReadStream> {
  const [{ openSync }, { ReadStream }] = await Promise.all([import('node:fs'), import('node:tty')]);
  const { flags, path } = consoleInputFile(platform);
  return new ReadStream(openSync(path, flags));
}

/** Makes writes to a terminal non-blocking, because a frozen one would block the process. Does nothing on Windows. */
export function makeNonBlocking(stream: NodeJS.WriteStream): void {
  if (stream.isTTY !== true || process.platform === 'win32') return;
  const { _handle: handle } = stream as { readonly _handle?: { setBlocking?(isBlocking: boolean): number } | null };
  handle?.setBlocking?.(false);
}
