import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import type { FileText } from './atomic-write.ts';

export type Decoded<Data> =
  | { readonly kind: 'whole'; readonly data: Data }
  /** Some parts are not valid. `data` has the rest, and `lost` says what is missing. */
  | { readonly kind: 'partly-damaged'; readonly data: Data; readonly lost: string }
  | { readonly kind: 'damaged'; readonly reason: string }
  /** Written by a newer version of the program. */
  | { readonly kind: 'newer'; readonly version: number };

export function usableData<Data>(decoded: Decoded<Data>): Data | null {
  return decoded.kind === 'whole' || decoded.kind === 'partly-damaged' ? decoded.data : null;
}

/** How one kind of file is read and written. `empty` is its content if the file does not exist. */
export interface DocumentFormat<Data> {
  readonly empty: Data;
  /** Parses a file. Reuses unchanged parts of `known`, the previous content. */
  decode(bytes: Buffer, known?: Data | null): Promise<Decoded<Data>>;
  /** Returns the text, whole or in pieces that are created while they are written. */
  encode(data: Data): FileText;
}

/** The version of all files. A newer watchlist or history is refused; of small documents, what is valid is read. */
export const fileVersion = 1;

export async function decodeVersioned<Data>(
  bytes: Buffer,
  decode: (document: JsonObject) => Promise<Decoded<Data>>,
): Promise<Decoded<Data>> {
  const document = parseJson(bytes.toString());
  if (!isJsonObject(document)) return { kind: 'damaged', reason: 'it is not a JSON object' };
  // All versions write their number, so a file without one was written by hand.
  const version = document['version'] ?? fileVersion;
  if (typeof version !== 'number' || !(version >= fileVersion))
    return { kind: 'damaged', reason: 'its version is not a number' };
  return version > fileVersion ? { kind: 'newer', version } : await decode(document);
}

export function parseJson(text: string): unknown {
  try {
    // Some editors on Windows add a byte order mark.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
