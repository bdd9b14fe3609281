import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const source = resolve(import.meta.dirname, '../src');

/** The rooms that each room may import from, besides itself. Imports only go down. `src/README.md` gives the reasons. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  system: ['lib'],
  service: ['lib'],
  sandbox: ['lib', 'service'],
  parcels: ['lib', 'service'],
  scan: ['lib', 'service', 'parcels'],
  store: ['lib', 'system', 'service', 'parcels'],
  polling: ['lib', 'service', 'parcels', 'scan', 'store'],
  board: ['lib', 'service', 'parcels', 'scan', 'store', 'polling'],
  notify: ['lib', 'system', 'service', 'parcels', 'store', 'polling', 'board'],
  settings: ['lib', 'system', 'service', 'parcels', 'scan', 'store', 'polling', 'board', 'notify'],
  tui: ['lib', 'system', 'service', 'parcels', 'scan', 'store', 'polling', 'board', 'settings', 'notify'],
  commands: ['lib', 'system', 'service', 'parcels', 'scan', 'store', 'polling', 'board', 'settings', 'notify'],
};

/** Packages that only some rooms may use. */
const packageRooms: Readonly<Record<string, readonly string[]>> = {
  ink: ['tui'],
  react: ['tui'],
  'ink-table': ['tui'],
  'ink-text-input': ['tui'],
  undici: ['service'],
  lowdb: ['store'],
  'postal-mime': ['scan'],
  pg: ['store'],
  htmlparser2: ['scan'],
  hono: ['sandbox'],
  '@hono/node-server': ['sandbox'],
  commander: ['commands'],
  'chrono-node': ['commands'],
  'csv-parse': ['commands'],
  'csv-stringify': ['lib', 'commands'],
  'ical-generator': ['commands'],
  'jsonc-parser': ['settings'],
  // Only for tests.
  'ical.js': [],
};

/** The files that access the process and the clock. Everything else gets them passed in. */
const processFiles: readonly string[] = ['clock.ts', 'standard-streams.ts'].map((name) => join('system', name));

interface Import {
  readonly file: string;
  readonly room: string;
  readonly specifier: string;
  /** The imported file, as a path below `src`, or null for a package. */
  readonly path: string | null;
  /** The imported room, or null for a package. */
  readonly target: string | null;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
const roomOf = (path: string): string => {
  const [first = '', ...rest] = path.split(/[\\/]/);
  return rest.length === 0 ? 'root' : first;
};

const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']): Import => {
    const isRelative = specifier.startsWith('.');
    const path = isRelative ? relative(source, resolve(source, dirname(file), specifier)) : null;
    return { file, room: roomOf(file), specifier, path, target: path === null ? null : roomOf(path) };
  });
});

/** Returns the import cycles, at most one for each name that the search starts from. */
function findCycles(edges: readonly (readonly [from: string, to: string])[]): readonly string[] {
  const next = Map.groupBy(edges, ([from]) => from);
  const finished = new Set<string>();
  const found: string[] = [];
  const visit = (name: string, trail: readonly string[]): void => {
    const start = trail.indexOf(name);
    if (start !== -1) found.push([...trail.slice(start), name].join(' -> '));
    if (start !== -1 || finished.has(name)) return;
    for (const [, to] of next.get(name) ?? []) visit(to, [...trail, name]);
    finished.add(name);
  };
  for (const name of next.keys()) visit(name, []);
  return found;
}

/** Imports between the parts of a folder of `src`. A part is a subfolder, or a file directly in the folder. */
function edgesWithin(folder: string): readonly (readonly [from: string, to: string])[] {
  const partOf = (path: string): string => relative(folder, path).split(sep)[0] ?? '';
  const isWithin = (path: string): boolean => path.startsWith(`${folder}${sep}`);
  return imports.flatMap(({ file, path }): readonly (readonly [string, string])[] => {
    if (path === null || !isWithin(file) || !isWithin(path) || partOf(file) === partOf(path)) return [];
    return [[partOf(file), partOf(path)]];
  });
}

