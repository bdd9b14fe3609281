import { decodeBytes } from '../lib/decode-bytes.ts';
import { systemText, toError } from '../lib/error-text.ts';
import { NotAFileError, systemCode } from '../lib/store-errors.ts';
import { streamNamedFile } from '../store/file/open-file.ts';
import { UsageError } from './errors.ts';
import type { CommandContext } from './session/context.ts';
import { printNote } from './session/output.ts';

/**
 * Maximum size of a file or of standard input, in bytes. As JSON, this is enough for tens of thousands of parcels with
 * all their data.
 */
export const maxEnteredBytes = 64 * 1024 * 1024;
/** Maximum number of lines in a non-JSON list. More would need gigabytes of memory. */
export const maxEnteredLines = 200_000;

/**
 * Reads a user's text file, or standard input (`-`). Warns on standard error if the encoding is a guess. Rejects with a
 * {@link UsageError} if it is not readable, too long or not text.
 */
export async function readEntered(context: Pick<CommandContext, 'stdin' | 'stderr'>, file: string): Promise<string> {
  const name = inputName(file);
  const bytes = await readBytes(context, file);
  if (isSpreadsheet(bytes)) {
    throw new UsageError(
      `${name} is a spreadsheet or another archive, not text: open it, save it as CSV (UTF-8), and try again.`,
    );
  }
  const decoded = decodeBytes(bytes);
  // Garbled text must not be saved.
  if (decoded === null)
    throw new UsageError(`${name} is not text in UTF-8, UTF-16 or Windows-1252; save it as UTF-8 and try again.`);
  const { isGuess, text } = decoded;
  const isTooLong =
    !/^\s*[[{]/.test(text) &&
    text
      .matchAll(/\r\n|\r|\n/g)
      .drop(maxEnteredLines)
      .next().done !== true;
  if (isTooLong) throw tooLargeError(name, `${maxEnteredLines} lines`);
  if (isGuess) {
    const advice = 'if letters look wrong, save it as UTF-8 and try again.';
    printNote(context, `${name} is not in UTF-8 and was read as Windows-1252; ${advice}`);
  }
  return text;
}

/** First bytes of ZIP files (.xlsx, .ods, .numbers) and old .xls files. */
const spreadsheetSignatures: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const isSpreadsheet = (bytes: Uint8Array): boolean =>
  spreadsheetSignatures.some((signature) => signature.every((byte, index) => bytes[index] === byte));

/**
 * Reads the bytes of a file or of standard input (`-`), but stops at the limit, because the input may be endless.
 * Rejects with a {@link UsageError} if it cannot be read or is too long.
 */
export async function readBytes(context: Pick<CommandContext, 'stdin'>, file: string): Promise<Uint8Array> {
  const name = inputName(file);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of file === '-' ? context.stdin() : streamNamedFile(file)) {
      length += chunk.length;
      if (length > maxEnteredBytes) throw tooLargeError(name, `${maxEnteredBytes / 1024 / 1024} MiB`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof NotAFileError) {
      const advice = error.found === 'a folder' ? 'Choose a file in it.' : 'Use "-" to read from a pipe.';
      throw new UsageError(`${name} is ${error.found}, not a file. ${advice}`, { cause: error });
    }
    const code = systemCode(error);
    if (code === 'ENOENT') throw new UsageError(`There is no file ${name}.`, { cause: error });
    const reason = code === null ? ` (${toError(error).message})` : systemText(code);
    throw new UsageError(`${name} cannot be read${reason}.`, { cause: error });
  }
  return Buffer.concat(chunks, length);
}

const inputName = (file: string): string => (file === '-' ? 'Standard input' : file);

const tooLargeError = (name: string, limit: string): UsageError =>
  new UsageError({
    what: `${name} contains more than ${limit}, which is too much at once. Nothing was read.`,
    advice: 'Split it and pass the parts one by one.',
  });
