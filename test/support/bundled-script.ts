import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const folder = fileURLToPath(new URL('../../node_modules/.cache/parcel-monitor/scripts', import.meta.url));

/**
 * Bundles a test program into one JavaScript file, and returns its path: the bundle starts in a quarter of the time
 * that Node needs to import the single files. Bundle once, however often a test starts the program. Packages are not
 * bundled.
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
  // Another test run may be reading the file.
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${bundle}.${process.pid}`, text);
  renameSync(`${bundle}.${process.pid}`, bundle);
  return bundle;
}