const formatImports = (rows: readonly Import[]): readonly string[] =>
  rows.map((row) => `${row.file} imports ${row.specifier}`);

describe('rooms', () => {
  test('every file is in a room or directly in src', () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].sort()).toEqual([...Object.keys(allowed), 'root'].sort());
    expect(imports.length).toBeGreaterThan(100);
  });

  test('imports only point downwards', () => {
    const violations = imports.filter(
      ({ room, target }) =>
        room !== 'root' && target !== null && target !== room && !(allowed[room] ?? []).includes(target),
    );
    expect(formatImports(violations)).toEqual([]);
  });

  test('no files import each other in a cycle, even inside a room', () => {
    expect(findCycles(imports.flatMap(({ file, path }) => (path === null ? [] : [[file, path] as const])))).toEqual([]);
  });

  test('there are no import cycles between the folders of tui, so panes do not import the app that shows them', () => {
    const edges = edgesWithin('tui');
    expect(edges.length).toBeGreaterThan(100);
    expect(findCycles(edges)).toEqual([]);
  });

  test('packages are imported only where they belong', () => {
    const violations = imports.filter(({ room, specifier }) => {
      const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];
      const rooms = Object.hasOwn(packageRooms, name ?? '') ? packageRooms[name ?? ''] : undefined;
      return rooms !== undefined && !rooms.includes(room);
    });
    expect(formatImports(violations)).toEqual([]);
  });

  test('only the PostgreSQL folder imports the database driver', () => {
    const database = join('store', 'postgres');
    const drivers = imports.filter(({ file, specifier }) => specifier === 'pg' && dirname(file) !== database);
    expect(formatImports(drivers)).toEqual([]);
  });

  test('SQL statements are all in one file', () => {
    const folder = join('store', 'postgres');
    const statement = /['"`]\s*(?:with \w+ as|select|insert into|update|delete from|create|alter)\s/;
    const holders = files.filter(
      (file) => dirname(file) === folder && statement.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(holders).toEqual([join(folder, 'sql.ts')]);
  });

  test('the service room does not access files, and the board room does not use Node modules', () => {
    const violations = imports.filter(
      ({ room, specifier }) =>
        (room === 'service' && /^node:(?:fs|os|child_process)/.test(specifier)) ||
        (room === 'board' && specifier.startsWith('node:')),
    );
    expect(formatImports(violations)).toEqual([]);
  });

  test('the process, time and randomness are passed in', () => {
    const accesses = files
      .filter((file) => roomOf(file) !== 'root' && !processFiles.includes(file))
      .flatMap((file) =>
        readFileSync(join(source, file), 'utf8')
          .split('\n')
          .filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line))
          // Loading Node modules through `process` is allowed: the launcher cannot import them, because an old Node must
          // be able to parse it.
          .filter((line) =>
            /(?<!-)\bprocess\.(?!getBuiltinModule\()|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.test(line),
          )
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(accesses).toEqual([]);
  });

  test('child processes are started in one place, which removes the API key from their environment', () => {
    const starters = files.filter((file) => /child_process/.test(readFileSync(join(source, file), 'utf8')));
    expect(starters).toEqual([join('system', 'child-processes.ts')]);
  });

  test('folders are created in one place, which also makes the user their owner', () => {
    const makers = files.filter((file) => /\bmk(?:dir|dtemp)/.test(readFileSync(join(source, file), 'utf8')));
    expect(makers).toEqual([join('store', 'file', 'folders.ts')]);
  });
});

test('a test that starts processes or uses the database has a name that says so', () => {
  const starter =
    /from '(?:node:(?:child_process|worker_threads)|pg|[./]+.*\/(?:built-cli|running-cli|test-server|pseudo-terminal)\.ts)'|\bprocess\.execPath\b/;
  const violations = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name) && !/\.process\.test\.ts$|^pty[\\/]/.test(name))
    .filter((name) => starter.test(readFileSync(join(import.meta.dirname, name), 'utf8')));
  expect(violations).toEqual([]);
});
