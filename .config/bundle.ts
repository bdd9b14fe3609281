/** How the two bundles of the program are made; also read by the tests, which look at what loads what. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

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
  define: {
    // React's development build costs 5 to 17 ms a frame.
    'process.env.NODE_ENV': '"production"',
    // undici's own switch (Node sets it, too): without the second, experimental parser, which packs to 52 kB.
    esbuildDetection: '1',
  },
} satisfies BuildOptions;

/** Ink loads the React developer tools on request only; they are no dependency of ours. */
const withoutDeveloperTools: Plugin = {
  name: 'without-developer-tools',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    hooks.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export default {};' }));
  },
};

/** Of package.json, the program needs its version, and the addresses of its page and for reports, if there are any. */
const usedFields: Plugin = {
  name: 'used-fields',
  setup: (hooks) =>
    hooks.onLoad({ filter: /\/package\.json$/ }, async ({ path }) => {
      const { bugs, homepage, version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version, homepage, bugs: bugs?.url ?? bugs }), loader: 'json' };
    }),
};

/** `cli.js`: one small file that any Node can parse. */
export const launcherBundle = {
  ...shared,
  entryPoints: { cli: 'src/cli.ts' },
  external: ['./main.js'],
  plugins: [usedFields],
  // Old Nodes must get as far as the sentence that says which Node is needed.
  target: 'node12.20',
  supported: { 'dynamic-import': true },
  banner: { js: '#!/usr/bin/env node' },
} satisfies BuildOptions;

/** Bundled CommonJS packages ask for Node's own modules with require, and for nothing else. */
export const requireBanner = 'const require = process.getBuiltinModule;';

/** `main.js` and the chunks that load when they are needed. */
export const programBundle = {
  ...shared,
  entryPoints: { main: 'src/main.ts' },
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  minify: true,
  // Not published; with them a maintainer reads the stack of a bug report.
  sourcemap: process.argv.includes('--source-maps') ? 'external' : false,
  target: 'node22.19',
  // Where a package has modules beside scripts, its modules: esbuild cannot follow what some scripts load.
  mainFields: ['module', 'main'],
  banner: { js: requireBanner },
  plugins: [withoutDeveloperTools, usedFields],
} satisfies BuildOptions;
