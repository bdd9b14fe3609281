import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const folder = fileURLToPath(new URL('../../node_modules/.cache/parcel-monitor/scripts', import.meta.url));

/**
 * A program of the tests in one file of JavaScript, and the path of that: it starts in a quarter of the time that Node needs
 * to read what it imports file by file. Make it once for all starts of a test; packages stay where they are.
 */
export function bundledScript(path: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    packages: 'external',
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  const bundle = join(
    folder,
    `${basename(path, '.ts')}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`,
  );
  // Another run of the tests may be reading the file.
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${bundle}.${process.pid}`, text);
  renameSync(`${bundle}.${process.pid}`, bundle);
  return bundle;
}
