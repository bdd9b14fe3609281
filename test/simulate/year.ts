/**
 * Lets a board be open for a simulated year and prints a line of JSON: its heap after the first hour (`before`) and at the
 * end (`after`), in bytes. `node test/simulate/year.ts [refreshes]`, 1,000 by default: each takes a fifth of a second, a
 * fifth of them are the first hour, and with a few hundred what the runtime learns still shows. What measures calls
 * {@link heapOfYear}.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { programBundle, root } from '../../.config/bundle.ts';

/** What a year came to. */
export interface YearReport {
  readonly refreshes: number;
  /** Texts of the service that were shown, no two alike. */
  readonly told: number;
  /** Bytes of the heap in use after the first hour, and at the end of the year. */
  readonly before: number;
  readonly after: number;
}

/** Bundles the board as it is published, opens it for a year and measures its heap. Rejects when it fails. */
export async function heapOfYear(refreshes: number): Promise<YearReport> {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-year-'));
  try {
    await build({
      ...programBundle,
      entryPoints: { year: join(root, 'test/simulate/year-on-board.ts') },
      outdir: folder,
      metafile: false,
    });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const script = join(folder, 'year.js');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, String(refreshes)], {
      env: { ...process.env, TZ: 'UTC' },
    });
    // What Ink gives the terminal back with comes behind it.
    return JSON.parse(stdout.split('\n')[0] ?? '') as YearReport;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  process.stdout.write(`${JSON.stringify(await heapOfYear(Number(process.argv[2] ?? 1_000)))}\n`);
}
