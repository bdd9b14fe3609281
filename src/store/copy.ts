import { createHash } from 'node:crypto';
import { cleanText } from '../lib/clean-text.ts';
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

/** A watchlist to copy from or to, as a whole. All methods reject with a `StoreError`. */
export interface CopySide {
  /** Where it is, ready to be shown. */
  readonly place: string;
  /** The same text as long as nobody writes. */
  mark(): Promise<string>;
  /** How far the change log goes. */
  lastSeq(): Promise<number>;
  /** All of a kind, page by page; parcels in the order of the list, lines of the log in theirs. */
  pages(kind: CopyKind): AsyncIterable<readonly CopyItem[]>;
  /** What could not be used and is no part of the pages that were read, in sentences for the user, each once. */
  takeNotices(): readonly string[];
}

/** How a copy is begun. */
export interface BeginOptions {
  /** Called once when somebody else seems to copy to there: that takes some seconds to see. */
  readonly onWaiting?: () => void;
  /** Ends that wait. */
  readonly signal?: AbortSignal;
}

/** A watchlist to copy to. */
export interface CopyTarget extends CopySide {
  /**
   * Answers whether a copy from there had begun before and was interrupted; writes nothing. Rejects where it holds another
   * watchlist already, or cannot be written to.
   */
  check(from: string): Promise<boolean>;
  /**
   * Takes note that a copy from there has begun; answers and rejects as {@link CopyTarget.check}, and where another copy
   * goes on: from then on nobody else writes, and what they try is refused.
   */
  begin(from: string, options?: BeginOptions): Promise<boolean>;
  /** Writes those pieces that are not there yet as they are; answers how many those were. */
  write(kind: CopyKind, items: readonly CopyItem[]): Promise<number>;
  /** Removes what an interrupted copy has brought that is not among these any more. */
  keepOnly(kind: CopyKind, ids: ReadonlySet<string>): Promise<void>;
  /** Puts in place what can only be put there as a whole. */
  settle(lastSeq: number): Promise<void>;
  /** Takes note that the copy is complete. */
  finish(): Promise<void>;
  /** Lets others go on with a copy that is not complete; harmless for one that is. Never rejects. */
  leave(): Promise<void>;
}

/** How much there is of a kind, and a text that is the same for the same. */
interface KindDigest {
  readonly count: number;
  /** 64 hex digits. */
  readonly digest: string;
}

const modulus = 2n ** 256n;

/** Counts and digests the pieces of one kind, in whatever order they come. */
class CopyDigest {
  readonly #kind: CopyKind;
  #count = 0;
  #sum = 0n;

  constructor(kind: CopyKind) {
    this.#kind = kind;
  }

  /** Takes pieces in. */
  add(items: readonly CopyItem[]): void {
    for (const item of items) {
      this.#count += 1;
      this.#sum = (this.#sum + BigInt(`0x${itemDigest(this.#kind, item)}`)) % modulus;
    }
  }

