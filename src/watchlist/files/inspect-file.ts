import { StoreNewerVersionError, systemCode } from '../errors.ts';
import type { Decoded, DocumentFormat } from '../store/document.ts';
import type { StoreNotice } from '../store/store.ts';
import type { DocumentMemory } from './document-memory.ts';
import { readWholeFile } from './open-file.ts';
import { unfinishedPath } from './replace-in-place.ts';

/** What is to be done with one kind of file. */
export interface DocumentKind<Data> {
  readonly format: DocumentFormat<Data>;
  /** Null where nothing is remembered. */
  readonly memory: DocumentMemory<Data> | null;
  /** Whether somebody would miss this. */
  readonly isPrecious: (data: Data) => boolean;
  /** Whether what killed processes left beside it is removed with its first change; many files of a kind share a folder. */
  readonly tidiesUp: boolean;
  /** A sentence with a copy that can stand in for a damaged file; null when there is none. */
  readonly offerCopy: () => Promise<string | null>;
}

/**
 * Reads and decodes a file without changing anything, so without a lock; no file counts as the empty document, and one
 * that was written in place and not to the end as what it was to become.
 */
export async function inspectFile<Data>(path: string, { format, memory }: DocumentKind<Data>): Promise<Decoded<Data>> {
  const text = await readIfThere(path);
  if (text === null) return { kind: 'whole', data: format.empty, migratedFrom: null };
  const decoded = await format.decode(text, memory?.data);
  if (decoded.kind !== 'damaged') return decoded;
  const unfinished = await readIfThere(unfinishedPath(path));
  const meant = unfinished === null ? null : await format.decode(unfinished, memory?.data);
  return meant?.kind === 'whole' ? meant : decoded;
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
    return (await readWholeFile(path)).toString('utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
