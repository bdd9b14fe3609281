import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Change, readChange } from '../../src/parcels/change.ts';
import type { FileStore } from '../../src/store/file/file-store.ts';

/** What is wrong with a change log. */
export interface LogLook {
  /** Lines that have to be there and are not. */
  readonly lost: number;
  /** Lines that are there more than once. */
  readonly doubled: number;
  /** Numbers that do not follow each other, and lines of the file that are none. */
  readonly damaged: number;
}

/** How often a line has to be there: what it says of which number, such as `added RB1CN`. */
export type WantedLines = ReadonlyMap<string, number>;

/** Compares the lines of a log with those that have to be there. */
export function lookAtLines(changes: readonly Change[], wanted: WantedLines): LogLook {
  const found = new Map<string, number>();
  for (const { change, trackNo } of changes) {
    const line = `${change} ${trackNo}`;
    found.set(line, (found.get(line) ?? 0) + 1);
  }
  const missing = [...wanted].map(([line, count]) => Math.max(0, count - (found.get(line) ?? 0)));
  const surplus = [...found].map(([line, count]) => Math.max(0, count - (wanted.get(line) ?? 0)));
  return {
    lost: sumOf(missing),
    doubled: sumOf(surplus),
    damaged: changes.filter(({ seq }, index) => seq !== index + 1).length,
  };
}

/** Looks at the log as a store reads it, without writing anything. */
export async function lookAtLog(store: FileStore, wanted: WantedLines): Promise<LogLook> {
  return lookAtLines(await store.changeLogAfter(0), wanted);
}

/** Looks at the file of the log itself, which holds all of it after the next change at the latest. */
export async function lookAtLogFile(directory: string, wanted: WantedLines): Promise<LogLook> {
  const lines = (await readFile(join(directory, 'changes.jsonl'), 'utf8')).split('\n').slice(0, -1).map(readChange);
  const changes = lines.filter((change) => change !== null);
  const look = lookAtLines(changes, wanted);
  return { ...look, damaged: look.damaged + lines.length - changes.length };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
