import { createHash } from 'node:crypto';
import type { EpochMs } from '../lib/clock.ts';
import { isJsonObject } from '../lib/json.ts';
import { StoreError } from '../lib/store-errors.ts';

/**
 * The parts of a watchlist that are copied: parcels (including archived ones, with their unread marks), histories,
 * removed parcels, and the change log.
 */
export const copyKinds = ['parcels', 'histories', 'trash', 'changes'] as const;
export type CopyKind = (typeof copyKinds)[number];

export interface CopyItem {
  /** A parcel's id, a history's name, or the number of a line in the log. Unique within its kind. */
  readonly id: string;
  /** Position in the list of parcels, starting at 0. Always 0 for other kinds. */
  readonly position: number;
  /** When the item was removed, or null. */
  readonly removedAt: EpochMs | null;
  /** JSON only. */
  readonly value: object;
}

/** Yields all items of a kind, page by page: parcels and log lines in their order. Rejects with a `StoreError`. */
type CopyPages = (kind: CopyKind) => AsyncIterable<readonly CopyItem[]>;

/** A watchlist to copy from. All methods reject with a `StoreError`. */
export interface CopySource {
  /** The location, without secrets. */
  readonly place: string;
  /** Returns a mark that changes whenever a program writes to the watchlist. */
  mark(): Promise<string>;
  /** The number of the newest line of the change log. */
  lastSeq(): Promise<number>;
  readonly pages: CopyPages;
  /** Returns messages for the user about items that could not be read and are not in the pages. Returns each only once. */
  takeNotices(): readonly string[];
}

export interface CopySink {
  /** Removes what an earlier, incomplete pass has written. */
  clear(): Promise<void>;
  write(kind: CopyKind, items: readonly CopyItem[]): Promise<void>;
  /** Completes the copy with everything that can be written only at the end. */
  finish(lastSeq: number): Promise<void>;
  readonly pages: CopyPages;
}

/** A watchlist to copy to. All methods reject with a `StoreError`. */
export interface CopyTarget {
  readonly place: string;
  /** Rejects if there already is a watchlist, or if we cannot write. Writes nothing. */
  check(): Promise<void>;
  /** Runs a copy. A failed copy leaves no watchlist behind. `work` may run several times. Rejects like {@link check}. */
  receive<Result>(work: (sink: CopySink) => Promise<Result>): Promise<Result>;
}

/** The number of items of a kind, and their digest. */
interface KindDigest {
  readonly count: number;
  /** 64 hex digits. */
  readonly digest: string;
}

type CopyDigests = Readonly<Record<CopyKind, KindDigest>>;

export interface CopyProgress {
  readonly kind: CopyKind;
  readonly done: number;
  /** True while the copy is read back and compared. */
  readonly isVerifying: boolean;
}

interface CopyOptions {
  /** Stops the copy between two pages. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** Maximum number of passes. A copy starts over if another program writes. */
const maxPasses = 5;

/**
 * Copies a whole watchlist to an empty store, then reads the copy back and compares the count and digest of each kind.
 * Starts over if another program writes to the source. Rejects with a `StoreError`, or with the signal's reason.
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
      const original = await digestItems(source.pages, options, (kind, page) => sink.write(kind, page));
      await sink.finish(await source.lastSeq());
      if (mark !== (await source.mark())) continue;
      const copied = await digestItems(sink.pages, options);
      for (const kind of copyKinds) compare(kind, original[kind], copied[kind], target.place);
      return original;
    }
    throw new StoreError(
      'locked',
      `${source.place} keeps changing. Close the boards and "watch" commands that use it, then copy again.`,
      source.place,
    );
  });
}

const modulus = 2n ** 256n;

/** Returns the count and digest of each kind. The order of the items does not matter. Passes each page to `write` first. */
export async function digestItems(
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
  // The time of removal is kept with the parcel, not with its history.
  const removal = kind === 'trash' ? removedAt : removedAt !== null;
  const listPosition = kind === 'parcels' ? position : 0;
  return createHash('sha256')
    .update(JSON.stringify([id, listPosition, removal, sortFields(value)]))
    .digest('hex');
}

/** Sorts all fields, because their order does not matter. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (!isJsonObject(value)) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => [name, sortFields(field)]);
}

function compare(kind: CopyKind, expected: KindDigest, found: KindDigest, place: string): void {
  if (expected.count === found.count && expected.digest === found.digest) return;
  throw new StoreError(
    'failed',
    {
      what: `The copy in ${place} differs from the original (${kind}: ${found.count} of ${expected.count}).`,
      advice: 'Copy again; if this keeps happening, please report it. The original was not changed.',
    },
    place,
  );
}

export const occupiedError = (place: string): StoreError =>
  new StoreError('failed', `${place} already has a watchlist. Copy to an empty store.`, place);
