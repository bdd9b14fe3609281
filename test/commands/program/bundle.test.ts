import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { programBundle } from '../../../.config/bundle.ts';
import { noticeOf } from '../../../.config/notices.ts';
import { complaintAboutNode } from '../../../src/process/node-version.ts';
import { ProgramParts } from '../../../src/process/program-parts.ts';
import { builtCli } from '../../support/built-cli.ts';

const screenPackages = /node_modules\/(?:ink|react|react-reconciler|yoga-layout|ink-text-input|ink-table|@alcalzone)\//;
const httpPackages = /node_modules\/(?:undici|hono|@hono)\//;

let metafile: Metafile;
beforeAll(async () => {
  ({ metafile } = await build({ ...programBundle, outdir: 'dist', write: false }));
});

/** Source files in a chunk and in all chunks that it loads at once. */
function loadedWith(entryPoint: string): readonly string[] {
  const outputs = Object.entries(metafile.outputs);
  const start = outputs.find(([, output]) => output.entryPoint === entryPoint)?.[0];
  const reached = new Set<string>();
  const follow = (path: string | undefined): void => {
    const output = path === undefined ? undefined : metafile.outputs[path];
    if (path === undefined || output === undefined || reached.has(path)) return;
    reached.add(path);
    for (const { path: next, kind } of output.imports) if (kind === 'import-statement') follow(next);
  };
  follow(start);
  return [...reached].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
}

