import { readFile } from 'node:fs/promises';
import type { Decoded, DocumentFormat } from './document.ts';
import type { DocumentMemory } from './document-memory.ts';
import { StoreNewerVersionError, systemCode } from './errors.ts';
import type { StoreNotice } from './store.ts';

/** What is to be done with one kind of file. */
export interface DocumentKind<Data> {
  readonly format: DocumentFormat<Data>;
  /** Null where nothing is remembered. */
  readonly memory: DocumentMemory<Data> | null;
  /** Whether somebody would miss this. */
  readonly isPrecious: (data: Data) => boolean;
  /** A sentence with a copy that can stand in for a damaged file; null when there is none. */
  readonly offerCopy: () => Promise<string | null>;
}

/** Reads and decodes a file without changing anything, so without a lock; no file counts as the empty document. */
export async function inspectFile<Data>(path: string, { format, memory }: DocumentKind<Data>): Promise<Decoded<Data>> {
  const text = await readIfThere(path);
  return text === null
    ? { kind: 'whole', data: format.empty, migratedFrom: null }
    : await format.decode(text, memory?.data);
}

/** What stands for a file that is not there: what was last known of it, which is told, or the empty document. */
export function dataOfMissing<Data>(
  path: string,
  { format, memory, isPrecious }: DocumentKind<Data>,
  notify: (notice: StoreNotice) => void,
): Data {
  const known = memory?.data ?? null;
  if (known === null || !isPrecious(known)) return format.empty;
  if (memory?.wasThere === true) {
    notify({
      kind: 'file-gone',
      message: `${path} is gone. What it held is kept in memory and is written again with the next change; leave the program running until then.`,
    });
  }
  return known;
}

/** The refusal of a file that a newer version of the program wrote. */
export function newerVersion(path: string, version: number): StoreNewerVersionError {
  return new StoreNewerVersionError(
    `${path} was written by a newer version of parcel-monitor (file version ${version}) and is left untouched. Update parcel-monitor.`,
    path,
  );
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    // All at once: a long watchlist takes half as long as when it is decoded piece by piece.
    return (await readFile(path)).toString('utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
