import { createHash } from 'node:crypto';
import type { EpochMs } from '../lib/clock.ts';
import { isJsonObject } from '../lib/json.ts';
import { StoreError } from '../lib/store-errors.ts';

/**
 * A watchlist's contents: parcels (including archived ones and unread news), histories, removed parcels and the
 * change log.
 */
export const copyKinds = ['parcels', 'histories', 'trash', 'changes'] as const;
export type CopyKind = (typeof copyKinds)[number];

export interface CopyItem {
  /** A parcel's id, a history's name, or a line number of the log. Unique within its kind. */
  readonly id: string;
  /** Position in the list of parcels, from 0. 0 for kinds without an order. */
  readonly position: number;
  /** When it was removed, or null. */
  readonly removedAt: EpochMs | null;
  /** JSON only. */
  readonly value: object;
}

/** Yields all pieces of a kind in pages: parcels in list order, log lines in log order. Rejects with a `StoreError`. */
type CopyPages = (kind: CopyKind) => AsyncIterable<readonly CopyItem[]>;

/** A watchlist to copy from. All methods reject with a `StoreError`. */
export interface CopySource {
  /** The location, without secrets. */
  readonly place: string;
  /** Returns a mark that changes when a program writes. */
  mark(): Promise<string>;
  /** The number of the newest line of the change log. */
  lastSeq(): Promise<number>;
  readonly pages: CopyPages;
  /** Sentences for the user about entries that could not be read, each once. These entries are not in the pages. */
  takeNotices(): readonly string[];
}

export interface CopySink {
  /** Removes the remains of an interrupted copy. */
  clear(): Promise<void>;
  write(kind: CopyKind, items: readonly CopyItem[]): Promise<void>;
  /** Writes what must be written as a whole, at the end. */
  settle(lastSeq: number): Promise<void>;
  readonly pages: CopyPages;
}

/** A watchlist to copy to. All methods reject with a `StoreError`. */
export interface CopyTarget {
  readonly place: string;
  /** Rejects if there is already a watchlist, or if we cannot write. Writes nothing. */
  check(): Promise<void>;
  /** Runs a copy. A failed copy leaves no watchlist. `work` may run several times. Rejects like {@link check}. */
  receive<Result>(work: (sink: CopySink) => Promise<Result>): Promise<Result>;
}

/** The number of pieces of a kind, and a digest of them. */
interface KindDigest {
  readonly count: number;
  /** 64 hex digits. */
  readonly digest: string;
}

type CopyDigests = Readonly<Record<CopyKind, KindDigest>>;

export interface CopyProgress {
  readonly kind: CopyKind;
  /** Pieces of this kind so far. */
  readonly done: number;
  /** True while the copy is read back and compared. */
  readonly isVerifying: boolean;
}

interface CopyOptions {
  /** Stops the copy between two pages. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** Maximum number of passes, because we start again if another program writes. */
const maxPasses = 5;

/**
 * Copies a whole watchlist to an empty place, then reads it back and compares the count and digest of each kind. Starts
 * again if another program writes to the source. Rejects with a `StoreError`, or with the signal's reason.
 */
export async function copyWatchlist(
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions = {},
): Promise<CopyDigests> {
  return await target.receive(async (sink) => {
    for (let pass = 1; pass <= maxPasses; pass += 1) {
      const mark = await source.mark();
      await sink.clear();
      const read = await digestOf(source.pages, options, (kind, page) => sink.write(kind, page));
      await sink.settle(await source.lastSeq());
      if (mark !== (await source.mark())) continue;
      const kept = await digestOf(sink.pages, options);
      for (const kind of copyKinds) compare(kind, read[kind], kept[kind], target.place);
      return read;
    }
    throw new StoreError(
      'locked',
      `${source.place} keeps changing. Close the boards and watches that use it, then copy again.`,
      source.place,
    );
  });
}

const modulus = 2n ** 256n;

/** Counts and digests each kind, independent of the order. `write` gets each page before it is counted. */
export async function digestOf(
  pages: CopyPages,
  { onProgress, signal }: CopyOptions = {},
  write: ((kind: CopyKind, page: readonly CopyItem[]) => Promise<void>) | null = null,
): Promise<CopyDigests> {
  const digestKind = async (kind: CopyKind): Promise<KindDigest> => {
    let [count, sum] = [0, 0n];
    for await (const page of pages(kind)) {
      signal?.throwIfAborted();
      await write?.(kind, page);
      for (const item of page) sum = (sum + BigInt(`0x${itemDigest(kind, item)}`)) % modulus;
      count += page.length;
      onProgress?.({ kind, done: count, isVerifying: write === null });
    }
    return { count, digest: sum.toString(16).padStart(64, '0') };
  };
  return {
    parcels: await digestKind('parcels'),
    histories: await digestKind('histories'),
    trash: await digestKind('trash'),
    changes: await digestKind('changes'),
  };
}

function itemDigest(kind: CopyKind, { id, position, removedAt, value }: CopyItem): string {
  // The parcel, not its history, has the time of its removal.
  const removed = kind === 'trash' ? removedAt : removedAt !== null;
  const place = kind === 'parcels' ? position : 0;
  return createHash('sha256')
    .update(JSON.stringify([id, place, removed, inOrder(value)]))
    .digest('hex');
}

/** Sorts the fields, which may come in any order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => [name, inOrder(field)]);
}

function compare(kind: CopyKind, wanted: KindDigest, found: KindDigest, place: string): void {
  if (wanted.count === found.count && wanted.digest === found.digest) return;
  throw new StoreError(
    'failed',
    {
      what: `The copy in ${place} differs from the original (${kind}: ${found.count} of ${wanted.count}).`,
      advice: 'Copy again. The original was not changed; if this keeps happening, please report it.',
    },
    place,
  );
}

export const occupied = (place: string): StoreError =>
  new StoreError('failed', `${place} already has a watchlist. Copy to an empty store.`, place);
