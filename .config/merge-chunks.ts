/**
 * esbuild makes a chunk of every set of modules that the same entries load, which comes to dozens of small files for one
 * command, each of which takes Node a millisecond to find and link. Here those that always load together become one file.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

type Outputs = Metafile['outputs'];

/** A file to be made of all that an output loads at once, but for what earlier groups hold. */
export interface ChunkGroup {
  /** The module whose output and what that loads are meant. */
  readonly entry: string;
  /** Another one, which is always loaded beside it. */
  readonly beside?: string;
  /** A module whose output loads the same: then only what both load is meant. */
  readonly sharedWith?: string;
  /** The file to make, below the output directory. */
  readonly file: string;
}

/** A chunk that was put into a file, and what its exports are called there. */
interface Merged {
  readonly file: string;
  readonly names: ReadonlyMap<string, string>;
}

/** What is merged. */
export interface MergeOptions {
  /** In the order in which they take chunks. */
  readonly groups: readonly ChunkGroup[];
  /** What stands at the head of every chunk; afterwards only of those that need the `require` that it makes. */
  readonly banner: string;
}

/** Puts the chunks of each group into one file, and makes all others load that. */
export async function mergeChunks(
  outdir: string,
  { outputs }: Metafile,
  { banner, groups }: MergeOptions,
): Promise<void> {
  await removeBanner(outdir, banner);
  const nameOf = outputNames(outputs);
  const merged = new Map<string, Merged>();
  for (const { beside = null, entry, file, sharedWith } of groups) {
    const entries = [entry, ...(beside === null ? [] : [beside])];
    const loaded = new Set(entries.flatMap((one) => loadedWith(outputs, outputOf(outputs, one))));
    const shared = sharedWith === undefined ? null : loadedWith(outputs, outputOf(outputs, sharedWith));
    const members = [...loaded].filter((name) => {
      return !merged.has(nameOf(name)) && (shared === null || shared.includes(name));
    });
    await writeGroup(outdir, file, members.map(nameOf), exportsOf(outputs, members), merged);
  }
  await redirectImports(outdir, merged);
  for (const [name, { file }] of merged) if (name !== file) await rm(join(outdir, name));
  for (const file of await programFiles(outdir)) {
    const text = await readFile(join(outdir, file), 'utf8');
    if (/(?<![\w.$])(?:typeof require\b|require\()/.test(text)) await writeFile(join(outdir, file), `${banner}${text}`);
  }
}

async function programFiles(outdir: string): Promise<readonly string[]> {
  const names = await readdir(outdir, { recursive: true });
  return names.filter((name) => name.endsWith('.js') && name !== 'cli.js');
}

async function removeBanner(outdir: string, banner: string): Promise<void> {
  for (const file of await programFiles(outdir)) {
    const text = await readFile(join(outdir, file), 'utf8');
    if (!text.startsWith(banner)) throw new Error(`${file} begins otherwise than it should.`);
    await writeFile(join(outdir, file), text.slice(banner.length));
  }
}

/** Names of outputs, relative to the directory of the first entry. */
function outputNames(outputs: Outputs): (output: string) => string {
  const main = Object.keys(outputs).find((name) => posix.basename(name) === 'main.js') ?? '';
  return (output) => posix.relative(posix.dirname(main), output);
}

function outputOf(outputs: Outputs, entry: string): string {
  const output = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === entry);
  if (output === undefined) throw new Error(`There is no output of ${entry}.`);
  return output;
}

/** An output and all that it loads before it runs. */
function loadedWith(outputs: Outputs, output: string, found = new Set<string>()): readonly string[] {
  if (found.has(output)) return [];
  found.add(output);
  for (const { external = false, kind, path } of outputs[output]?.imports ?? []) {
    if (kind === 'import-statement' && !external) loadedWith(outputs, path, found);
  }
  return [...found];
}

/** Every export of the members with a name that no other has. */
function exportsOf(outputs: Outputs, members: readonly string[]): readonly ReadonlyMap<string, string>[] {
  const taken = new Map<string, number>();
  return members.map((member) => {
    const names = (outputs[member]?.exports ?? []).map((name): [string, string] => {
      const before = taken.get(name) ?? 0;
      taken.set(name, before + 1);
      return [name, before === 0 ? name : `${name}$${before}`];
    });
    return new Map(names);
  });
}

async function writeGroup(
  outdir: string,
  file: string,
  members: readonly string[],
  exported: readonly ReadonlyMap<string, string>[],
  merged: Map<string, Merged>,
): Promise<void> {
  const contents = members.map((member, index) => {
    const names = [...(exported[index] ?? [])].map(([name, unique]) => `${name} as ${unique}`);
    return names.length === 0 ? `import './${member}';` : `export { ${names.join(', ')} } from './${member}';`;
  });
  const kept: Plugin = {
    name: 'other-chunks-stay',
    setup: (hooks) => {
      hooks.onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
        const target = posix.relative(outdir, join(resolveDir, path));
        if (kind === 'import-statement' && members.includes(target)) return undefined;
        return { path: pathFrom(file, target), external: true };
      });
    },
  };
  const result = await build({
    stdin: { contents: contents.join('\n'), resolveDir: outdir },
    outfile: join(outdir, file),
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    minifyWhitespace: true,
    target: 'node22.19',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [kept],
  });
  for (const [index, member] of members.entries()) merged.set(member, { file, names: exported[index] ?? new Map() });
  await writeFile(join(outdir, file), result.outputFiles[0]?.contents ?? '');
}

function pathFrom(file: string, target: string): string {
  const path = posix.relative(dirname(file), target);
  return path.startsWith('.') ? path : `./${path}`;
}

/** What esbuild writes where a chunk loads another one. */
const importStatement = /import(?:\{([^}]*)\}from)?"(\.\.?\/[^"]+)";/g;
/** The same where it does so later. An entry comes first in its file, so its exports are called there as they were. */
const importCall = /import\("(\.\.?\/[^"]+)"\)/g;

async function redirectImports(outdir: string, merged: ReadonlyMap<string, Merged>): Promise<void> {
  for (const file of await programFiles(outdir)) {
    if (merged.has(file) && merged.get(file)?.file !== file) continue;
    const loaded = new Set<string>();
    const text = await readFile(join(outdir, file), 'utf8');
    const redirected = text.replace(importStatement, (statement, names: string | undefined, path: string) => {
      const target = merged.get(posix.join(dirname(file), path));
      if (target === undefined) return statement;
      const from = pathFrom(file, target.file);
      if (names !== undefined) return `import{${renamed(names, target.names)}}from"${from}";`;
      if (loaded.has(from)) return '';
      loaded.add(from);
      return `import"${from}";`;
    });
    const whole = redirected.replace(importCall, (call, path: string) => {
      const target = merged.get(posix.join(dirname(file), path));
      return target === undefined ? call : `import("${pathFrom(file, target.file)}")`;
    });
    if (whole !== text) await writeFile(join(outdir, file), whole);
  }
}

function renamed(clause: string, names: ReadonlyMap<string, string>): string {
  return clause
    .split(',')
    .map((part) => {
      const [name = '', local = name] = part.split(' as ');
      const unique = names.get(name) ?? name;
      return unique === local ? local : `${unique} as ${local}`;
    })
    .join(',');
}
