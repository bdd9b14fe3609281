import { createHash } from 'node:crypto';
import type { EpochMs } from '../lib/clock.ts';
import { isJsonObject } from '../lib/json.ts';
import { StoreError } from '../lib/store-errors.ts';

/** What a watchlist consists of: parcels (archived ones and what is unread along with them), their histories, what was removed and the change log. */
export const copyKinds = ['parcels', 'histories', 'trash', 'changes'] as const;
/** One of {@link copyKinds}. */
export type CopyKind = (typeof copyKinds)[number];

/** One piece of a watchlist. */
export interface CopyItem {
  /** A parcel's id, a history's name, or the number of a line of the log; each once in its kind. */
  readonly id: string;
  /** Its place in the list of parcels, from 0; 0 where there is no order. */
  readonly position: number;
  /** When it was removed; null for what was not. */
  readonly removedAt: EpochMs | null;
  /** What it holds; nothing but JSON. */
  readonly value: object;
}

/** All of a kind, page by page; parcels in the order of the list, lines of the log in theirs. Rejects with a `StoreError`. */
export type CopyPages = (kind: CopyKind) => AsyncIterable<readonly CopyItem[]>;

/** A watchlist to copy from. All methods reject with a `StoreError`. */
export interface CopySource {
  /** Where it is, ready to be shown. */
  readonly place: string;
  /** The same text as long as no program writes. */
  mark(): Promise<string>;
  /** How far the change log goes. */
  lastSeq(): Promise<number>;
  readonly pages: CopyPages;
  /** What could not be used and is no part of the pages that were read, in sentences for the user, each once. */
  takeNotices(): readonly string[];
}

/** Where the pieces of a copy are put. */
export interface CopySink {
  /** Removes what an interrupted copy has left there. */
  clear(): Promise<void>;
  write(kind: CopyKind, items: readonly CopyItem[]): Promise<void>;
  /** Puts in place what can only be put there as a whole. */
  settle(lastSeq: number): Promise<void>;
  readonly pages: CopyPages;
}

/** A watchlist to copy to. All methods reject with a `StoreError`. */
export interface CopyTarget {
  readonly place: string;
  /** Rejects where it holds a watchlist already, or cannot be written to. Writes nothing. */
  check(): Promise<void>;
  /** Has a copy written; what fails leaves no watchlist there. The work may be done several times. Rejects as {@link check}, too. */
  receive<Result>(work: (sink: CopySink) => Promise<Result>): Promise<Result>;
}

/** How much there is of a kind, and a text that is the same for the same. */
interface KindDigest {
  readonly count: number;
  /** 64 hex digits. */
  readonly digest: string;
}

export type CopyDigests = Readonly<Record<CopyKind, KindDigest>>;

/** How far a copy has got. */
export interface CopyProgress {
  readonly kind: CopyKind;
  /** Pieces of this kind so far. */
  readonly done: number;
  /** True while what was written is read again and compared. */
  readonly isVerifying: boolean;
}

interface CopyOptions {
  /** Ends it between two pages. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** How often it is begun again because another program writes in between. */
const mostPasses = 5;

/**
 * Copies a whole watchlist to where there is none, then reads what was written and compares count and digest of each kind. While
 * another program writes to the source, it is begun again. Rejects with a `StoreError`, or with the signal's reason.
 */
export async function copyWatchlist(
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions = {},
): Promise<CopyDigests> {
  return await target.receive(async (sink) => {
    for (let pass = 1; pass <= mostPasses; pass += 1) {
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

/** Counts and digests each kind of a watchlist, in whatever order its pieces come; `write` is given each page before it is counted. */
export async function digestOf(
  pages: CopyPages,
  { onProgress, signal }: CopyOptions = {},
  write: ((kind: CopyKind, page: readonly CopyItem[]) => Promise<void>) | null = null,
): Promise<CopyDigests> {
  const ofKind = async (kind: CopyKind): Promise<KindDigest> => {
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
    parcels: await ofKind('parcels'),
    histories: await ofKind('histories'),
    trash: await ofKind('trash'),
    changes: await ofKind('changes'),
  };
}

/** A digest of one piece: 64 hex digits. */
function itemDigest(kind: CopyKind, { id, position, removedAt, value }: CopyItem): string {
  // When a history was removed is its parcel's matter.
  const removed = kind === 'trash' ? removedAt : removedAt !== null;
  const place = kind === 'parcels' ? position : 0;
  return createHash('sha256')
    .update(JSON.stringify([id, place, removed, inOrder(value)]))
    .digest('hex');
}

/** The same with the names of its fields in order: they may come in any. */
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

/** Something else is there already. */
export const occupied = (place: string): StoreError =>
  new StoreError('failed', `${place} already has a watchlist. Copy to an empty store.`, place);
