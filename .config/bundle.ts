/** How the two bundles of the program are made; also read by the tests, which look at what loads what. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import {
  inkInParts,
  packagesWhenUsed,
  screenPackagesWithoutBuiltins,
  segmentersWhenUsed,
  timesWhenUsed,
} from './ink-parts.ts';
import type { ChunkGroup } from './merge-chunks.ts';

/** The clone. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  // React's development build costs 5 to 17 ms a frame.
  define: { 'process.env.NODE_ENV': '"production"' },
} satisfies BuildOptions;

/** Ink loads the React developer tools on request only; they are no dependency of ours. */
const withoutDeveloperTools: Plugin = {
  name: 'without-developer-tools',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    hooks.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export default {};' }));
  },
};

/** Layout's WebAssembly lies in its own file as text. Fetching it from there loads all of Node's fetch: 20 ms a start. */
const layoutWithoutFetch: Plugin = {
  name: 'layout-without-fetch',
  setup: (hooks) => {
    hooks.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path }) => ({
      contents: `const fetch = undefined;\n${await readFile(path, 'utf8')}`,
    }));
  },
};

/** What the program uses of undici; the rest (fetch, web sockets, caches, mocks) is a quarter of the package, and is loaded with it. */
const undiciParts: Readonly<Record<string, string>> = {
  Agent: "require('./lib/dispatcher/agent')",
  Pool: "require('./lib/dispatcher/pool')",
  ProxyAgent: "require('./lib/dispatcher/proxy-agent')",
  buildConnector: "require('./lib/core/connect')",
  request: 'makeDispatcher(api.request)',
};

/** Puts the parts of undici that are used in place of its index, which loads all. */
const undiciInPart: Plugin = {
  name: 'undici-in-part',
  setup: (hooks) => {
    hooks.onLoad({ filter: /[\\/]undici[\\/]index\.js$/ }, async ({ path }) => {
      const index = await readFile(path, 'utf8');
      const makeDispatcher = /^function makeDispatcher .*?^}$/ms.exec(index)?.[0];
      if (makeDispatcher === undefined) throw new Error('The index of undici is made otherwise than it was.');
      return {
        contents: `'use strict';
const util = require('./lib/core/util');
const { InvalidArgumentError } = require('./lib/core/errors');
const { getGlobalDispatcher } = require('./lib/global');
const api = require('./lib/api');
Object.assign(require('./lib/dispatcher/dispatcher').prototype, api);
${makeDispatcher}
${Object.entries(undiciParts)
  .map(([name, value]) => `module.exports.${name} = ${value};`)
  .join('\n')}`,
      };
    });
    // A second parser of HTTP, which is used when a variable of the environment says so, and weighs as much as all else.
    hooks.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]parser-h1\.js$/ }, async ({ path }) => {
      const parser = await readFile(path, 'utf8');
      const choice = /let miloEnabled =\s.*?'true'\n/s;
      if (!choice.test(parser)) throw new Error('undici chooses its parser otherwise than it did.');
      return { contents: parser.replace(choice, 'let miloEnabled = false\n') };
    });
    // Assertions load half a dozen modules of Node. Those that fail are made by Node all the same: they are known by their code.
    hooks.onResolve({ filter: /^node:assert$/ }, ({ importer, kind, path }) =>
      kind === 'require-call' && /[\\/]undici[\\/]/.test(importer)
        ? { path, namespace: 'failing-assertions' }
        : undefined,
    );
    hooks.onLoad({ filter: /.*/, namespace: 'failing-assertions' }, ({ path }) => ({
      contents: `module.exports = (value, ...message) => {
  if (!value) process.getBuiltinModule(${JSON.stringify(path)})(value, ...message);
};`,
    }));
    // We speak HTTP/1.1; what speaks the other one loads Node's own HTTP/2 with it, half of the time that undici takes to load.
    hooks.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ }, async ({ path }) => {
      const client = await readFile(path, 'utf8');
      const loaded = "const connectH2 = require('./client-h2.js')";
      if (!client.includes(loaded)) throw new Error('The client of undici loads HTTP/2 otherwise than it did.');
      return {
        contents: client.replace(loaded, "const connectH2 = (...given) => require('./client-h2.js')(...given)"),
      };
    });
    hooks.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]milo[\\/][\w-]+\.js$/ }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

/** Modules of Node that cost milliseconds, of which most commands use little or nothing. */
const costlyBuiltins = [
  'child_process',
  'crypto',
  'fs',
  'fs/promises',
  'net',
  'os',
  'process',
  'timers/promises',
  'tty',
  'util',
];

/** What stands for something that a module of Node exports, and loads that module when it is used. */
function standIn(path: string, name: string, value: unknown): string {
  // It is there already, and is written to.
  if (path === 'node:process') return name === 'default' ? 'process' : `/* @__PURE__ */ (() => process.${name})()`;
  const real = name === 'default' ? 'load()' : `load().${name}`;
  if (typeof value === 'object' && value !== null)
    return `/* @__PURE__ */ new Proxy({}, { get: (_, key) => ${real}[key] })`;
  if (typeof value !== 'function') return `/* @__PURE__ */ (() => ${real})()`;
  if (isPlainFunction(name, value)) return `(...given) => ${real}(...given)`;
  return `/* @__PURE__ */ new Proxy(function () {}, {
  get: (_, key) => ${real}[key],
  apply: (_, self, given) => ${real}(...given),
  construct: (_, given, made) => Reflect.construct(${real}, given, made),
})`;
}