describe('what loads with what', () => {
  it.each([
    'src/main.ts',
    'src/commands/read/list.ts',
    'src/commands/read/show.ts',
    'src/commands/write/add.ts',
    'src/commands/write/edit.ts',
    'src/commands/export/export.ts',
  ])('%s loads neither screen nor network', (entryPoint) => {
    const files = loadedWith(entryPoint);
    expect(files).toContain(entryPoint);
    expect(files.filter((file) => screenPackages.test(file) || httpPackages.test(file))).toEqual([]);
  });

  it('a list in JSON loads nothing that formats times or measures texts', () => {
    const packages = loadedWith('src/commands/read/list.ts').filter((file) => file.includes('node_modules/'));
    expect(packages.filter((file) => /(?:date-fns|string-width)\//.test(file))).toEqual([]);
  });

  it('a printed list measures most texts without what knows all of them', async () => {
    const packages = ['src/commands/output/parcel-table.ts', 'src/service/clock/zone.ts']
      .flatMap(loadedWith)
      .filter((file) => file.includes('node_modules/'));
    expect(packages.filter((file) => /date-fns\//.test(file))).toEqual([]);
    // Bundled with it, but not run before it is wanted.
    const tables = await readFile(join(dirname(builtCli), 'chunks', 'tables.js'), 'utf8');
    expect(tables).toMatch(/__esm\(\{"node_modules\/string-width\/index\.js"/);
  });

  it('adding runs neither HTTP/2 nor assertions', async () => {
    const chunks = join(dirname(builtCli), 'chunks');
    const files = (await readdir(chunks)).map((name) => join(chunks, name));
    const texts = await Promise.all(files.map(async (file) => await readFile(file, 'utf8')));
    expect(texts.some((text) => /connectH2\s*=\s*\(\.\.\.given\)\s*=>/.test(text))).toBe(true);
    expect(texts.filter((text) => text.includes('require("node:assert")'))).toHaveLength(0);
  });

  it('the line for status bars loads nothing but zones and what reads a line, and what starts before it no more', () => {
    for (const entryPoint of ['src/main.ts', 'src/commands/read/status.ts']) {
      const packages = loadedWith(entryPoint).filter((file) => file.includes('node_modules/'));
      expect(packages.filter((file) => !/^node_modules\/(?:commander|date-fns-tz)\//.test(file))).toEqual([]);
    }
  });

  it('the table of commands is loaded without the code of any command', () => {
    const families = /^src\/commands\/(?:board|config|doctor|import|notify|read|scan|setup|store|tools|watch|write)\//;
    expect(loadedWith('src/main.ts').filter((file) => families.test(file))).toEqual([]);
  });

  it('a format loads what writes it, and nothing else does', () => {
    const writers = /node_modules\/(?:csv-stringify|ical-generator)\//;
    const writersLoadedWith = (entryPoint: string) =>
      new Set(loadedWith(entryPoint).flatMap((file) => writers.exec(file)?.[0] ?? []));
    expect([...writersLoadedWith('src/commands/export/export-csv.ts')]).toEqual(['node_modules/csv-stringify/']);
    expect([...writersLoadedWith('src/commands/export/export-calendar.ts')]).toEqual(['node_modules/ical-generator/']);
    for (const entryPoint of ['src/main.ts', 'src/commands/export/export.ts', 'src/commands/import/import.ts']) {
      expect(writersLoadedWith(entryPoint).size).toBe(0);
    }
  });

  it('the first frame of the board is drawn without the screen, which is loaded behind it', () => {
    const files = loadedWith('src/ui/run-board.ts');
    expect(files).toContain('src/ui/opening/first-frame.ts');
    expect(files.filter((file) => screenPackages.test(file) || httpPackages.test(file))).toEqual([]);
    expect(loadedWith('src/ui/mount-board.tsx').some((file) => screenPackages.test(file))).toBe(true);
  });
});

/** The files of the built program but its launcher, by their names below its folder. */
async function programTexts(): Promise<ReadonlyMap<string, string>> {
  const folder = dirname(builtCli);
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.js') && name !== 'cli.js',
  );
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** The names by which others know what a file answers at its end. */
const exportsOf = (texts: ReadonlyMap<string, string>, file: string): readonly string[] =>
  (/return\{((?:[^{}]|\{return [^}]*\})*)\}\}\)$/.exec(texts.get(file) ?? '')?.[1] ?? '')
    .split(',')
    .map((part) => /^(?:get )?([\w$]+)/.exec(part)?.[1] ?? '');

/** The names that a file takes from others where it loads them in this way. */
const namesLoaded = (text: string, way: RegExp): readonly { readonly name: string; readonly target: string }[] =>
  [...text.matchAll(way)].flatMap(([, names = '', target = '']) =>
    names.split(',').map((name) => ({ target, name: name.split(':')[0]?.trim() ?? '' })),
  );

/** The names that a file takes from others when it is loaded. */
function namesTaken(text: string): readonly { readonly name: string; readonly target: string }[] {
  const sources = new Map(
    [...text.matchAll(/const (\$from\d+)=\$load\("([^"]+)"\)/g)].map(([, source = '', target = '']) => [
      source,
      target,
    ]),
  );
  const at = (source: string): string => sources.get(source) ?? '';
  const taken = [...text.matchAll(/const \{([^}]*)\}=(\$from\d+);/g)].flatMap(([, names = '', source = '']) =>
    names.split(',').map((name) => ({ target: at(source), name: name.split(':')[0] ?? '' })),
  );
  const late = [...text.matchAll(/=>(\$from\d+)\.([\w$]+)\(\.\.\.given\);/g)];
  return [...taken, ...late.map(([, source = '', name = '']) => ({ target: at(source), name }))].filter(
    ({ name, target }) => name !== '' && target !== '',
  );
}

describe('the built program', () => {
  it('can be run as it is', async () => {
    await access(builtCli, constants.X_OK);
    expect(await readFile(builtCli, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('has a launcher that loads nothing before it has looked at Node', async () => {
    expect(await readFile(builtCli, 'utf8')).not.toMatch(/^\s*import[\s{*"']/m);
  });

  it('is whole: what its files load from each other is there', async () => {
    const texts = await programTexts();
    const loads = [...texts.values()].flatMap(namesTaken);
    expect(loads.length).toBeGreaterThan(1000);
    expect(loads.filter(({ name, target }) => !exportsOf(texts, target).includes(name))).toEqual([]);
  });

  it('gives others only what is there once it is loaded: they take it then, and are not told of another', async () => {
    const texts = await programTexts();
    const parts = new ProgramParts({
      run: (name) => new Script(texts.get(name) ?? '', { filename: name }).runInThisContext() as unknown,
      urlOf: (name) => pathToFileURL(join(dirname(builtCli), name)).href,
    });
    const missing: string[] = [];
    for (const { name, target } of [...texts.values()].flatMap(namesTaken)) {
      const exported = Object.getOwnPropertyDescriptor(await parts.later(target), name);
      if (exported?.get === undefined && exported?.value === undefined) missing.push(`${name} of ${target}`);
    }
    expect(missing).toEqual([]);
  });

  it('loads the screen for the board only, and behind its first frame', async () => {
    const chunks = join(dirname(builtCli), 'chunks');
    const texts = await Promise.all(
      (await readdir(chunks)).map(async (name) => ({ name, text: await readFile(join(chunks, name), 'utf8') })),
    );
    const screens = texts.filter(({ text }) => text.includes('node_modules/react-reconciler/')).map(({ name }) => name);
    expect(screens).toHaveLength(1);
    expect(texts.filter(({ text }) => text.includes(`$load("chunks/${screens[0]}")`)).map(({ name }) => name)).toEqual(
      [],
    );
  });

  it('finds what it loads later under its name', async () => {
    const texts = await programTexts();
    const loads = [...texts.values()].flatMap((text) =>
      namesLoaded(text, /\{([\w$:, ]+)\}\s*=\s*await \$later\("([^"]+)"\)/g),
    );
    expect(loads.length).toBeGreaterThan(20);
    expect(loads.filter(({ name, target }) => !exportsOf(texts, target).includes(name))).toEqual([]);
  });

  it('loads few files for the smallest command', async () => {
    const main = await readFile(join(dirname(builtCli), 'main.js'), 'utf8');
    expect(main).not.toContain('$load("');
  });

  it('carries the licences of what it contains', async () => {
    const notices = await readFile(join(dirname(builtCli), 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of [
      'ink',
      'react',
      'undici',
      'commander',
      'lowdb',
      'date-fns',
      'valibot',
      'hono',
      'csv-stringify',
      'ical-generator',
    ]) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
    }
  });

  it('carries the text of each licence, also of packages that bring none', async () => {
    const notices = await readFile(join(dirname(builtCli), 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const texts = notices.split(`\n${'-'.repeat(80)}\n`).slice(1);
    expect(texts.filter((text) => !/Copyright/i.test(text) || text.length < 500).map((text) => text.trim())).toEqual(
      [],
    );
  });

  it('is not made with a package of which no licence is known', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-notices-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'package.json'), '{"name":"x","version":"1.0.0","license":"MIT"}');
    await writeFile(join(folder, 'README.md'), '# x\n\n## License\n\nMIT\n');
    await expect(noticeOf(folder)).rejects.toThrow('x 1.0.0 (MIT) brings no text of its licence');
  });

  it('says one sentence on a Node that is too old', async ({ skip }) => {
    const run = promisify(execFile);
    const oldNode = '/usr/bin/node';
    const version = await run(oldNode, ['--version']).then(
      ({ stdout }) => stdout.trim().slice(1),
      () => null,
    );
    if (version === null || complaintAboutNode(version) === null) return skip('no old Node on this machine');
    const failed = await run(oldNode, [builtCli, 'list']).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: `${complaintAboutNode(version)}\n` });
  });
});
