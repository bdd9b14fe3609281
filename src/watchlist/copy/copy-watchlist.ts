import { StoreError } from '../errors.ts';
import { CopyDigest, type KindDigest } from './copy-digest.ts';
import { type CopyKind, type CopySide, type CopyTarget, copyKinds } from './copy-side.ts';

/** What was copied. */
export interface CopyReport {
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
export interface CopyOptions {
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
    `${source.place} keeps being changed. Close the boards and watches that use it, then copy again: it goes on from here.`,
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
    `The copy in ${place} differs from the original (${kind}: ${found.count} of ${wanted.count}). Copy again; if that stays so, please report it. The original was not touched.`,
    place,
  );
}
