import { nullIfMissing, StoreError } from '../../lib/store-errors.ts';
import type { Decoded, DocumentFormat } from './document-format.ts';
import { noFile } from './file-calls.ts';
import type { LockContext } from './lock.ts';
import { readWholeFile } from './open-file.ts';
import { unfinishedPath } from './replace-file.ts';

/** What a file was found to hold. */
interface Remembered<Data> {
  readonly data: Data;
  /** The version of the file when it is an older one, else null. */
  readonly migratedFrom: number | null;
}

/** What was last read or written of a file. While the file has the same mark it need not be read again. */
export class DocumentMemory<Data> {
  #mark: string | null = null;
  #remembered: Remembered<Data> | null = null;

  /** What the file held; null before the first reading. */
  get data(): Data | null {
    return this.#remembered?.data ?? null;
  }

  /** Whether the file was there when it was last looked at. */
  get wasThere(): boolean {
    return this.#mark !== null && this.#mark !== noFile;
  }

  /** What a file with this mark holds, if that is known. */
  recall(mark: string): Remembered<Data> | null {
    return mark === this.#mark ? this.#remembered : null;
  }

  /** Takes note of what a file with this mark holds; answers the data. */
  learn(mark: string, data: Data, migratedFrom: number | null = null): Data {
    this.#mark = mark;
    this.#remembered = { data, migratedFrom };
    return data;
  }
}

/** What documents need from their surroundings. */
export interface DocumentContext extends LockContext {
  /**
   * Takes a sentence that a person should know of our files, e.g. that a damaged one was moved aside: it names the files and
   * says what to do. By default it is dropped.
   */
  readonly notify?: (notice: string) => void;
}

/** What is special about one kind of document. Only the format is needed. */
export interface DocumentKind<Data> {
  readonly format: DocumentFormat<Data>;
  /** Whether somebody would miss this, so that it is not lost with its file while the program runs; nobody by default. */
  readonly isPrecious?: (data: Data) => boolean;
  /**
   * Names of other files in its folder: with its first change it removes what killed processes left of them and of
   * itself. Absent where nothing is to be removed.
   */
  readonly tidies?: ReadonlySet<string>;
  /** A sentence with a copy that can stand in for a damaged file; null, as by default, when there is none. */
  readonly offerCopy?: () => Promise<string | null>;
}

/** A document with its links resolved. */
export interface OpenDocument<Data> {
  readonly path: string;
  readonly kind: DocumentKind<Data>;
  readonly memory: DocumentMemory<Data>;
}

/** A change that is about to be written, or was. */
interface DocumentChange<Data> {
  /** With links resolved. */
  readonly path: string;
  readonly before: Data;
  readonly after: Data;
}

/** What is done along with a change while the lock is held; each may run again when the change has to be made again. */
export interface ChangeHooks<Data> {
  /** Before the file is read, for what the change needs to know besides. */
  readonly beforeReading?: () => Promise<void>;
  readonly beforeWriting?: (change: DocumentChange<Data>) => Promise<void>;
  /** When the new text is on the disk and the old one about to go: for copies of it. */
  readonly beforeReplacing?: (change: DocumentChange<Data>) => Promise<void>;
  readonly afterWriting?: (change: DocumentChange<Data>) => Promise<void>;
}

/**
 * Reads and decodes a file without changing anything, so without a lock; no file counts as the empty document, and one
 * that was written in place and not to the end as what it was to become.
 */
export async function inspectDocument<Data>(document: OpenDocument<Data>): Promise<Decoded<Data>> {
  const { path, memory } = document;
  const { format } = document.kind;
  const bytes = await nullIfMissing(readWholeFile(path));
  if (bytes === null) return { kind: 'whole', data: format.empty, migratedFrom: null };
  const decoded = await format.decode(bytes, memory.data);
  if (decoded.kind !== 'damaged') return decoded;
  const unfinished = await nullIfMissing(readWholeFile(unfinishedPath(path)));
  const meant = unfinished === null ? null : await format.decode(unfinished, memory.data);
  return meant?.kind === 'whole' ? meant : decoded;
}

/** What stands for a file that is not there: what was last known of it, with a notice, or the empty document. */
export function dataOfMissing<Data>(
  { path, kind, memory }: OpenDocument<Data>,
  { notify }: Pick<DocumentContext, 'notify'>,
): Data {
  const known = preciousData({ kind, memory });
  if (known === null) return kind.format.empty;
  if (memory.wasThere) {
    notify?.(
      `${path} is gone. What it held is kept in memory and is written again with the next change; leave the program running until then.`,
    );
  }
  return known;
}

/** What is known of a document, if somebody would miss it; else null. */
export function preciousData<Data>({ kind, memory }: Pick<OpenDocument<Data>, 'kind' | 'memory'>): Data | null {
  const known = memory.data;
  return known !== null && kind.isPrecious?.(known) === true ? known : null;
}

/** The refusal of a file that a newer version of the program wrote. */
export function newerVersion(path: string, version: number): StoreError {
  return new StoreError(
    'newer-version',
    {
      what: `${path} was written by a newer version of parcel-monitor (file version ${version}) and is left untouched.`,
      advice: 'Update parcel-monitor.',
    },
    path,
  );
}
