import { writeSync } from 'node:fs';
import { NamedError } from '../service/failures/named-error.ts';
import { systemWords } from '../service/failures/system-words.ts';
import type { StandardStream } from './standard-stream.ts';

/** Standard output or standard error. */
export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Cells of a row; null when it is no terminal. */
  readonly columns: number | null;
  /** Rows of the terminal; null when it is no terminal. */
  readonly rows: number | null;
}

/** Writes bytes and answers how many the system took, which may be fewer; throws what the system throws. */
export type WriteBytes = (bytes: Uint8Array) => number;

/** What an output leads to. */
export interface OutputFacts {
  /** The size to draw for; null when it is no terminal. */
  readonly size: { readonly columns: number | null; readonly rows: number | null } | null;
  /** Writes past the stream; null where the stream itself writes everything, or says that it could not. */
  readonly writeBytes: WriteBytes | null;
}

/** What an output of the process is made of. */
interface OutputSource {
  readonly stream: StandardStream;
  /** Asked when it is first needed, and once. */
  readonly facts: () => OutputFacts;
  /** Called once, with the first error: what is written is lost from there on. */
  readonly onFailure: (error: NodeJS.ErrnoException) => void;
}

/** Makes the output of a command. It keeps the order, writes everything, and after a failure nothing more. */
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

/**
 * Writes to a file descriptor itself. A file on a disk that gets full, or at its size limit, takes a part and says nothing
 * until the next write, for which Node's stream for files does not wait.
 */
export const bytesWriter =
  (descriptor: number): WriteBytes =>
  (bytes) =>
    writeSync(descriptor, bytes);

/** Whether nobody reads any more what goes to a stream: a closed pipe, a terminal that is gone. That is no failure. */
export function isReaderGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO' || code === 'ECONNRESET';
}

/** Results could not be written where they should go; the message says what to do. Exit code 1. */
export class OutputError extends NamedError {
  readonly kind = 'output';
}

/** What to say about results that could not be written. */
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