  /** Of all that were taken in. */
  result(): KindDigest {
    return { count: this.#count, digest: this.#sum.toString(16).padStart(64, '0') };
  }
}

/** A digest of one piece: 64 hex digits. */
export function itemDigest(kind: CopyKind, { id, position, removedAt, value }: CopyItem): string {
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

/** Something else is there already. */
export function occupied(place: string, copiedFrom: string | null): StoreError {
  const what =
    copiedFrom === null
      ? `${place} holds a watchlist already, and copying never mixes two.`
      : `${place} holds a part of a copy of ${cleanText(copiedFrom)}. Finish that first, or remove it.`;
  return new StoreError('failed', `${what} Copy to an empty place.`, place);
}

/** Two copies at once would write into each other. */
export function anotherCopy(place: string): StoreError {
  return new StoreError(
    'locked',
    {
      what: `Another copy to ${place} goes on just now.`,
      advice: 'Wait for its end; if it is interrupted, copy again, and it goes on from there.',
    },
    place,
  );
}

/** Whoever was held up for long counted as gone. */
export function takenOver(place: string): StoreError {
  return new StoreError(
    'locked',
    {
      what: `Another copy to ${place} was begun while this one stood still, and goes on in its place.`,
      advice: 'Wait for its end.',
    },
    place,
  );
}

/** What was copied. */
interface CopyReport {
  readonly kinds: Readonly<Record<CopyKind, KindDigest>>;
  /** Whether a copy that had been interrupted went on. */
  readonly isResumed: boolean;
  /** How many pieces were written; fewer than there are where an interrupted copy went on. */
  readonly written: number;
}

/** How far a copy has got. */
export interface CopyProgress {
  readonly kind: CopyKind;
  /** Pieces of this kind so far. */
  readonly done: number;
  /** True while what was written is read again and compared. */
  readonly isVerifying: boolean;
}

/** How a copy is made. */
interface CopyOptions {
  /** Ends it between two pages; it can go on later. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Called once when the copy waits to see whether another one goes on. */
  readonly onWaiting?: () => void;
  /** What is to be copied beside the watchlist before the copy counts as complete; may be done several times. */
  readonly alongside?: () => Promise<void>;
}

/** How often it is begun again because somebody writes meanwhile. */
const mostPasses = 5;

/**
 * Copies a whole watchlist to where there is none, then reads what was written and compares count and digest of each kind.
 * A copy that was interrupted goes on when it is made again; what stands there already is not written twice. While
 * somebody writes to the source, it is gone through again. Rejects with a `StoreError`, or with the signal's reason.
 */
export async function copyWatchlist(
  source: CopySide,
  target: CopyTarget,
  options: CopyOptions = {},
): Promise<CopyReport> {
  const isResumed = await target.begin(source.place, options);
  try {
    return { isResumed, ...(await copyInPasses(source, target, options)) };
  } finally {
    await target.leave();
  }
}

async function copyInPasses(
  source: CopySide,
  target: CopyTarget,
  options: CopyOptions,
): Promise<Omit<CopyReport, 'isResumed'>> {
  let written = 0;
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    const mark = await source.mark();
    const read = await copyAll(source, target, options);
    written += read.written;
    await target.settle(await source.lastSeq());
    if (mark !== (await source.mark())) continue;
    const kept = await digestOf(target, options);
    for (const kind of copyKinds) compare(kind, read.kinds[kind], kept[kind], target.place);
    await options.alongside?.();
    await target.finish();
    return { kinds: read.kinds, written };
  }
  throw new StoreError(
    'locked',
    {
      what: `${source.place} keeps being changed.`,
      advice: 'Close the boards and watches that use it, then copy again: it goes on from here.',
    },
    source.place,
  );
}

/** Count and digest of each kind of a watchlist. Rejects with a `StoreError`, or with the signal's reason. */
export async function digestOf(
  side: CopySide,
  { onProgress, signal }: CopyOptions = {},
): Promise<Readonly<Record<CopyKind, KindDigest>>> {
  return await ofEachKind(async (kind) => {
    const digest = new CopyDigest(kind);
    for await (const page of side.pages(kind)) {
      signal?.throwIfAborted();
      digest.add(page);
      onProgress?.({ kind, done: digest.result().count, isVerifying: true });
    }
    return digest.result();
  });
}

async function copyAll(
  source: CopySide,
  target: CopyTarget,
  { onProgress, signal }: CopyOptions,
): Promise<Pick<CopyReport, 'kinds' | 'written'>> {
  let written = 0;
  const kinds = await ofEachKind(async (kind) => {
    const digest = new CopyDigest(kind);
    const ids = new Set<string>();
    for await (const page of source.pages(kind)) {
      signal?.throwIfAborted();
      written += await target.write(kind, page);
      digest.add(page);
      for (const { id } of page) ids.add(id);
      onProgress?.({ kind, done: ids.size, isVerifying: false });
    }
    await target.keepOnly(kind, ids);
    return digest.result();
  });
  return { kinds, written };
}

async function ofEachKind<Result>(
  work: (kind: CopyKind) => Promise<Result>,
): Promise<Readonly<Record<CopyKind, Result>>> {
  return {
    parcels: await work('parcels'),
    histories: await work('histories'),
    trash: await work('trash'),
    changes: await work('changes'),
  };
}

function compare(kind: CopyKind, wanted: KindDigest, found: KindDigest, place: string): void {
  if (wanted.count === found.count && wanted.digest === found.digest) return;
  throw new StoreError(
    'failed',
    {
      what: `The copy in ${place} differs from the original (${kind}: ${found.count} of ${wanted.count}).`,
      advice: 'Copy again; if that stays so, please report it. The original was not touched.',
    },
    place,
  );
}