/** Whether a function is no class, and nothing hangs on it, such as `promisify.custom`. */
const isPlainFunction = (name: string, value: object): boolean =>
  /^[a-z]/.test(name) && Reflect.ownKeys(value).every((key) => ['length', 'name', 'prototype'].includes(String(key)));

/**
 * Loads modules of Node when something of them is first used. An import statement loads them at once, and reads all that
 * they export, which loads even more of Node: streams for `fs` and `process`, a comparison of texts for `util`. What is
 * imported becomes a stand-in each, so that the bundle holds those that are used; an object with all that a module
 * exports takes milliseconds to make.
 */
const whenUsed = (modules: readonly string[]): Plugin => ({
  name: 'builtins-when-used',
  setup: (hooks) => {
    hooks.onResolve({ filter: new RegExp(`^(?:node:)?(?:${modules.join('|')})$`) }, ({ kind, path }) =>
      kind === 'import-statement'
        ? { path: `node:${path.replace('node:', '')}`, namespace: 'when-used', sideEffects: false }
        : undefined,
    );
    hooks.onLoad({ filter: /.*/, namespace: 'when-used' }, async ({ path }) => {
      const module = (await import(path)) as Readonly<Record<string, unknown>>;
      const contents = Object.entries(module).map(([name, value]) =>
        name === 'default'
          ? `export default ${standIn(path, name, value)};`
          : `export const ${name} = ${standIn(path, name, value)};`,
      );
      const load = `let loaded;\nconst load = () => (loaded ??= process.getBuiltinModule(${JSON.stringify(path)}));`;
      return { contents: [load, ...contents].join('\n') };
    });
  },
});

/** `cli.js`: one small file that any Node can parse. */
export const launcherBundle = {
  ...shared,
  entryPoints: { cli: 'src/cli.ts' },
  // Old Nodes must get as far as the sentence that says which Node is needed.
  target: 'node12.20',
  supported: { 'dynamic-import': true },
  banner: { js: '#!/usr/bin/env node' },
  // An old Node may not know "node:path".
  plugins: [whenUsed(['path', 'crypto'])],
} satisfies BuildOptions;

/** Bundled CommonJS packages ask for Node's own modules with require. */
export const requireBanner =
  "import { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);\n";

/** `main.js` and the chunks that load when they are needed. */
export const programBundle = {
  ...shared,
  entryPoints: { main: 'src/main.ts' },
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  target: 'node22.19',
  // Ink and its helpers bring four copies of an older version. One copy makes its tables once, 25 ms of the first frame,
  // and Ink measures a text exactly as the board does.
  alias: {
    'string-width': './node_modules/string-width/index.js',
    // Its other build asks for its parts in a way that cannot be bundled.
    'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
  },
  banner: {
    js: requireBanner,
  },
  plugins: [
    withoutDeveloperTools,
    layoutWithoutFetch,
    undiciInPart,
    whenUsed(costlyBuiltins),
    packagesWhenUsed(root),
    timesWhenUsed(root),
    inkInParts(root),
    screenPackagesWithoutBuiltins,
    segmentersWhenUsed,
  ],
} satisfies BuildOptions;

/**
 * What becomes one file each: what every start loads, what the status line needs, what reads the files, what checks
 * settings, what prints tables, what calls the service, what a monitor is made of, what adding and the board share, the
 * board, its first frame, the rest of adding. The smallest come first, so that they load nothing that only others need;
 * where two share a part, that comes first as well. The board came to a hundred files, a tenth of its start. Ink stays
 * alone: nobody may load it with a part that they share with it.
 */
export const loadedTogether: readonly ChunkGroup[] = [
  { entry: 'src/main.ts', file: 'main.js' },
  { entry: 'src/commands/read/status.ts', file: 'chunks/glance.js' },
  { entry: 'src/commands/read/list.ts', file: 'chunks/files.js' },
  { entry: 'src/commands/configuration/config-schema.ts', file: 'chunks/settings.js' },
  {
    entry: 'src/commands/output/parcel-table.ts',
    beside: 'src/commands/output/table.ts',
    file: 'chunks/tables.js',
  },
  { entry: 'src/commands/session/service.ts', file: 'chunks/service.js' },
  { entry: 'src/service/client/client.ts', file: 'chunks/client.js' },
  { entry: 'src/commands/write/refresh.ts', sharedWith: 'src/commands/board/board.ts', file: 'chunks/monitor.js' },
  { entry: 'src/commands/write/add.ts', sharedWith: 'src/commands/board/board.ts', file: 'chunks/adding.js' },
  { entry: 'src/commands/write/add.ts', sharedWith: 'src/ui/run-board.ts', file: 'chunks/entering.js' },
  { entry: 'src/commands/board/board.ts', file: 'chunks/board.js' },
  { entry: 'src/ui/run-board.ts', file: 'chunks/opening.js' },
  { entry: 'src/commands/write/add.ts', file: 'chunks/additions.js' },
];
