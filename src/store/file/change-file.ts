import { type FileHandle, open } from 'node:fs/promises';
import { yieldToEventLoop } from '../../lib/async.ts';
import { dayMs, type EpochMs, type Random } from '../../lib/clock.ts';
import { type Change, readChange } from '../../parcels/change.ts';
import { maxChangeAgeMs, maxChanges, splitIntoBatches } from '../store.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { fileMarkSync, noFile, resolveFilePath, withFileToRead } from './open-file.ts';

interface ChangeFileOptions {
  readonly path: string;
  readonly random: Random;
  /** Our user, for the check of links. Null if the system has no users. */
  readonly uid: number | null;
}

/** How many lines to process before yielding to other work. */
const linesPerBatch = 250;
const blockBytes = 64 * 1024;
/** How many bytes at the end of a file to read first. */
const tailBytes = 8 * 1024;
/** No line is shorter than this. */
const minLineBytes = 100;

/**
 * The change log on disk: one line of JSON per change, oldest first. Lines are only appended, and removed when they are
 * old. Writers must have the watchlist's lock. Invalid lines are skipped. Methods throw system errors.
 */
export class ChangeFile {
  readonly #options: ChangeFileOptions;
  #prunedAt: EpochMs | null = null;

  constructor(options: ChangeFileOptions) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  async lastSeq(): Promise<number> {
    return await newestSeq(await this.#resolvePath());
  }

  /**
   * Appends the lines that are newer than those in the file. They are on disk when this resolves. Once a day, also removes
   * old and excess lines.
   */
  async append(changes: readonly Change[], now: EpochMs): Promise<void> {
    const path = await this.#resolvePath();
    const last = await newestSeq(path);
    const missing = changes.filter(({ seq }) => seq > last);
    if (missing.length === 0) return;
    const text = { pieces: () => joinLines(missing, (change) => JSON.stringify(change)) };
    if (fileMarkSync(path) === noFile) await writeFileAtomically(path, text, this.#options.random);
    else await appendTo(path, text.pieces());
    if (this.#prunedAt !== null && Math.abs(now - this.#prunedAt) < dayMs) return;
    await this.#prune(path, now);
    this.#prunedAt = now;
  }

  /** Returns the lines after a number, oldest first. Yields to other work. */
  async after(seq: number): Promise<readonly Change[]> {
    const path = await this.#resolvePath();
    const newer: Change[] = [];
    await visitFromEnd(path, (line) => {
      const change = readChange(line);
      if (change !== null && change.seq > seq) newer.push(change);
      return change === null || change.seq > seq;
    });
    return newer.reverse();
  }

  async #prune(path: string, now: EpochMs): Promise<void> {
    if (!(await mayNeedPruning(path, now))) return;
    // Start at the end, so that excess lines are not read.
    const keptLines: string[] = [];
    let [newest, count] = ['', 0];
    await visitFromEnd(path, (line) => {
      count += 1;
      if (count === 1) newest = line;
      // Keep lines from the future, because it may be today's clock that is wrong.
      if (count <= maxChanges && now - noticedAt(line) <= maxChangeAgeMs) keptLines.push(line);
      return count <= maxChanges;
    });
    if (count === 0) return;
    // Always keep the newest line, because numbering continues from it.
    const remainingLines = keptLines.length === 0 ? [newest] : keptLines.reverse();
    if (remainingLines.length === count) return;
    await writeFileAtomically(path, { pieces: () => joinLines(remainingLines, (line) => line) }, this.#options.random);
  }

  async #resolvePath(): Promise<string> {
    return await resolveFilePath(this.#options.path, this.#options.uid);
  }
}

/** Leaves out the text after the last line break, which was not written completely. */
const completeLines = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** Yields lines in pieces, so that other work can run in between. */
function* joinLines<Item>(items: readonly Item[], toLine: (item: Item) => string): Generator<string> {
  for (const batch of splitIntoBatches(items, linesPerBatch)) yield batch.map((item) => `${toLine(item)}\n`).join('');
}

/**
 * Visits the complete lines of a file from the last one to the first, until `wantsMore` returns false. Usually only a few
 * are needed. Yields to other work.
 */
async function visitFromEnd(path: string, wantsMore: (line: string) => boolean): Promise<void> {
  if (fileMarkSync(path) === noFile) return;
  await withFileToRead(path, async (file, size) => {
    let visited = 0;
    /** The end of a line whose start has not been read yet. */
    let rest: Buffer = Buffer.alloc(0);
    for (let end = size, bytes = tailBytes; end > 0; bytes = blockBytes) {
      const from = Math.max(0, end - bytes);
      const block = Buffer.concat([await readBetween(file, from, end), rest]);
      const begin = from === 0 ? 0 : block.indexOf(0x0a) + 1;
      rest = begin === 0 && from > 0 ? block : block.subarray(0, begin);
      const lines = begin === 0 && from > 0 ? [] : completeLines(block.toString('utf8', begin));
      for (const line of lines.toReversed()) {
        visited += 1;
        if (visited % linesPerBatch === 0) await yieldToEventLoop();
        if (!wantsMore(line)) return;
      }
      end = from;
    }
  });
}

/**
 * Returns whether a log may contain old or excess lines. Checks only its size and first line, because every command that
 * writes calls this.
 */
async function mayNeedPruning(path: string, now: EpochMs): Promise<boolean> {
  return await withFileToRead(path, async (file, size) => {
    if (size > maxChanges * minLineBytes) return true;
    const [first = ''] = completeLines((await readBetween(file, 0, Math.min(size, tailBytes))).toString());
    const age = now - noticedAt(first);
    return !(age >= 0 && age <= maxChangeAgeMs);
  });
}

const noticedAt = (line: string): EpochMs => Date.parse(readChange(line)?.noticedAt ?? '') || Number.NEGATIVE_INFINITY;

async function newestSeq(path: string): Promise<number> {
  let seq = 0;
  await visitFromEnd(path, (line) => {
    seq = readChange(line)?.seq ?? 0;
    return seq === 0;
  });
  return seq;
}

/** Appends text. First cuts off a line that a killed process left incomplete: the watchlist file still has that line. */
async function appendTo(path: string, pieces: Iterable<string>): Promise<void> {
  await using file = await open(path, 'r+');
  const { size } = await file.stat();
  const end = await endOfLastLine(file, size);
  if (end < size) await file.truncate(end);
  let at = end;
  for (const piece of pieces) at += (await file.write(piece, at, 'utf8')).bytesWritten;
  await file.sync();
}

async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  for (let bytes = 1; ; bytes = Math.max(tailBytes, bytes * 4)) {
    const from = Math.max(0, size - bytes);
    const newline = (await readBetween(file, from, size)).lastIndexOf(0x0a);
    if (newline !== -1) return from + newline + 1;
    if (from === 0) return 0;
  }
}

/** Reads the bytes from `from` to `to`, or fewer if the file ends earlier. */
async function readBetween(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}
