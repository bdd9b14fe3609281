/** Packages as the tests load them: bundled, so that Node reads one file in place of hundreds. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { programBundle, root } from './bundle.ts';

const { chunkNames: _, minifySyntax: _syntax, minifyWhitespace: _space, ...asShipped } = programBundle;

/** Packages of one bundle share what they have in common, so they must all stand in it. */
const bundles: readonly BuildOptions[] = [
  // Ink with the parts that the program has in its place: what ships is tested, and a frame costs half as much.
  { ...asShipped, entryPoints: ['ink', 'ink-table', 'ink-text-input'], external: ['react'] },
  // Node would read the list of 200 kB of what date-fns exports once for each of its 250 files.
  { ...asShipped, entryPoints: ['date-fns', 'date-fns-tz'], plugins: [] },
];

/** A package in place of which a file is loaded; what else a package exports stays where it is. */
export interface BundledPackage {
  readonly find: RegExp;
  readonly replacement: string;
}

/** Makes the bundles, which takes a third of a second, and answers what is to be loaded in place of what. */
export async function bundleTestPackages(): Promise<readonly BundledPackage[]> {
  const outdir = join(root, 'node_modules', '.cache', 'parcel-monitor', 'test-packages');
  const made = bundles.map(async (bundle) => {
    const names = bundle.entryPoints as readonly string[];
    const folder = join(outdir, names[0] ?? '');
    const { outputFiles = [] } = await build({ ...bundle, metafile: false, outdir: folder, write: false });
    for (const { path, text } of outputFiles) replaceWhereOther(path, text);
    return names.map((name) => ({ find: new RegExp(`^${name}$`), replacement: join(folder, `${name}.js`) }));
  });
  return (await Promise.all(made)).flat();
}

/** Another run of the tests may be reading the file. */
function replaceWhereOther(path: string, text: string): void {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}
